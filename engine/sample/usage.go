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
	w := window{log: &s.log, from: s.offset(a), to: s.offset(b)}
	u := result.Usage{Client: w.process(0, a.now.client, b.now.client, b.now.uptime-a.now.uptime)}
	u.Client.Name, u.Client.Host = "client", Local
	for i, m := range s.members {
		p := w.process(i+1, a.now.members[i], b.now.members[i], s.passed(a.now, b.now, i))
		p.Name, p.Host = m.Name, m.host()
		u.Members = append(u.Members, p)
	}
	u.Hosts = s.hosts(a.now, b.now)
	return u
}

// window is the time between two snapshots.
type window struct {
	log      *history
	from, to time.Duration
}

// process sums up a process tree, the source-th of the columns; passed is the
// window by the clock of its machine.
func (w window) process(source int, a, b process, passed time.Duration) result.ProcessUsage {
	err, ioErr := either(a.err, b.err), either(a.ioErr, b.ioErr)
	return result.ProcessUsage{
		MaxCPU:      w.maxCPU(source, a, b, passed, err),
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
func (w window) maxCPU(source int, a, b process, passed time.Duration, err error) result.Number {
	largest := w.log.largest(source, figureCPU, w.from, w.to, true)
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

// hosts sums up this machine, then the others.
func (s *Sampler) hosts(a, b snapshot) []result.HostUsage {
	local := usageOf(a.host, b.host)
	local.Name, local.Client, local.Servers = Local, true, s.cfg.InProcess
	local.Interface, local.Device = s.cfg.Interface, s.device
	for _, m := range s.members {
		local.Servers = local.Servers || m.host() == Local
	}
	return append([]result.HostUsage{local}, s.otherHosts(a, b)...)
}
