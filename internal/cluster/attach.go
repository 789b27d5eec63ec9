package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/plan"
)

// watched is a member that somebody else has started.
type watched struct {
	member string
	at     place
	there  string // path of its log; empty: not known
	skip   int64  // bytes of it that are older than us
	log    string // what came since, on this machine; empty: not known
}

// attach makes members of the endpoints of a cluster that runs already; they
// are named m1, m2 and so on. Where the plan says how, their processes are found.
func attach(ctx context.Context, c *plan.Cluster, cfg Config) (*Cluster, error) {
	s := &Cluster{died: make(chan Death, len(c.Endpoints)), ended: make(chan struct{}), places: make(map[string]place)}
	for i, e := range c.Endpoints {
		m := Member{Name: fmt.Sprintf("m%d", i+1), Endpoint: e}
		if c.Watch != nil {
			if err := s.find(ctx, c.Watch, i, &m, cfg); err != nil {
				return nil, &Error{Pos: c.Pos, Member: m.Name + " at " + e, Err: err}
			}
		}
		s.members = append(s.members, m)
	}
	s.watchMachines()
	return s, nil
}

// find finds what is behind endpoint i.
func (c *Cluster) find(ctx context.Context, w *plan.Watch, i int, m *Member, cfg Config) error {
	name, port, err := net.SplitHostPort(m.Endpoint)
	if err != nil {
		return err
	}
	sought := host.Sought{Process: w.Process, PIDFile: w.PIDFile(i), Port: port}
	at := place{machine: host.Local{Self: cfg.Self}}
	var found host.Running
	if h := w.Host(i); h == nil {
		if err := isHere(name, port); err != nil {
			return err
		}
		found, err = host.Local{}.FindRunning(ctx, sought)
	} else if at.remote, err = cfg.connect(ctx, h); err == nil {
		at.machine = at.remote
		found, err = at.remote.FindRunning(ctx, sought)
	}
	if err != nil {
		return err
	}
	m.Remote, m.Data = at.remote, w.DataFolder(i)
	m.PIDs, m.Argv = []int{found.PID}, [][]string{found.Argv}
	c.places[m.Name] = at
	k := &watched{member: m.Name, at: at, there: w.Log(i)}
	c.watched = append(c.watched, k)
	if k.there == "" {
		return nil
	}
	if k.skip, err = at.machine.SizeOf(k.there); err != nil {
		return fmt.Errorf("its log: %w", err)
	}
	if err := (host.Local{}).MkdirAll(cfg.LogDir); err != nil {
		return fmt.Errorf("make the log folder: %w", err)
	}
	k.log = cfg.logPath(m.Name, "found")
	m.Log, m.Logs = k.log, []string{k.log}
	return nil
}

// copyLog brings the copy on this machine up to date.
func (w *watched) copyLog() error {
	if w.log == "" {
		return nil
	}
	return w.at.machine.CopyTail(w.there, w.log, w.skip)
}

// watchMachines reports, once for each member, a machine that is lost: nobody
// can tell whether the member is.
func (c *Cluster) watchMachines() {
	for _, w := range c.watched {
		r := w.at.remote
		if r == nil {
			continue
		}
		c.watchers.Go(func() {
			select {
			case <-c.ended:
			case <-r.Lost():
				c.died <- Death{Member: w.member, Err: r.LostError()}
			}
		})
	}
}

// lookupWithin bounds the look-up of a name.
const lookupWithin = 5 * time.Second

// isHere is an error unless an address is of this machine: a process of the same
// name here would be another one.
func isHere(name, port string) error {
	// It chooses a route; no packet goes out.
	conn, err := net.DialTimeout("udp", net.JoinHostPort(name, port), lookupWithin)
	if err != nil {
		return err
	}
	defer conn.Close()
	from, _, err1 := net.SplitHostPort(conn.LocalAddr().String())
	to, _, err2 := net.SplitHostPort(conn.RemoteAddr().String())
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	from, _, _ = strings.Cut(from, "%")
	to, _, _ = strings.Cut(to, "%")
	if ip := net.ParseIP(to); ip != nil && (ip.IsLoopback() || from == to) {
		return nil
	}
	return fmt.Errorf("%s is not of this machine: say by hosts on which one to look for the process", name)
}
