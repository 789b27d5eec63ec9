package sample

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/kvscen/kvscen/internal/procfs"
	"github.com/kvscen/kvscen/internal/result"
)

// shortest is the shortest window of which a CPU percentage is given: ten times
// the grain of CPU times.
const shortest = 100 * time.Millisecond

// Between is what was used from edge a to edge b: sums by the two edges alone,
// maxima by the samples between them and the edges. Who leads and how much disk
// the data takes is left to the caller.
func (s *Sampler) Between(a, b Edge) result.Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := window{log: &s.log, a: a.now, b: b.now, from: s.offset(a), to: s.offset(b)}
	u := result.Usage{Client: w.process(0, a.now.client, b.now.client)}
	u.Client.Name, u.Client.Host = "client", Local
	for i, m := range s.members {
		p := w.process(i+1, a.now.members[i], b.now.members[i])
		p.Name, p.Host = m.Name, m.host()
		u.Members = append(u.Members, p)
	}
	u.Hosts = s.hosts(a.now.host, b.now.host)
	return u
}

// window is the time between two snapshots.
type window struct {
	log      *history
	a, b     snapshot
	from, to time.Duration
}

// process sums up a process tree, the source-th of the columns.
func (w window) process(source int, a, b process) result.ProcessUsage {
	err, ioErr := either(a.err, b.err), either(a.ioErr, b.ioErr)
	return result.ProcessUsage{
		MaxCPU:      w.maxCPU(source, a, b, err),
		MaxRSS:      known(w.largest(source, figureRSS, a.rss, b.rss), err),
		CPUSeconds:  grown(a.cpu, b.cpu, err),
		Threads:     known(w.largest(source, figureThreads, a.threads, b.threads), err),
		Voluntary:   grown(a.voluntary, b.voluntary, err),
		Involuntary: grown(a.involuntary, b.involuntary, err),
		ReadBytes:   grown(a.read, b.read, ioErr),
		WriteBytes:  grown(a.written, b.written, ioErr),
		DiskUsage:   result.NA("not read yet"),
	}
}

// maxCPU is the largest one-second value. The mean over the window stands in
// where the window holds no full second, and else can't be above it by more
// than what the edges cut off.
func (w window) maxCPU(source int, a, b process, err error) result.Number {
	largest := w.log.largest(source, figureCPU, w.from, w.to, true)
	passed := w.b.uptime - w.a.uptime
	if passed >= shortest {
		largest = larger(largest, 100*procfs.Rate(a.cpu, b.cpu, passed))
	} else if err == nil && math.IsNaN(largest) {
		err = fmt.Errorf("a window of %v is too short", passed.Round(time.Millisecond))
	}
	return known(largest, err)
}

// largest is the largest of the edges and of what was sampled between them.
func (w window) largest(source, figure int, a, b float64) float64 {
	return larger(larger(a, b), w.log.largest(source, figure, w.from, w.to, false))
}

// either is the error of one of the edges, the later one's first.
func either(a, b error) error {
	if b != nil {
		return b
	}
	return a
}

// known is v, or n/a with the reason where v is not known.
func known(v float64, err error) result.Number {
	switch {
	case !math.IsNaN(v):
		return result.Known(v)
	case err != nil:
		return result.NA(err.Error())
	}
	return result.NA("not sampled")
}

// grown is what a counter grew by.
func grown(a, b float64, err error) result.Number {
	if err == nil && b < a {
		err = errors.New("the counter went back")
	}
	return known(procfs.Growth(a, b), err)
}

// hosts sums up this machine, and names those that are not read.
func (s *Sampler) hosts(a, b host) []result.HostUsage {
	netErr, diskErr := either(a.netErr, b.netErr), either(a.diskErr, b.diskErr)
	local := result.HostUsage{
		Name: Local, Client: true, Servers: s.cfg.InProcess || s.cfg.SharedLoopback,
		Interface: s.cfg.Interface, Device: s.device,
		RX:              grown(a.rx, b.rx, netErr),
		TX:              grown(a.tx, b.tx, netErr),
		ReadsCompleted:  grown(a.reads, b.reads, diskErr),
		SectorsRead:     grown(a.sectorsRead, b.sectorsRead, diskErr),
		WritesCompleted: grown(a.writes, b.writes, diskErr),
		SectorsWritten:  grown(a.sectorsWritten, b.sectorsWritten, diskErr),
		BusySeconds:     grown(a.busy, b.busy, diskErr),
	}
	var others []result.HostUsage
	named := map[string]bool{Local: true}
	for _, m := range s.members {
		local.Servers = local.Servers || m.host() == Local
		if named[m.host()] {
			continue
		}
		named[m.host()] = true
		na := result.NA(errHost.Error())
		others = append(others, result.HostUsage{
			Name: m.host(), Servers: true, RX: na, TX: na,
			ReadsCompleted: na, SectorsRead: na, WritesCompleted: na, SectorsWritten: na, BusySeconds: na,
		})
	}
	return append([]result.HostUsage{local}, others...)
}
