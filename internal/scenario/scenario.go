// Package scenario turns one scenario file into a plan: it loads the file with
// the vocabulary and the library around it, fills in the parameters of main,
// calls it, and makes the plan of what it returns. Whatever is wrong comes back
// as diagnostics, with the place in the file.
package scenario

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/lang"
)

// Options is what the command line says about a scenario.
type Options struct {
	Set   []string       // NAME=VALUE, parameters of main; the last of a name wins
	Small bool           // take the parameters of the global small, below Set
	Root  string         // folder that load may read from; empty: the scenario's own
	Specs []drivers.Spec // of the stores that there are
	Given []plan.Param   // parameters of main as a result keeps them, below Set
	Std   fs.FS          // the library; nil: that of this kvscen
	Print io.Writer      // where print goes; nil: standard error
}

// Scenario is a scenario file and its plan.
type Scenario struct {
	Plan *plan.Plan
	File *lang.File

	params  arguments
	checks  []builtins.Function
	reports []builtins.Function
	folder  string // that places are not to show: one that was made for a moment
}

// Open makes the plan of the scenario at path. An error about the file is a
// *lang.Diagnostics; all problems of the plan are reported at once.
func Open(ctx context.Context, path string, o Options) (*Scenario, error) {
	f, err := load(ctx, path, o)
	if err != nil {
		return nil, err
	}
	if err := hasMain(f); err != nil {
		return nil, err
	}
	args, err := bind(f, o)
	if err != nil {
		return nil, err
	}
	v, err := f.Call(ctx, f.Main(), nil, args.kwargs())
	if err != nil {
		return nil, err
	}
	built, problems, err := builtins.Build(v, o.Specs)
	if err != nil {
		return nil, &lang.Diagnostics{f.LocateGlobal("main", err.Error())}
	}
	problems = append(problems, loopVariables(f, slices.Concat(built.Checks, built.Reports), problems)...)
	if len(problems) > 0 {
		return nil, locate(f, problems)
	}
	s := &Scenario{Plan: built.Plan, File: f, params: args, checks: built.Checks, reports: built.Reports}
	s.describe(path)
	return s, nil
}

// describe fills in what the plan says about the file it was made of.
func (s *Scenario) describe(path string) {
	p := s.Plan
	p.Name = strings.TrimSuffix(filepath.Base(path), ".star")
	p.Title = cmp.Or(p.Title, firstLine(s.File.Doc), p.Name)
	for _, a := range s.params {
		p.Params = append(p.Params, plan.Param{Name: a.name, Value: a.value.String()})
	}
	for _, src := range s.File.Sources() {
		p.Sources = append(p.Sources, plan.Source{Name: src.Name, Hash: src.Hash, Text: src.Text})
	}
}

// Evaluate judges a finished run by the expectations and checks of the
// scenario.
func (s *Scenario) Evaluate(ctx context.Context, run *result.Run) []result.Verdict {
	verdicts := s.finished(ctx, run).Verdicts(s.checks)
	for i := range verdicts {
		v := &verdicts[i]
		v.Where, v.Text = s.shown(v.Where), s.shown(v.Text)
	}
	return verdicts
}

// Hopeless says why a run that goes on can't meet the expectations of the scenario
// any more; empty: it still can.
func (s *Scenario) Hopeless(ctx context.Context, run *result.Run) string {
	return s.finished(ctx, run).Hopeless()
}

// HopelessNow says the same of a step under way.
func (s *Scenario) HopelessNow(m result.Moment) string { return builtins.HopelessNow(s.Plan, m) }

// Reports makes the tables of the scenario's own of a finished run.
func (s *Scenario) Reports(ctx context.Context, run *result.Run) []result.Report {
	reports := s.finished(ctx, run).Reports(s.reports)
	for i := range reports {
		r := &reports[i]
		r.Where, r.Error = s.shown(r.Where), s.shown(r.Error)
	}
	return reports
}

// shown is a text without the folder that the scenario was laid out in.
func (s *Scenario) shown(text string) string {
	if s.folder == "" {
		return text
	}
	return strings.ReplaceAll(text, s.folder, "")
}

func (s *Scenario) finished(ctx context.Context, run *result.Run) *builtins.Finished {
	return &builtins.Finished{
		Plan: s.Plan, Run: run, Params: s.params.dict(),
		Call: func(fn starlark.Callable, arg starlark.Value) (starlark.Value, error) {
			return s.File.Call(ctx, fn, starlark.Tuple{arg}, nil)
		},
		SourceLine: func(p plan.Pos) string { return s.File.SourceLine(p.File, p.Line) },
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}
