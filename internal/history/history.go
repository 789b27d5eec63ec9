// Package history finds the results of past runs below a folder.
package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// Run is one past run, in short.
type Run struct {
	Path     string    `json:"path"`
	Start    time.Time `json:"start"`
	Seconds  float64   `json:"seconds"`
	Scenario string    `json:"scenario"`
	Params   []string  `json:"params"` // NAME=VALUE
	Status   int       `json:"status"`
	Reason   string    `json:"reason,omitempty"`
	Figures  []Figures `json:"figures"`         // one for each cluster
	Error    string    `json:"error,omitempty"` // why the result can't be read; nothing else is known then
}

// Figures are the key figures of a cluster in its last measured phase.
type Figures struct {
	Cluster    string        `json:"cluster"`
	Phase      string        `json:"phase"`
	Throughput result.Number `json:"throughput"` // ok requests a second
	P99        result.Number `json:"p99"`        // ns
}

// deepest is how far below the folder results are looked for: a folder of
// scenarios, run with --out, makes one level more.
const deepest = 3

// Find lists the results below a folder, the oldest first. One that can't be
// read is listed with the reason; it is an error if there is no such folder.
func Find(dir string) ([]Run, error) {
	runs := []Run{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == dir:
			return err
		case err != nil || !d.IsDir():
			return nil
		case depth(dir, path) > deepest:
			return fs.SkipDir
		case !isResult(path):
			return nil
		}
		runs = append(runs, read(path))
		return fs.SkipDir
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("looking for results in %s: %w", dir, err)
	}
	slices.SortStableFunc(runs, func(a, b Run) int { return a.Start.Compare(b.Start) })
	return runs, nil
}

// depth counts the folders from dir to a path below it.
func depth(dir, path string) int {
	below, err := filepath.Rel(dir, path)
	if err != nil || below == "." {
		return 0
	}
	return 1 + strings.Count(below, string(filepath.Separator))
}

// isResult is true of a folder with a result, or with the log of a run that
// wrote none.
func isResult(dir string) bool {
	for _, name := range []string{result.FileName, result.LogName} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

func read(path string) Run {
	run := Run{Path: path, Params: []string{}, Figures: []Figures{}}
	r, err := result.Load(path)
	if err != nil {
		run.Error = err.Error()
		if info, err := os.Stat(path); err == nil {
			run.Start = info.ModTime()
		}
		return run
	}
	run.Start, run.Seconds = r.Start, r.End.Sub(r.Start).Seconds()
	run.Scenario, run.Status, run.Reason = r.Scenario.Name, r.Status, r.Reason
	for _, p := range r.Scenario.Params {
		run.Params = append(run.Params, p.Name+"="+p.Value)
	}
	for _, label := range r.Labels() {
		run.Figures = append(run.Figures, figures(r, label))
	}
	return run
}

func figures(r *result.Run, label string) Figures {
	f := Figures{Cluster: label, Throughput: result.NA("nothing measured"), P99: result.NA("nothing measured")}
	for i := range r.Clusters {
		for _, p := range r.Clusters[i].Phases {
			if r.Clusters[i].Label == label && p.Role != "load" {
				f.Phase = p.Name
			}
		}
	}
	if f.Phase == "" {
		return f
	}
	v, err := r.View(result.Selection{Cluster: label, Phase: f.Phase, Repetition: result.Merged, Step: result.Merged})
	if err != nil {
		f.Throughput, f.P99 = result.NA(err.Error()), result.NA(err.Error())
		return f
	}
	f.Throughput, f.P99 = v.Metric("throughput"), v.Metric("p99")
	return f
}
