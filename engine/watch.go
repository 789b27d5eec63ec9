package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// watch looks for deaths and for changes of the leader, until the cluster is
// brought down.
func (s *session) watch(ctx context.Context) {
	u := s.up
	ctx, u.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if u.cluster != nil {
		u.watches.Go(func() { s.watchDeaths(ctx, u) })
	}
	if u.leads() != "" {
		u.watches.Go(func() { s.watchLeader(ctx, u) })
	}
}

// watchDeaths reports every process that ends by itself.
func (s *session) watchDeaths(ctx context.Context, u *up) {
	for {
		select {
		case <-ctx.Done():
			return
		case death := <-u.cluster.Died():
			if name, lost := host.LostName(death.Err); lost {
				s.lostHost(name, death)
				continue
			}
			death = u.outOfSpace(death)
			s.event("died", death.Member, death.Text())
			s.died(failed(result.StatusRun, "%s", death.Text()))
		}
	}
}

// lostHost reports that a machine is lost, and ends the phases unless the scenario
// says to go on. Its members are said to be lost, not dead: nobody knows.
func (s *session) lostHost(name string, death cluster.Death) {
	s.event("host-lost", death.Member, fmt.Sprintf("%s, with %s on it: %v", name, death.Member, death.Err))
	if s.c.plan.OnHostLost != plan.LostContinue {
		s.died(failed(result.StatusRun, "%s: %w", death.Who(), death.Err))
	}
}

// watchEvery is how often the leader is asked for: one small request a second.
const watchEvery = time.Second

// watchLeader asks the members in turn who leads, and reports changes.
func (s *session) watchLeader(ctx context.Context, u *up) {
	w := leaderWatch{s: s, u: u, conns: map[string]drivers.Conn{}, names: map[string]string{}}
	defer w.close()
	w.learn(ctx)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.ask(ctx, u.members[i%len(u.members)])
		}
	}
}

// leaderWatch keeps one connection to each member.
type leaderWatch struct {
	s     *session
	u     *up
	conns map[string]drivers.Conn // by member
	names map[string]string       // of members, by their own ids
	last  string                  // id of the leader
}

func (w *leaderWatch) close() {
	for _, c := range w.conns {
		_ = c.Close() // nothing is under way on it
	}
}

// learn finds out the members' ids.
func (w *leaderWatch) learn(ctx context.Context) {
	for _, m := range w.u.members {
		if st, ok := w.status(ctx, m); ok {
			w.names[st.ID] = m.Name
			if !st.Follows {
				w.last = st.Leader
			}
		}
	}
}

func (w *leaderWatch) ask(ctx context.Context, m cluster.Member) {
	st, ok := w.status(ctx, m)
	if !ok || st.Follows || st.Leader == w.last {
		return
	}
	w.last = st.Leader
	w.u.mu.Lock()
	before := w.u.leader
	w.u.leader = w.names[st.Leader]
	now := w.u.leader
	w.u.mu.Unlock()
	switch {
	case now == before: // it was lost for a moment
	case now == "":
		w.s.event("leader", before, fmt.Sprintf("%s says that there is no leader, before it was %s", m.Name, before))
	default:
		w.s.event("leader", now, fmt.Sprintf("the leader is %s, term %d", now, st.Term))
	}
}

// status asks a member; a member that does not answer is asked again later.
func (w *leaderWatch) status(ctx context.Context, m cluster.Member) (drivers.Status, bool) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	if w.conns[m.Name] == nil {
		conn, err := w.s.driver.Dial(ctx, w.s.target(m))
		if err != nil {
			return drivers.Status{}, false
		}
		w.conns[m.Name] = conn
	}
	asked, ok := w.conns[m.Name].(drivers.Statuser)
	if !ok {
		return drivers.Status{}, false
	}
	st, err := asked.Status(ctx)
	return st, err == nil && st.Unknown == ""
}
