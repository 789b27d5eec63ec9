package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/host/sshlink"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/procfs"
	"github.com/kvscen/kvscen/internal/result"
)

func newClean() *cobra.Command {
	var file string
	var yes bool
	cmd := &cobra.Command{
		Use:   "clean --hosts FILE",
		Short: "find what runs have left on machines, and remove it",
		Long: `clean lists the processes and folders of runs on the machines of a file. With
--yes it kills those processes and removes those folders, and the copies of
kvscen itself. Members end by themselves when kvscen does; leftovers are of
machines that were cut off, or of hosts without upload.

Runs that are still going can't be told from those that are not.`,
		Example: `  kvscen clean --hosts hosts.txt
  kvscen clean --hosts hosts.txt --yes`,
		Args: needArgs(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return usage("clean needs --hosts FILE")
			}
			ctx, stop := withSignals(cmd.Context(), os.Exit)
			defer stop()
			return cleanHosts(ctx, cmd, file, yes)
		},
	}
	cmd.Flags().StringVar(&file, "hosts", "", "`file` of machines, as for run")
	cmd.Flags().BoolVar(&yes, "yes", false, "remove what is found")
	return cmd
}

// cleanHosts goes through all machines, also when one fails.
func cleanHosts(ctx context.Context, cmd *cobra.Command, file string, yes bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return usage("reading the hosts: %w", err)
	}
	list, err := plan.ParseHosts(file, string(text))
	if err != nil {
		return &failure{result.StatusUsage, err}
	}
	settings, err := sshlink.UserSettings()
	if err != nil {
		return setup("finding the SSH settings: %w", err)
	}
	hosts := host.NewHosts(host.Config{Run: "clean", SSH: settings})
	defer hosts.Close()
	errs := []error{cleanHere(cmd, yes)}
	for i := range list {
		spec := cluster.SpecOf(&list[i])
		spec.Upload = false
		r, err := hosts.Get(ctx, spec)
		if err == nil {
			err = cleanHost(ctx, cmd, r, yes)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return &failure{result.StatusSetup, err}
	}
	return nil
}

// cleanHere finds what kvscen keeps of other machines on this one: where it was
// killed, nobody has removed it.
func cleanHere(cmd *cobra.Command, yes bool) error {
	left, err := procfs.LeftMirrors(yes)
	for _, dir := range left {
		fmt.Fprintf(cmd.OutOrStdout(), "this machine: folder %s\n", dir)
	}
	return err
}

func cleanHost(ctx context.Context, cmd *cobra.Command, r *host.Remote, yes bool) error {
	found, err := r.Leftovers(ctx)
	if err != nil {
		return err
	}
	for _, p := range found.Processes {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: process %d of run %s: %s\n", r.Name(), p.PID, p.Run, p.Command)
	}
	for _, dir := range found.Folders {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: folder %s\n", r.Name(), dir)
	}
	left := len(found.Processes) + len(found.Folders)
	switch {
	case yes:
		if err := r.Clean(ctx); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: clean\n", r.Name())
	case left == 0:
		fmt.Fprintf(cmd.OutOrStdout(), "%s: nothing is left\n", r.Name())
	default:
		fmt.Fprintf(cmd.OutOrStdout(), "%s: --yes removes this\n", r.Name())
	}
	return nil
}
