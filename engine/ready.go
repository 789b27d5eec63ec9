package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/cluster"
)

// readiness is what was seen of a cluster that is ready.
type readiness struct {
	version string // several where members differ
	leader  string // name of a member; empty: none, or not known
	unknown string // why members could not be asked
}

const (
	defaultReady = time.Minute
	dialTimeout  = 5 * time.Second
	pollReady    = 50 * time.Millisecond
	readyKey     = "kvscen-ready"
)

// ready waits until every member answers and knows the same leader, and, where
// we have started the cluster, a write has been acknowledged. The error is that
// of the last try. A store in our own process is ready once it is open, and may
// tell its version.
func (s *session) ready(ctx context.Context) (readiness, error) {
	if s.spec.InProcess {
		st, _, err := s.status(ctx, s.up.members[0])
		return readiness{version: st.Version}, err
	}
	within := s.plan.Cluster.ReadyWithin
	if within <= 0 {
		within = defaultReady
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	ctx, dies := s.untilDeath(ctx)
	defer dies()
	r, err := s.await(ctx, within)
	if death := dies(); death != nil {
		return r, death
	}
	return r, err
}

// untilDeath gives a context that ends with the first process that dies, for
// then there is nothing to wait for. The function ends the watch and returns the
// death, if there was one; it may be called again.
func (s *session) untilDeath(ctx context.Context) (context.Context, func() error) {
	ctx, cancel := context.WithCancel(ctx)
	var seen error
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case death := <-s.deaths():
			seen = errors.New(death.Text())
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() error {
		cancel()
		<-watched
		return seen
	}
}

// await tries until the cluster is ready.
func (s *session) await(ctx context.Context, within time.Duration) (readiness, error) {
	started := len(s.plan.Cluster.Nodes) > 0
	for {
		r, err := s.probe(ctx)
		if err == nil && started {
			err = s.probeWrite(ctx)
		}
		if err == nil {
			return r, nil
		}
		// What is supposed to run already is judged by its first answer, and so is
		// a member of the wrong version.
		if !started || errors.Is(err, drivers.ErrUnfit) {
			return r, err
		}
		select {
		case <-ctx.Done():
			return r, s.notReady(within, err)
		case <-time.After(pollReady):
		}
	}
}

// deaths are those of the processes; nil where there are none.
func (s *session) deaths() <-chan cluster.Death {
	if s.up.cluster == nil {
		return nil
	}
	return s.up.cluster.Died()
}

// probe asks every member for its status.
func (s *session) probe(ctx context.Context) (readiness, error) {
	var versions []string
	var leaders []string
	unknown := ""
	ids := map[string]string{}
	for _, m := range s.up.members {
		st, ok, err := s.status(ctx, m)
		if err != nil {
			return readiness{}, &unready{m.Name, err}
		}
		if !ok {
			continue
		}
		if st.Unknown != "" {
			unknown = fmt.Sprintf("%s: %s", m.Name, st.Unknown)
			continue
		}
		switch {
		case st.Leader != "":
			leaders = append(leaders, st.Leader)
		case st.Equal:
		case !st.Follows:
			return readiness{}, &unready{m.Name, errors.New("it knows no leader")}
		}
		if !st.Equal {
			ids[st.ID] = m.Name
		}
		if !slices.Contains(versions, st.Version) {
			versions = append(versions, st.Version)
		}
	}
	if n := len(slices.Compact(slices.Clone(leaders))); n > 1 {
		return readiness{}, errors.New("the members do not agree on a leader")
	}
	if len(ids) > 0 && len(leaders) == 0 && unknown == "" && len(s.plan.Cluster.Nodes) > 0 {
		return readiness{}, errors.New("all members follow, but none leads")
	}
	r := readiness{version: strings.Join(versions, ", "), unknown: unknown}
	if len(leaders) > 0 {
		r.leader = ids[leaders[0]]
	}
	s.up.mu.Lock()
	s.up.leader = r.leader
	s.up.mu.Unlock()
	return r, nil
}

// status dials a member and asks for its status, if the store can be asked.
func (s *session) status(ctx context.Context, m cluster.Member) (st drivers.Status, ok bool, err error) {
	conn, err := s.driver.Dial(ctx, s.target(m))
	if err != nil {
		return st, false, err
	}
	defer conn.Close()
	asked, ok := conn.(drivers.Statuser)
	if !ok {
		return st, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	st, err = asked.Status(ctx)
	return st, true, err
}

// probeWrite has one write acknowledged, and takes it back.
func (s *session) probeWrite(ctx context.Context) error {
	var ops []drivers.OpSpec
	for _, kind := range []drivers.Kind{drivers.Put, drivers.Delete} {
		if info := s.spec.Op(kind); info != nil {
			consistency, _ := info.Resolve("") // the default, always there
			ops = append(ops, drivers.OpSpec{Kind: kind, Consistency: consistency})
		}
	}
	first := s.up.members[0]
	conn, err := s.driver.Dial(ctx, s.target(first))
	if err != nil {
		return &unready{first.Name, err}
	}
	defer conn.Close()
	client, err := conn.Client(ops)
	if err != nil {
		return err
	}
	for i := range ops {
		op := drivers.Op{Spec: i, Key: []byte(readyKey), Deadline: time.Now().Add(dialTimeout)}
		if ops[i].Kind == drivers.Put {
			op.Value = []byte("ready")
		}
		if err := client.Do(ctx, &op); err != nil {
			return &unready{first.Name, fmt.Errorf("a first %s: %w", ops[i].Kind, err)}
		}
	}
	return nil
}
