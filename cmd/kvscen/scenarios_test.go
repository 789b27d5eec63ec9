package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/scenario"
)

// Every scenario of the repo has a plan without a problem, in full and small.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/*.star")
	if err != nil || len(files) < 14 {
		t.Fatalf("found %d scenarios: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			full, quick := planOf(t, file, false), planOf(t, file, true)
			if got := quick.Estimate(); got.Time <= 0 || got.Time > 30*time.Second || got.Requests >= full.Estimate().Requests {
				t.Errorf("small: %s", got)
			}
		})
	}
}

func planOf(t *testing.T, file string, small bool) *plan.Plan {
	t.Helper()
	s, err := scenario.Open(t.Context(), file, scenario.Options{Small: small, Specs: specs()})
	if err != nil {
		t.Fatal(err)
	}
	return s.Plan
}
