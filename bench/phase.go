package main

import (
	"context"
	"math"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/mem"
	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/plan"
)

const (
	keySize   = 256
	valueSize = 1024
	keyCount  = 1_000_000
	timeout   = 5 * time.Second // of a request
)

// op makes an operation on keys of 256 bytes, a put with values of 1 KiB.
func op(kind, order string) plan.Op {
	o := plan.Op{Kind: kind, Weight: 1, Draw: plan.Draw{Order: order}}
	if kind == "put" {
		o.Value = &plan.Value{Size: plan.Size{Kind: "fixed", A: valueSize}}
	} else {
		o.Consistency = "linearizable"
	}
	return o
}

// dialer opens connections of a step.
type dialer func(ctx context.Context, i, n int) (drivers.Conn, error)

// onMem dials a store in this process that keeps nothing.
func onMem() (dialer, func() error, error) {
	d := mem.New()
	at, stop, err := d.Open(context.Background(), "", map[string]any{"keep": false})
	return func(ctx context.Context, _, _ int) (drivers.Conn, error) {
		return d.Dial(ctx, drivers.Target{Endpoint: at})
	}, stop, err
}

// run sends a phase of one step. around, if not nil, is called right before and
// after the step is run.
func run(o plan.Op, step plan.Step, dial dialer, around func()) (*load.Outcome, error) {
	return runOn(keyCount, o, step, dial, around)
}

// runOn is run on so many keys.
func runOn(keys uint64, o plan.Op, step plan.Step, dial dialer, around func()) (*load.Outcome, error) {
	p := &plan.Phase{Name: "bench", Ops: []plan.Op{o}, Requests: step.Requests, Duration: step.Duration, MaxErrors: -1, Timeout: timeout, Steps: []plan.Step{step}}
	phase, err := load.NewPhase(load.Config{Phase: p, Names: []string{o.Kind}, Seed: 1, Dial: dial,
		Keys: load.NewKeyStates([]plan.Keys{{Count: keys, Size: keySize, Encoding: "decimal"}})})
	if err != nil {
		return nil, err
	}
	defer phase.Close()
	ready, err := phase.Prepare(context.Background(), 0)
	if err != nil {
		return nil, err
	}
	defer ready.Close()
	if around != nil {
		around()
		defer around()
	}
	return ready.Run(context.Background())
}

// cost runs a phase and returns its CPU time a request in nanoseconds.
func cost(o plan.Op, step plan.Step, dial dialer) (float64, error) {
	var edges []time.Duration
	out, err := run(o, step, dial, func() { edges = append(edges, cpu()) })
	if err != nil {
		return math.NaN(), err
	}
	return float64(edges[1]-edges[0]) / float64(out.Result.Counts.OK), nil
}
