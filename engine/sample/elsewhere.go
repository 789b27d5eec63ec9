package sample

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kvscen/kvscen/internal/procfs"
	"github.com/kvscen/kvscen/internal/result"
)

// Host is another machine whose figures can be read. Its Source must answer or
// fail within the interval: a sample waits for all hosts.
type Host struct {
	Name      string
	Source    procfs.Source
	Interface string   // that leads to its members; empty: not known
	Devices   []string // under the members' data folders
	NoDisk    error    // why they are not known
}

// other is another machine as it is sampled.
type other struct {
	Host
	reader  *procfs.Reader
	failed  error // why there is none
	members []int // indexes into Sampler.members, in the order of the reader's groups
}

// elsewhere is another machine at one instant.
type elsewhere struct {
	uptime time.Duration // by its own clock
	host   host
}

// openOthers makes a reader for each host that has members.
func (s *Sampler) openOthers() {
	for _, h := range s.cfg.Hosts {
		o := &other{Host: h}
		var groups []procfs.Group
		for i, m := range s.members {
			if m.host() == h.Name && m.PIDs != nil {
				o.members = append(o.members, i)
				groups = append(groups, procfs.Group{Roots: m.PIDs})
			}
		}
		o.reader, o.failed = procfs.NewReader(h.Source, procfs.Config{Groups: groups, Disks: h.Devices, Interface: h.Interface})
		s.others = append(s.others, o)
	}
}

// readOthers reads every other machine at the same time; wait puts what they say
// into now.
func (s *Sampler) readOthers(now *snapshot) (wait func()) {
	now.others = make([]elsewhere, len(s.others))
	var all sync.WaitGroup
	members := make([]map[int]process, len(s.others))
	for k, o := range s.others {
		all.Go(func() { now.others[k], members[k] = o.read() })
	}
	return func() {
		all.Wait()
		for _, found := range members {
			for i, p := range found {
				now.members[i] = p
			}
		}
	}
}

// read reads the machine and those of its members that are sampled.
func (o *other) read() (elsewhere, map[int]process) {
	members := make(map[int]process, len(o.members))
	reading, err := procfs.Reading{}, o.failed
	if err == nil {
		reading, err = o.reader.Read()
	}
	if err != nil {
		for _, i := range o.members {
			members[i] = unknownProcess(err)
		}
		return elsewhere{host: unknownHost(err)}, members
	}
	for g, i := range o.members {
		members[i] = processOf(reading.Groups[g])
	}
	h := hostOf(reading)
	if o.Interface == "" {
		h.netErr = errNoInterface
	}
	if o.NoDisk != nil {
		h.diskErr = o.NoDisk
	}
	return elsewhere{uptime: reading.Uptime, host: h.settled()}, members
}

var errNoInterface = errors.New("the interface is not known")

// placeOf is the index of the machine that a member runs on among the others; -1:
// this machine, or one that is not read.
func (s *Sampler) placeOf(member int) int {
	return slices.IndexFunc(s.others, func(o *other) bool { return slices.Contains(o.members, member) })
}

// passed is the time between two snapshots by the clock of a member's machine.
func (s *Sampler) passed(a, b snapshot, member int) time.Duration {
	if k := s.placeOf(member); k >= 0 {
		return b.others[k].uptime - a.others[k].uptime
	}
	return b.uptime - a.uptime
}

// otherHosts sums up the other machines, those that are read and those that are
// not.
func (s *Sampler) otherHosts(a, b snapshot) []result.HostUsage {
	var list []result.HostUsage
	named := map[string]bool{Local: true}
	for k, o := range s.others {
		named[o.Name] = true
		u := usageOf(a.others[k].host, b.others[k].host)
		u.Name, u.Servers, u.Interface, u.Device = o.Name, true, o.Interface, strings.Join(o.Devices, ", ")
		list = append(list, u)
	}
	for _, m := range s.members {
		if !named[m.host()] {
			named[m.host()] = true
			u := usageOf(unknownHost(errHost), unknownHost(errHost))
			u.Name, u.Servers = m.host(), true
			list = append(list, u)
		}
	}
	return list
}

// usageOf is what a machine used between two instants.
func usageOf(a, b host) result.HostUsage {
	netErr, diskErr := either(a.netErr, b.netErr), either(a.diskErr, b.diskErr)
	return result.HostUsage{
		RX:              grown(a.rx, b.rx, netErr),
		TX:              grown(a.tx, b.tx, netErr),
		ReadsCompleted:  grown(a.reads, b.reads, diskErr),
		SectorsRead:     grown(a.sectorsRead, b.sectorsRead, diskErr),
		WritesCompleted: grown(a.writes, b.writes, diskErr),
		SectorsWritten:  grown(a.sectorsWritten, b.sectorsWritten, diskErr),
		BusySeconds:     grown(a.busy, b.busy, diskErr),
	}
}
