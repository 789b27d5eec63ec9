package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/result"
)

// up is a cluster that is up.
type up struct {
	cluster *cluster.Cluster // nil: the store is in our own process
	closers []func() error   // of stores in our own process
	members []cluster.Member
	sampler *sample.Sampler
	mirrors []func() error // end the sampling of other machines

	readyLogs cluster.LogMark    // how long the logs were when it was ready; nil: not known
	cancel    context.CancelFunc // of watchers
	watches   sync.WaitGroup

	mu     sync.Mutex
	leader string // name of the member that leads; empty: not known
}

// stopWithin bounds the stopping of a cluster, beyond what its processes are
// given by the recipe.
const stopWithin = 2 * time.Minute

// bringUp starts the cluster, or connects to it, and waits until it is ready.
func (s *session) bringUp(ctx context.Context) error {
	began := time.Now()
	s.note(Event{Kind: KindSetup, Text: s.announce()})
	u := &up{}
	s.up = u
	if err := s.start(ctx, u); err != nil {
		return &failure{result.StatusSetup, err}
	}
	ready, err := s.ready(ctx)
	if err != nil {
		return &failure{result.StatusSetup, err}
	}
	if u.sampler, err = sample.Start(context.WithoutCancel(ctx), s.sampling(ctx)); err != nil {
		return &failure{result.StatusSetup, err}
	}
	if u.cluster != nil {
		u.readyLogs, _ = u.cluster.MarkLogs() // without, more of them is quoted
	}
	s.record(ready, time.Since(began))
	if ready.unknown != "" {
		s.event("unknown", "", "version and leader are n/a: "+ready.unknown)
	}
	s.describeMachines(ctx, u)
	s.compareClocks(ctx, u)
	s.watch(ctx)
	s.note(Event{Kind: KindReady, Text: s.readyText(ready, time.Since(began))})
	return nil
}

func (s *session) announce() string {
	if c := &s.plan.Cluster; len(c.Endpoints) > 0 {
		return "connecting to " + strings.Join(c.Endpoints, ", ")
	}
	return fmt.Sprintf("starting %s", members(len(s.plan.Cluster.Nodes)))
}

func members(n int) string {
	if n == 1 {
		return "1 member"
	}
	return fmt.Sprintf("%d members", n)
}

func (s *session) readyText(r readiness, took time.Duration) string {
	text := fmt.Sprintf("%s of %s ready in %.1f s", members(len(s.up.members)), strings.TrimSpace(s.spec.Name+" "+r.version), took.Seconds())
	if r.leader != "" {
		text += ", leader " + r.leader
	}
	return text
}

// start starts processes, or opens stores in our own process.
func (s *session) start(ctx context.Context, u *up) error {
	name := s.name()
	if s.ups++; s.ups > 1 {
		name = fmt.Sprintf("%s.%d", name, s.ups)
	}
	data := filepath.Join(s.c.cfg.Data, name)
	if s.spec.InProcess {
		return s.open(ctx, u, data)
	}
	c, err := cluster.Start(ctx, &s.plan.Cluster, cluster.Config{
		Self: s.c.cfg.Self, Dir: data, LogDir: s.c.out.logs(name), Name: name, Hosts: s.c.cfg.Hosts,
	})
	if err != nil {
		return err
	}
	u.cluster, u.members = c, c.Members()
	return nil
}

// open opens one store for each node of a cluster in our own process.
func (s *session) open(ctx context.Context, u *up, data string) error {
	opener, ok := s.driver.(drivers.Opener)
	if !ok {
		return fmt.Errorf("driver %s says that it is in our own process, but can't be opened", s.spec.Name)
	}
	for _, n := range s.plan.Cluster.Nodes {
		dir := filepath.Join(data, n.Name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("%s: making its data folder: %w", n.Name, err)
		}
		endpoint, closeStore, err := opener.Open(ctx, dir, s.options())
		if err != nil {
			return fmt.Errorf("%s: %w", n.Name, err)
		}
		u.closers = append(u.closers, closeStore)
		u.members = append(u.members, cluster.Member{Name: n.Name, Endpoint: endpoint, Dir: dir, Data: dir})
	}
	return nil
}

