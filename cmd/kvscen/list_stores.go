package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/doctor"
	"github.com/kvscen/kvscen/internal/scenario"
)

func newStores() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stores",
		Short: "list the stores: what can be started here, and what each can do",
		Long: `stores lists each recipe: whether its members can be started on this machine,
in which version, and what to install where they can't; and the operations of its
driver with their consistencies. A cluster that runs already needs nothing of it.`,
		Example: `  kvscen stores
  kvscen stores --json`,
		Args: needArgs(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			recipes, err := recipes(cmd.Context())
			if err != nil {
				return internal("%w", err)
			}
			show := printStores
			if asJSON {
				show = printStoresJSON
			}
			if err := show(cmd.OutOrStdout(), describeStores(doctor.This(), recipes)); err != nil {
				return internal("printing the stores: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// storeInfo is what is said of a store.
type storeInfo struct {
	Name    string   `json:"name"`
	Driver  string   `json:"driver"`
	Here    bool     `json:"here"` // members can be started on this machine
	Version string   `json:"version,omitempty"`
	Found   []string `json:"found"`
	Missing []string `json:"missing"`
	Install []string `json:"install"` // one a system
	Ops     []opInfo `json:"ops"`
}

type opInfo struct {
	Name          string   `json:"name"`
	Consistencies []string `json:"consistencies,omitempty"` // by the store's own names, the default first
}

func describeStores(m doctor.Machine, recipes []doctor.Store) []storeInfo {
	byName := map[string]drivers.Spec{}
	for _, s := range specs() {
		byName[s.Name] = s
	}
	list := []storeInfo{}
	for i := range recipes {
		r := &recipes[i]
		p := r.Look(m, true)
		info := storeInfo{
			Name: r.Name, Driver: r.Requires.Driver, Here: p.Here, Version: p.Version,
			Found: p.Found, Missing: p.Missing,
		}
		if len(p.Missing) > 0 {
			info.Install = doctor.Install(&r.Requires)
		}
		for _, o := range byName[r.Requires.Driver].With(r.Requires.Options).Ops {
			op := opInfo{Name: o.Kind.String()}
			for _, c := range o.Consistencies {
				op.Consistencies = append(op.Consistencies, c.Name)
			}
			info.Ops = append(info.Ops, op)
		}
		list = append(list, info)
	}
	return list
}

func printStoresJSON(w io.Writer, list []storeInfo) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(list)
}

func printStores(w io.Writer, list []storeInfo) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range list {
		here := "no"
		if s.Here {
			here = "yes"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Name, here, strings.TrimSpace(s.Version+" "+strings.Join(s.Found, ", ")))
		for _, text := range s.Missing {
			fmt.Fprintf(t, "\tmissing\t%s\n", text)
		}
		for _, text := range s.Install {
			fmt.Fprintf(t, "\tinstall\t%s\n", text)
		}
		var ops []string
		for _, o := range s.Ops {
			text := o.Name
			if len(o.Consistencies) > 0 {
				text += " (" + strings.Join(o.Consistencies, ", ") + ")"
			}
			ops = append(ops, text)
		}
		fmt.Fprintf(t, "\tcan\t%s\n", strings.Join(ops, ", "))
	}
	return t.Flush()
}

// recipes are those of the library, as far as this machine is asked about them.
func recipes(ctx context.Context) ([]doctor.Store, error) {
	list, err := scenario.Recipes(ctx, scenario.Options{Specs: specs()})
	if err != nil {
		return nil, err
	}
	inProcess := map[string]bool{}
	for _, s := range specs() {
		inProcess[s.Name] = s.InProcess
	}
	built := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			built[m.Path] = strings.TrimPrefix(m.Version, "v")
		}
	}
	var out []doctor.Store
	for _, r := range list {
		out = append(out, doctor.Store{
			Name: r.Name, InProcess: inProcess[r.Requires.Driver], Built: built[r.Requires.Module], Requires: r.Requires,
		})
	}
	return out, nil
}
