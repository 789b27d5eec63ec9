package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

const (
	comparisons = 1000 // of one build with itself
	repetitions = 6    // a side
	perRun      = 1200 // requests
)

// falseAlarms counts how often the command tells two folders of the same build
// apart. A run has a pace of its own, which all of its requests share.
func falseAlarms(s *sheet) error {
	bin, remove, err := build()
	if err != nil {
		return err
	}
	defer remove()
	var alarms, next atomic.Int64
	var workers sync.WaitGroup
	errs := make([]error, runtime.GOMAXPROCS(0))
	for w := range errs {
		workers.Go(func() {
			for n := next.Add(1); n <= comparisons; n = next.Add(1) {
				met, err := alarm(bin, filepath.Join(filepath.Dir(bin), strconv.FormatInt(n, 10)), uint64(n))
				if err != nil {
					errs[w] = err
					return
				}
				if met {
					alarms.Add(1)
				}
			}
		})
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.limit("false alarms at the 5 % level", 100*float64(alarms.Load())/comparisons, 6, " %")
	return nil
}

// alarm compares two folders of the same build, drawn by the number of the
// comparison, so that it does not matter which processor makes it.
func alarm(bin, dir string, number uint64) (met bool, err error) {
	defer os.RemoveAll(dir)
	rng := rand.New(rand.NewPCG(1, number))
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, side := range []string{a, b} {
		if err := generate(rng, side, repetitions); err != nil {
			return false, err
		}
	}
	return regression(bin, a, b)
}

// conditions are met by any difference that is shown, in either direction.
func conditions() []string {
	var list []string
	for _, m := range []string{"throughput", "mean", "p50", "p99"} {
		list = append(list, "--fail-if", m+" > +0%", "--fail-if", m+" < -0%")
	}
	return list
}

// regression runs `kvscen compare` and says whether it found a difference.
func regression(bin, base, new string) (bool, error) {
	args := append([]string{"compare", "--metric", "throughput,mean,p50,p99", base, new}, conditions()...)
	out, err := exec.Command(bin, args...).CombinedOutput()
	var status *exec.ExitError
	switch {
	case err == nil:
		return false, nil
	case errors.As(err, &status) && status.ExitCode() == result.StatusRegression:
		return true, nil
	}
	return false, fmt.Errorf("kvscen compare: %w\n%s", err, out)
}

// generate writes a result whose runs differ by 2 % among themselves.
func generate(rng *rand.Rand, dir string, runs int) error {
	r := &result.Run{Schema: result.Schema, Kvscen: "generated", Scenario: result.Scenario{Name: "write", Hash: "generated"}}
	for rep := range runs {
		step, err := generatedStep(rng, math.Exp(0.02*rng.NormFloat64()))
		if err != nil {
			return err
		}
		r.Clusters = append(r.Clusters, result.Cluster{
			Label: "mem", Driver: "mem", Repetition: rep,
			Phases: []result.Phase{{Name: "write", Role: "measure", Ops: []result.Op{{Name: "put", Weight: 1}}, Steps: []result.Step{step}}},
		})
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return result.Save(dir, r)
}

func generatedStep(rng *rand.Rand, pace float64) (result.Step, error) {
	hdr := result.NewHDR()
	h := &result.Hist{Min: math.MaxInt64}
	for range perRun {
		ns := int64(1e6 * pace * math.Exp(0.3*rng.NormFloat64()))
		if err := hdr.RecordValue(ns); err != nil {
			return result.Step{}, err
		}
		h.N, h.Sum = h.N+1, h.Sum+uint64(ns)
		h.Min, h.Max = min(h.Min, ns), max(h.Max, ns)
	}
	if err := h.Encode(hdr); err != nil {
		return result.Step{}, err
	}
	return result.Step{
		Clients: 1, Connections: 1, To: time.Duration(h.Sum), EndedBy: "requests",
		Counts: result.Counts{Asked: perRun, Due: perRun, Attempted: perRun, OK: perRun},
		Series: []result.Series{{Op: "put", OK: perRun, Service: h}},
	}, nil
}

// slowdown lets mem take a tenth longer, in ten runs a side, and asks the command
// whether it sees that; then it times the command on twenty runs a side.
func slowdown(s *sheet) error {
	bin, remove, err := build()
	if err != nil {
		return err
	}
	defer remove()
	dir := filepath.Dir(bin)
	scenario := filepath.Join(dir, "paced.star")
	if err := os.WriteFile(scenario, []byte(paced), 0o644); err != nil {
		return err
	}
	for name, service := range map[string]string{"base": "2ms", "slow": "2200us", "same": "2ms"} {
		cmd := exec.Command(bin, "run", "-q", "--out", filepath.Join(dir, name), "--set", "service="+service, scenario)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("kvscen run: %w\n%s", err, out)
		}
	}
	missed := 1.0
	if met, err := regression(bin, filepath.Join(dir, "base"), filepath.Join(dir, "slow")); err != nil {
		return err
	} else if met {
		missed = 0
	}
	s.limit("slowdowns of 10 % that were not found, of 1", missed, 0, "")
	return comparisonTime(s, bin, dir)
}

const paced = `
def main(service = 2 * ms):
    return scenario([stores["mem"](service = service)], [
        phase("write", put(keys(2000).sequential(), value(10)), requests = 2000, clients = 10),
    ], repeat = 10)
`

// comparisonTime times the command on twenty runs a side.
func comparisonTime(s *sheet, bin, dir string) error {
	rng := rand.New(rand.NewPCG(3, 4))
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, side := range []string{a, b} {
		if err := generate(rng, side, 20); err != nil {
			return err
		}
	}
	var took []float64
	for range times {
		began := time.Now()
		if out, err := exec.Command(bin, "compare", a, b).CombinedOutput(); err != nil {
			return fmt.Errorf("kvscen compare: %w\n%s", err, out)
		}
		took = append(took, time.Since(began).Seconds())
	}
	s.limit("comparing 20 runs with 20, median", median(took), 1, " s")
	return nil
}