// sampling says what is to be sampled.
func (s *session) sampling(ctx context.Context) sample.Config {
	cfg := sample.Config{InProcess: s.spec.InProcess, Hosts: s.sampled(ctx, s.up), OnUse: s.noteUse}
	for _, m := range s.up.members {
		watched := sample.Member{Name: m.Name, DataDir: m.Data}
		if pids := m.PIDs; len(pids) > 0 {
			watched.PIDs = func() []int { return pids }
		}
		if !s.spec.InProcess {
			name, loopback, err := sample.Route(m.Endpoint)
			switch {
			case err == nil && loopback:
				cfg.SharedLoopback = true
			case err == nil:
				cfg.Interface = name
			}
			watched.Host = s.hostOf(m)
		}
		cfg.Members = append(cfg.Members, watched)
	}
	return cfg
}

// record keeps what is known of the cluster as it was set up.
func (s *session) record(r readiness, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result.Version, s.result.Setup, s.result.Members = r.version, took, nil
	for _, m := range s.up.members {
		member := result.Member{Name: m.Name, Host: s.hostOf(m), Endpoint: m.Endpoint, Leader: m.Name == r.leader}
		for _, argv := range m.Argv {
			member.Processes = append(member.Processes, strings.Join(argv, " "))
		}
		s.result.Members = append(s.result.Members, member)
	}
}

// bringDown stops what bringUp has started, and removes its data.
func (s *session) bringDown(ctx context.Context) error {
	u := s.up
	if u == nil {
		return nil
	}
	s.up = nil
	if len(u.members) > 0 && len(s.plan.Cluster.Endpoints) == 0 {
		s.note(Event{Kind: KindStop, Text: "stopping " + members(len(u.members))})
	}
	if u.cancel != nil {
		u.cancel()
	}
	u.watches.Wait()
	if u.sampler != nil {
		u.sampler.Stop()
	}
	u.closeMirrors()
	if ctx.Err() == nil && u.sampler != nil {
		s.compareClocks(ctx, u)
	}
	if u.cluster == nil {
		return u.shut(s.c.cfg.KeepData)
	}
	// Also when the run was interrupted the members are stopped in order.
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	if err := u.cluster.Stop(bounded); err != nil {
		s.note(Event{Kind: KindWarning, Text: err.Error()}) // it is gone all the same
	}
	if s.c.cfg.KeepData {
		return nil
	}
	err := u.cluster.RemoveData()
	if _, lost := host.LostName(err); lost { // which has been reported
		s.note(Event{Kind: KindWarning, Text: err.Error() + "; kvscen clean --hosts finds it there"})
		return nil
	}
	return err
}

// shut closes the stores in our own process, and removes their data.
func (u *up) shut(keepData bool) error {
	var errs []error
	for i, closeStore := range u.closers {
		if err := closeStore(); err != nil {
			errs = append(errs, fmt.Errorf("closing %s: %w", u.members[i].Name, err))
		}
		if keepData {
			continue
		}
		if err := os.RemoveAll(u.members[i].Dir); err != nil {
			errs = append(errs, fmt.Errorf("removing the data of %s: %w", u.members[i].Name, err))
		}
	}
	return errors.Join(errs...)
}

// diskUsage is the space that a member's data takes.
func (u *up) diskUsage(member string) result.Number {
	if u.cluster != nil {
		n, err := u.cluster.DiskUsage(member)
		if err != nil {
			return result.NA(err.Error())
		}
		return result.Known(float64(n))
	}
	sum, known := int64(0), false
	for _, m := range u.members {
		// Members in our own process are one to the sampler.
		if m.Dir == "" {
			continue
		}
		n, err := host.Local{}.DiskUsage(m.Dir)
		if err != nil {
			return result.NA(err.Error())
		}
		sum, known = sum+n, true
	}
	if !known {
		return result.NA("its data folder is not known")
	}
	return result.Known(float64(sum))
}

func (u *up) leads() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.leader
}
