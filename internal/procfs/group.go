package procfs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

var errNotRunning = errors.New("not running")

// Group is one or more process trees that are counted as one.
type Group struct {
	// Roots gives the processes at the top. It is asked at each reading and
	// must not block.
	Roots func() []int
	// Alone leaves out the descendants, running or ended.
	Alone bool
}

// Processes are the counters of a group. They never go back: what a process, a
// thread or a child had counted when it was last seen is kept when it ends.
type Processes struct {
	CPU         time.Duration // user and system, grain 10 ms
	RSS         int64         // bytes resident now, summed over the processes
	Threads     int           // now
	Voluntary   uint64        // context switches, of all threads
	Involuntary uint64
	ReadBytes   uint64 // from block devices
	WriteBytes  uint64 // to block devices
	IOErr       error  // why ReadBytes and WriteBytes are not known
	Err         error  // why nothing is known
}

// group is a Group with what was learnt of it.
type group struct {
	Group
	roots []int
	procs map[int]*process
	ended counts // switches of ended processes
	// CPU ticks of ended processes for which nobody in the group waited. Those
	// of the last reading are late: they may turn up with the parent, which is
	// read first, one reading after.
	orphaned, late uint64
	io             transfer // as last reported
	ioLost         transfer // what it would have gone back by
}

// find brings the members up to date. fresh are processes new to the family.
func (g *group) find(f *family, fresh []int) {
	if g.procs == nil {
		g.procs = make(map[int]*process)
	}
	roots := g.Roots()
	if !slices.Equal(roots, g.roots) {
		// A root is taken up once: when it has ended, its number may be
		// given to a stranger.
		for _, pid := range roots {
			if g.procs[pid] == nil && !slices.Contains(g.roots, pid) {
				g.procs[pid] = &process{}
			}
		}
		g.roots = slices.Clone(roots)
		fresh = f.all()
	}
	if !g.Alone {
		f.adopt(g.procs, fresh)
	}
}

// patterns names the files that read will want.
func (g *group) patterns() []string {
	var names []string
	for pid := range g.procs {
		dir := strconv.Itoa(pid)
		names = append(names, dir+"/stat", dir+"/io", dir+"/task/*/status")
		if g.Alone {
			names = append(names, dir+"/task/*/io")
		}
	}
	return names
}

// read reads every member, parents first, and sums.
func (g *group) read(files *files) Processes {
	var ended, reaped uint64 // ticks
	for _, pid := range slices.Sorted(maps.Keys(g.procs)) {
		p := g.procs[pid]
		before := p.stat
		err := p.read(files, pid, g.Alone)
		if err != nil && !gone(err) {
			return Processes{Err: fmt.Errorf("process %d: %w", pid, err)}
		}
		if before.start != 0 {
			reaped += p.reaped - min(before.reaped, p.reaped)
		}
		if err != nil {
			ended += p.own + p.reaped
			g.ended = g.ended.plus(p.total())
			delete(g.procs, pid)
		}
	}
	if !g.Alone {
		g.settle(ended, reaped)
	}
	return g.sum()
}

// settle accounts for processes that ended. Their ticks are in what their
// parents have reaped since, unless one was an orphan or nobody waited for it.
func (g *group) settle(ended, reaped uint64) {
	if reaped > ended {
		g.late -= min(g.late, reaped-ended)
	}
	g.orphaned += g.late
	g.late = ended - min(ended, reaped)
}

func (g *group) sum() Processes {
	var s Processes
	ticks, switches, running := g.orphaned+g.late, g.ended, 0
	var io transfer
	for _, p := range g.procs {
		ticks += p.own
		if !g.Alone {
			ticks += p.reaped
		}
		switches = switches.plus(p.total())
		io = io.plus(p.io)
		if p.ioErr != nil {
			s.IOErr = p.ioErr
		}
		s.RSS += p.rss
		if !p.zombie {
			running++
			s.Threads += len(p.threads)
		}
	}
	if running == 0 {
		return Processes{Err: errNotRunning}
	}
	s.CPU = time.Duration(ticks) * tick
	s.Voluntary, s.Involuntary = switches.voluntary, switches.involuntary
	io = g.onward(io)
	s.ReadBytes, s.WriteBytes = io.read, io.written
	return s
}

// onward keeps io from going back when a process ends for which nobody waited.
func (g *group) onward(io transfer) transfer {
	io = io.plus(g.ioLost)
	if io.read < g.io.read {
		g.ioLost.read += g.io.read - io.read
		io.read = g.io.read
	}
	if io.written < g.io.written {
		g.ioLost.written += g.io.written - io.written
		io.written = g.io.written
	}
	g.io = io
	return io
}
