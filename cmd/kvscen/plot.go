package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/charts"
	"github.com/kvscen/kvscen/internal/charts/draw"
	"github.com/kvscen/kvscen/internal/result"
)

// plotFolder is where plots lie in a result folder.
const plotFolder = "plots"

func newPlot() *cobra.Command {
	var out string
	var kinds []string
	cmd := &cobra.Command{
		Use:   "plot DIR",
		Short: "draw the charts of a result folder",
		Long: `plot draws the charts of a run, a line for each cluster: throughput, latency and
its percentiles over time, what servers and client used, figures by number of
clients, the distribution of latencies, and a heat map. A chart without data is
not drawn. They are written as SVG and PNG to the folder "plots" of the result.`,
		Example: `  kvscen plot results/write-1m-20260102-150405
  kvscen plot --kind png --out /tmp/plots results/write-1m-20260102-150405`,
		Args: needArgs(1, 1, "one result folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := result.Load(args[0])
			if err != nil {
				return usage("%w", err)
			}
			for _, k := range kinds {
				if !slices.Contains([]string{"svg", "png"}, k) {
					return usage("--kind %s: there are svg and png", k)
				}
			}
			if out == "" {
				out = filepath.Join(folderOf(args[0]), plotFolder)
			}
			return plotAll(cmd.OutOrStdout(), run, out, kinds)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", `folder to write to, "plots" in the result folder unless given`)
	cmd.Flags().StringSliceVar(&kinds, "kind", []string{"svg", "png"}, "files to write: svg, png")
	return cmd
}

// folderOf is the folder of a result that may be named by its file.
func folderOf(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}

func plotAll(w io.Writer, run *result.Run, out string, kinds []string) error {
	list, err := charts.Of(run)
	if err != nil {
		return internal("%w", err)
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "there is nothing to draw: the run measured nothing")
		return nil
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return usage("making the folder of the plots: %w", err)
	}
	for i := range list {
		for _, kind := range kinds {
			if err := plotOne(&list[i], filepath.Join(out, list[i].Name+"."+kind), kind); err != nil {
				return internal("%w", err)
			}
		}
		fmt.Fprintf(w, "%s: %s\n", list[i].Name, list[i].Column)
	}
	return nil
}

func plotOne(c *charts.Chart, path, kind string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("drawing %s: %w", c.Name, err)
	}
	write := draw.SVG
	if kind == "png" {
		write = draw.PNG
	}
	b := bufio.NewWriter(f)
	return errors.Join(write(b, c), b.Flush(), f.Close())
}
