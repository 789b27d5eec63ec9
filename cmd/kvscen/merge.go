package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/merge"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/scenario"
)

// loadAll reads the results that are named: folders of results, or folders of
// such folders, which stand for all that are in them.
func loadAll(paths []string) ([]*result.Run, error) {
	var runs []*result.Run
	var seen []string
	for _, path := range paths {
		folders, err := resultsIn(path)
		if err != nil {
			return nil, err
		}
		for _, folder := range folders {
			abs, err := filepath.Abs(folder)
			if err != nil {
				return nil, usage("finding the path of %s: %w", folder, err)
			}
			if slices.Contains(seen, abs) {
				return nil, usage("%s is named twice", folder)
			}
			seen = append(seen, abs)
			run, err := result.Load(folder)
			if err != nil {
				return nil, usage("%w", err)
			}
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// resultsIn lists the results in a folder: itself, or those right below it.
func resultsIn(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	_, missing := os.Stat(filepath.Join(path, result.FileName))
	if err != nil || missing == nil {
		return []string{path}, nil // what is wrong with it is said when it is read
	}
	var found []string
	for _, e := range entries {
		inner := filepath.Join(path, e.Name())
		if _, err := os.Stat(filepath.Join(inner, result.FileName)); err == nil {
			found = append(found, inner)
		}
	}
	if len(found) == 0 {
		return []string{path}, nil
	}
	return found, nil
}

// mergeAll puts results together: those of one scenario as one, judged anew from
// the source that they keep; those of different scenarios one after the other.
func mergeAll(ctx context.Context, runs []*result.Run) (*result.Run, error) {
	if len(runs) == 1 {
		return runs[0], nil
	}
	var parts []merge.Part
	for _, group := range grouped(runs, scenarioOf) {
		run, err := mergeScenario(ctx, group)
		if err != nil {
			return nil, err
		}
		parts = append(parts, merge.Part{Run: run, Name: run.Scenario.Name})
	}
	if len(parts) == 1 {
		return parts[0].Run, nil
	}
	return merge.Apart(parts), nil
}

// grouped puts those together that have the same key, in the order of the first.
func grouped(runs []*result.Run, key func(*result.Run) string) [][]*result.Run {
	var groups [][]*result.Run
	at := map[string]int{}
	for _, r := range runs {
		k := key(r)
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// scenarioOf identifies a scenario by its files. The library's are left out: of
// several stores each loads its own.
func scenarioOf(r *result.Run) string {
	words := []string{r.Scenario.Name}
	for _, s := range r.Scenario.Sources {
		if !strings.HasPrefix(s.Name, "@std//") {
			words = append(words, s.Name, s.Hash)
		}
	}
	return strings.Join(words, "\n")
}

// paramsOf identifies the parameters that a result was run with.
func paramsOf(r *result.Run) string { return fmt.Sprintf("%q", r.Scenario.Params) }

// mergeScenario puts results of one scenario together. Where one run could have
// done all that they did, they are one; else those with the same parameters are,
// and stand side by side with the others.
func mergeScenario(ctx context.Context, runs []*result.Run) (*result.Run, error) {
	groups := grouped(runs, paramsOf)
	opened := make([]*scenario.Scenario, len(groups))
	sets := make([][]result.Param, len(groups))
	for i, group := range groups {
		sets[i] = group[0].Scenario.Params
		s, err := scenario.Reopen(ctx, group[:1], sets[i], scenario.Options{Specs: specs(), Print: io.Discard})
		if err != nil {
			return nil, usage("%w", err)
		}
		opened[i] = s
	}
	if len(groups) == 1 {
		return judgeWhole(ctx, opened[0], runs)
	}
	if s := unionOf(ctx, groups, sets, opened); s != nil {
		return judgeWhole(ctx, s, runs)
	}
	var parts []merge.Part
	for i, group := range groups {
		run, err := judgeWhole(ctx, opened[i], group)
		if err != nil {
			return nil, err
		}
		parts = append(parts, merge.Part{Run: run, Name: merge.Differing(sets[i], sets)})
	}
	return merge.Beside(parts), nil
}

// unionOf is the scenario with the parameters of all, if it does to each cluster
// what the others do; nil: there is none.
func unionOf(ctx context.Context, groups [][]*result.Run, sets [][]result.Param, opened []*scenario.Scenario) *scenario.Scenario {
	params, ok := scenario.Union(sets)
	if !ok {
		return nil
	}
	var firsts []*result.Run
	for _, group := range groups {
		firsts = append(firsts, group[0])
	}
	s, err := scenario.Reopen(ctx, firsts, params, scenario.Options{Specs: specs(), Print: io.Discard})
	if err != nil {
		return nil // it can't be run with all of them
	}
	for _, other := range opened {
		if !s.Covers(other) {
			return nil
		}
	}
	return s
}

// judgeWhole puts the shards of one plan together and judges them as one run.
func judgeWhole(ctx context.Context, s *scenario.Scenario, runs []*result.Run) (*result.Run, error) {
	whole, err := merge.Shards(runs)
	if err != nil {
		return nil, usage("%w", err)
	}
	s.Repeated(whole.Scenario.Repeat)
	whole.Scenario.Params = nil
	for _, p := range s.Plan.Params {
		whole.Scenario.Params = append(whole.Scenario.Params, result.Param(p))
	}
	whole.Scenario.Title = s.Plan.Title
	whole.Scenario.Hash = s.Plan.Hash()
	whole.Verdicts = s.Evaluate(ctx, whole)
	whole.Reports = s.Reports(ctx, whole)
	settle(ctx, whole, false)
	return whole, nil
}

// asMerged gives the status of results put together, which nobody has been told
// yet.
func asMerged(run *result.Run) error {
	if run.Status == result.StatusOK {
		return nil
	}
	return &failure{run.Status, errors.New(run.Scenario.Name + ": " + run.Reason)}
}

// sourcesOf reads the files of the scenarios of results, each once.
func sourcesOf(runs []*result.Run) ([]result.SourceText, error) {
	var all []result.SourceText
	for _, r := range runs {
		texts, err := result.Sources(r.Dir)
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all, nil
}
