// Package cluster is the life of a cluster on real machines: what a plan left
// open (folders, ports, paths) is filled in, the processes are started in order
// and seen to be ready, watched while they run, and stopped.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/plan"
)

// Config says where a cluster is set up.
type Config struct {
	Self   string // path of our own binary: the guard, and the embedded members
	Dir    string // holds a data folder for each member on this machine; made if missing
	LogDir string // gets NODE.PROCESS.log and the files written for it, also of members elsewhere; made if missing
	Name   string // of the cluster's folder on other machines
	Hosts  Hosts  // nil: members on this machine alone
}

// Member is one member as it runs.
type Member struct {
	Name     string
	Endpoint string       // where clients connect; empty where the store is in our own process
	Remote   *host.Remote // the machine that it runs on; nil: this one
	Dir      string       // data folder there, absolute, ours to remove; empty if we did not start the member
	Data     string       // data folder there; not Dir where others have started the member; empty: not known
	Log      string       // of its first process, on this machine; empty if there is none
	Logs     []string     // of each process
	PIDs     []int        // of each process: the store's own, roots of process trees; empty: not known
	Argv     [][]string   // of each process, as it was started
}

// Death is the end of a process that nobody had asked to end, or the loss of the
// machine that it ran on.
type Death struct {
	Member, Process string   // Process is empty where it was started by somebody else
	Err             error    // how it ended; nil: with exit status 0
	LastLines       []string // of its log
}

// Who is the member, and the process where it is ours.
func (d Death) Who() string {
	if d.Process == "" {
		return d.Member
	}
	return d.Member + "." + d.Process
}

// String is one line that says who died of what, without the log.
func (d Death) String() string {
	how := "exited with status 0"
	if d.Err != nil {
		how = d.Err.Error()
	}
	return d.Who() + ": " + how
}

// Text is String with the end of the log below it.
func (d Death) Text() string { return withLog(d.String(), d.LastLines) }

// Cluster is a cluster that is ready for requests.
type Cluster struct {
	places  map[string]place // by member
	members []Member
	units   []*unit    // every process, in the order of the plan
	watched []*watched // members that run already, and whose processes were found
	died    chan Death
	ended   chan struct{} // Stop was called

	mu       sync.Mutex
	stopping bool
	watchers sync.WaitGroup
	stop     sync.Once
	stopErr  error
}

// Start sets a cluster up and returns it when every process is ready. Nodes
// start in parallel, processes after those that they name. A member's folder,
// Dir/NODE, is removed and made anew. The error is an *Error wherever a process
// or node is to blame; nothing is left running then. Of a plan with endpoints
// nothing is started, and nothing will be stopped or removed.
func Start(ctx context.Context, c *plan.Cluster, cfg Config) (*Cluster, error) {
	if len(c.Endpoints) > 0 {
		return attach(ctx, c, cfg)
	}
	s, err := prepare(ctx, c, cfg)
	if err != nil {
		return nil, err
	}
	if err := s.start(ctx, c.ReadyWithin); err != nil {
		return nil, err
	}
	return s, nil
}

// Members lists the members in the order of the plan.
func (c *Cluster) Members() []Member { return slices.Clone(c.members) }

// Died delivers, once, each process that ends before Stop is called. It is
// never closed.
func (c *Cluster) Died() <-chan Death { return c.died }

// LogEnd is the end of the logs of a member: the last lines of its first process
// that has written any. It is empty where none is known.
func (c *Cluster) LogEnd(member string) []string {
	for _, l := range c.logs() {
		if l.member != member {
			continue
		}
		// One that can't be read is told of where the log itself matters.
		if lines := l.lastLines(); len(lines) > 0 {
			return lines
		}
	}
	return nil
}

// DiskUsage is the number of bytes allocated to a member's data folder.
func (c *Cluster) DiskUsage(member string) (int64, error) {
	for _, m := range c.members {
		if m.Name == member && m.Data != "" {
			return c.places[member].machine.DiskUsage(m.Data)
		}
	}
	return 0, fmt.Errorf("no data folder of a member %s is known", member)
}

// RemoveData removes the data folders of the members. The cluster must have
// been stopped.
func (c *Cluster) RemoveData() error {
	var errs []error
	for _, m := range c.members {
		if m.Dir == "" {
			continue
		}
		at := c.places[m.Name]
		err := at.machine.RemoveAll(m.Dir)
		if err == nil && at.remote != nil {
			err = at.machine.RemoveAll(at.logs) // what counts is here
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("remove the data of %s: %w", m.Name, err))
		}
	}
	return errors.Join(errs...)
}

// releasePorts gives the ports back.
func (c *Cluster) releasePorts() {
	for _, at := range c.places {
		if at.ports != nil {
			at.ports.release()
		}
	}
}

// logPath is where a process of a node writes.
func (cfg Config) logPath(node, process string) string {
	return filepath.Join(cfg.LogDir, node+"."+process+".log")
}
