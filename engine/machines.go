package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/result"
)

// describeMachines keeps what the other machines of the members are. One that does
// not say so has a warning.
func (s *session) describeMachines(ctx context.Context, u *up) {
	machines := u.machines()
	found, errs := make([]result.Machine, len(machines)), make([]error, len(machines))
	var all sync.WaitGroup
	for i, r := range machines {
		all.Go(func() {
			d, err := r.Describe(ctx)
			errs[i] = err
			found[i] = result.Machine{
				Name: r.Name(), OS: "linux/" + d.Arch, System: d.System, Kernel: d.Kernel,
				CPU: sample.CPUModel(d.CPUInfo), Cores: d.Cores, Memory: d.Memory,
			}
		})
	}
	all.Wait()
	for i, m := range found {
		if errs[i] != nil {
			s.note(Event{Kind: KindWarning, Text: errs[i].Error()})
			continue
		}
		s.mu.Lock()
		if !slices.ContainsFunc(s.result.Machines, func(o result.Machine) bool { return o.Name == m.Name }) {
			s.result.Machines = append(s.result.Machines, m)
		}
		s.mu.Unlock()
	}
}
