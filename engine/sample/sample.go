// Package sample watches the machines of a run while the load is on: each
// second, and at the edges of a step's window, it reads what the members'
// processes, kvscen itself and the host have used. Sums come from the two edges
// of a window, maxima from the seconds within. What can't be known is n/a with
// the reason; a missing sample is a gap and is never filled in.
package sample

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kvscen/kvscen/internal/procfs"
)

// Local is the name of this machine among hosts.
const Local = "local"

// Config says what to watch.
type Config struct {
	Interval time.Duration // between samples; 0: one second
	Members  []Member
	// InProcess: the members live in kvscen, so that the server rows are the
	// client's.
	InProcess bool
	// SharedLoopback: members and client reach each other over the loopback
	// interface, whose bytes can't be told apart.
	SharedLoopback bool
	Interface      string        // that leads to the members; empty: not known
	Source         procfs.Source // nil: this machine's /proc
	Hosts          []Host        // other machines that can be read
	OnUse          func([]Use)   // after each sample, kvscen itself first; must not block; nil: nobody wants to know
}

// Member is one member of the cluster.
type Member struct {
	Name string
	Host string // Local, also when empty; or another, whose figures are n/a if it is none of Config.Hosts
	// PIDs gives the roots of its process trees now. It must not block. Nil:
	// not known, as of a cluster that someone else started.
	PIDs    func() []int
	DataDir string // empty: not known
}

// Sampler samples from Start to Stop. Its methods may be called from several
// goroutines at once, also after Stop.
type Sampler struct {
	cfg     Config
	members []Member       // those with figures of their own
	noProc  error          // why there is no reader
	reader  *procfs.Reader // its first group is the client
	groups  []int          // group of each member; 0: none, see unread
	unread  []error        // why a member has no group
	device  string         // names of the data devices
	noDisk  error          // why they are not counted
	others  []*other       // other machines
	base    time.Time      // instant of slot 0

	mu   sync.Mutex // of reader and what follows
	last snapshot   // of the last tick that could be read
	log  history

	stop chan struct{}
	once sync.Once
	done chan struct{}
}

// Start begins to sample, until Stop is called or ctx ends. That something
// can't be read is no error: its figures will be n/a.
func Start(ctx context.Context, cfg Config) (*Sampler, error) {
	if cfg.Interval == 0 {
		cfg.Interval = time.Second
	}
	if cfg.Interval < 0 {
		return nil, fmt.Errorf("sampling every %v: the interval must be positive", cfg.Interval)
	}
	s := &Sampler{cfg: cfg, stop: make(chan struct{}), done: make(chan struct{})}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("starting the sampler: %w", err)
	}
	s.base = time.Now()
	s.last = s.read()
	s.log = newHistory(cfg.Interval, s.sources())
	go s.loop(ctx)
	return s, nil
}

// Stop ends sampling and waits until it has ended.
func (s *Sampler) Stop() {
	s.once.Do(func() { close(s.stop) })
	<-s.done
}

// open finds out what can be read.
func (s *Sampler) open() error {
	s.members = s.cfg.Members
	if s.cfg.InProcess {
		s.members = together(s.cfg.Members)
	}
	s.groups = make([]int, len(s.members))
	s.unread = make([]error, len(s.members))
	s.openOthers()
	src := s.cfg.Source
	if src == nil {
		var err error
		if src, err = procfs.Local(); err != nil {
			s.noProc, s.noDisk = err, err
			return nil
		}
	}
	self := os.Getpid()
	groups := []procfs.Group{{Roots: func() []int { return []int{self} }, Alone: true}}
	for i, m := range s.members {
		switch {
		case m.host() != Local:
			s.unread[i] = errHost
		case s.cfg.InProcess: // counted as the client
		case m.PIDs == nil:
			s.unread[i] = errors.New("its processes are not known")
		default:
			s.groups[i] = len(groups)
			groups = append(groups, procfs.Group{Roots: m.PIDs})
		}
	}
	var disks []string
	disks, s.noDisk = dataDevices(src, s.cfg.Members)
	s.device = strings.Join(disks, ", ")
	if s.noDisk != nil {
		disks = nil
	}
	iface := s.cfg.Interface
	if s.cfg.SharedLoopback {
		iface = ""
	}
	var err error
	s.reader, err = procfs.NewReader(src, procfs.Config{Groups: groups, Disks: disks, Interface: iface})
	return err
}

var errHost = errors.New("figures of other hosts are not read")

func (m Member) host() string {
	if m.Host == "" {
		return Local
	}
	return m.Host
}

// together makes one of members that live in the same process, whose figures
// would else be counted once for each.
func together(members []Member) []Member {
	if len(members) == 0 {
		return nil
	}
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
	}
	return []Member{{Name: strings.Join(names, ", ")}}
}

// dataDevices names the devices under the data folders on this machine, each
// once. One that can't be found makes the whole unknown: a sum without it would
// be wrong.
func dataDevices(src procfs.Source, members []Member) (names []string, err error) {
	for _, m := range members {
		if m.host() != Local || m.DataDir == "" {
			continue
		}
		dev, findErr := procfs.FindDevice(src, m.DataDir)
		if findErr != nil {
			err = findErr
			continue
		}
		if !slices.Contains(names, dev.Name) {
			names = append(names, dev.Name)
		}
	}
	if len(names) == 0 && err == nil {
		err = errors.New("no data folder is known")
	}
	return names, err
}

// loop samples at base + n*interval. A tick that comes too late for its slot
// leaves a gap there and counts for the slot that it is in.
func (s *Sampler) loop(ctx context.Context) {
	defer close(s.done)
	timer := time.NewTimer(s.cfg.Interval)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.stop:
			return
		case <-timer.C:
		}
		s.tick()
		slot := time.Since(s.base)/s.cfg.Interval + 1
		timer.Reset(time.Until(s.base.Add(slot * s.cfg.Interval)))
	}
}

// tick takes one sample and tells of it.
func (s *Sampler) tick() {
	if row := s.sample(); row != nil && s.cfg.OnUse != nil {
		s.cfg.OnUse(s.uses(row))
	}
}

// sample takes one sample; nil: nothing could be read, and the slot stays empty.
func (s *Sampler) sample() []float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.read()
	if now.err != nil {
		return nil
	}
	row := s.row(s.last, now)
	s.log.add(now.at.Sub(s.base), s.last.at.Sub(s.base), row)
	s.last = now
	return row
}
