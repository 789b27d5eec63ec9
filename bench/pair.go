package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/dist"
	"github.com/kvscen/kvscen/internal/plan"
)

const (
	clientPairs = 7
	sideFor     = 1200 * time.Millisecond
	storedKeys  = 2000 // all of them are there before anything is measured, and in the caches

	mostCPU    = 1.15 // times the bare loop's
	mostAllocs = 0.5  // above the bare loop's
)

// compare measures each kind of request in pairs, and names the bare loop's own
// cost where it times nothing. Both sides have connections that were just made.
func (st store) compare(s *sheet, endpoint string, b *bareSide) error {
	if err := st.fill(endpoint, b); err != nil {
		return fmt.Errorf("filling %s: %w", st.name, err)
	}
	for _, kind := range st.kinds {
		how := ""
		if st.isHere() && kind == "put" {
			how = fmt.Sprintf(", sync = %v", st.options["sync"] != false)
		}
		s.say("%s %s%s, %d clients over %d connections:", st.name, kind, how, st.clients, st.conns)
		fixed, err := st.fixed(endpoint, kind)
		if err != nil {
			return fmt.Errorf("%s %s: %w", st.name, kind, err)
		}
		var extra, untimed []float64 // allocations of ours above those of the bare loop; ratios to one that times nothing
		err = s.pairs(clientPairs, mostCPU,
			func() (float64, error) {
				u, err := st.ours(endpoint, kind)
				extra, untimed = append(extra, u.allocs-fixed/u.requests), append(untimed, u.cpu)
				return u.cpu, err
			},
			func() (float64, error) {
				u, err := b.loop(kind, true)
				extra[len(extra)-1] -= u.allocs
				if err == nil && st.isHere() {
					var other usage
					other, err = b.loop(kind, false)
					untimed[len(untimed)-1] /= other.cpu
				}
				return u.cpu, err
			})
		if err != nil {
			return fmt.Errorf("%s %s: %w", st.name, kind, err)
		}
		if st.isHere() {
			s.say("against a loop that times nothing: median ratio %.3f; %.3f to %.3f", median(untimed), slices.Min(untimed), slices.Max(untimed))
		}
		s.limit("allocations a request above the library's, median", median(extra), mostAllocs, "")
	}
	return nil
}

// fill writes every key, once by each side where each has a store of its own: one
// client does, in order, so that both come to the same state.
func (st store) fill(endpoint string, b *bareSide) error {
	step := plan.Step{Clients: st.clients, Connections: st.conns, Requests: storedKeys}
	if st.isHere() {
		step.Clients, step.Connections = 1, 1
	}
	if _, err := st.phase(endpoint, "put", plan.OrderSequential, step, nil); err != nil || !st.isHere() {
		return err
	}
	return b.each(nil, func(r requests, client int, keys *dist.Keys, value []byte) error {
		for i := uint64(0); i < storedKeys && client == 0; i++ {
			if err := r.put(keys.At(i), value); err != nil {
				return err
			}
		}
		return nil
	})
}

// usage is what one request takes.
type usage struct {
	requests float64 // that were measured
	cpu      float64 // nanoseconds
	allocs   float64
}

// fixed is what a phase allocates however long it is: in one of a request a client.
func (st store) fixed(endpoint, kind string) (allocs float64, err error) {
	var m meter
	step := plan.Step{Clients: st.clients, Connections: st.conns, Requests: uint64(st.clients)}
	n, err := st.phase(endpoint, kind, plan.OrderUniform, step, m.read)
	if err != nil {
		return 0, err
	}
	return m.usage(n).allocs * float64(n), nil
}

// ours is what kvscen's engine takes, with the store's driver.
func (st store) ours(endpoint, kind string) (usage, error) {
	quiet()
	var m meter
	step := plan.Step{Clients: st.clients, Connections: st.conns, Duration: sideFor}
	n, err := st.phase(endpoint, kind, plan.OrderUniform, step, m.read)
	if err != nil {
		return usage{}, err
	}
	return m.usage(n), nil
}

// phase runs one, and returns the number of its requests, all of which succeeded.
func (st store) phase(endpoint, kind, order string, step plan.Step, around func()) (uint64, error) {
	o := op(kind, order)
	if kind == "get" {
		spec := st.driver.Spec()
		o.Consistency, _ = spec.Op(drivers.Get).Resolve("")
	}
	dial := func(ctx context.Context, _, _ int) (drivers.Conn, error) {
		return st.driver.Dial(ctx, st.target(endpoint))
	}
	out, err := runOn(storedKeys, o, step, dial, around)
	if err != nil {
		return 0, err
	}
	counts := out.Result.Counts
	if counts.OK == 0 || counts.OK != counts.Attempted {
		return 0, fmt.Errorf("of %d requests %d succeeded: %v", counts.Attempted, counts.OK, out.Result.Errors)
	}
	return counts.OK, nil
}

// meter is read at the start and at the end.
type meter struct {
	cpu    []time.Duration
	allocs []uint64
}

func (m *meter) read() {
	var stats runtime.MemStats
	now := cpu()
	runtime.ReadMemStats(&stats)
	if len(m.cpu) == 0 { // what reading takes is no part of it
		now = cpu()
	}
	m.cpu, m.allocs = append(m.cpu, now), append(m.allocs, stats.Mallocs)
}

func (m *meter) usage(requests uint64) usage {
	n := float64(requests)
	return usage{n, float64(m.cpu[1]-m.cpu[0]) / n, float64(m.allocs[1]-m.allocs[0]) / n}
}

// quiet waits until this process does nothing any more, compactions of an engine
// in it for one, and leaves no garbage to the next to be measured.
func quiet() {
	const look, most = 50 * time.Millisecond, 100
	runtime.GC()
	for range most {
		before := cpu()
		time.Sleep(look)
		if cpu()-before < look/20 {
			return
		}
	}
}
