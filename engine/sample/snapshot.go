package sample

import (
	"errors"
	"math"
	"time"

	"github.com/kvscen/kvscen/internal/procfs"
)

// snapshot is everything at one instant. Counters only grow; NaN is unknown.
type snapshot struct {
	at      time.Time
	uptime  time.Duration // by the host's clock
	client  process
	members []process // in the order of Sampler.members
	host    host
	others  []elsewhere // in the order of Sampler.others
	err     error       // nothing of this is known
}

// process is one process tree, in the units of the result.
type process struct {
	cpu                    float64 // seconds
	rss                    float64 // bytes
	threads                float64
	openFiles              float64 // of the client alone
	voluntary, involuntary float64
	read, written          float64 // bytes
	err                    error   // why nothing is known
	ioErr                  error   // why read and written are not
}

// host is one machine.
type host struct {
	reads, sectorsRead, writes, sectorsWritten float64
	busy                                       float64 // seconds
	diskErr                                    error
	rx, tx                                     float64 // bytes
	netErr                                     error
	procfs.Machine
}

// read takes a snapshot. The caller holds mu, or is Start.
func (s *Sampler) read() snapshot {
	now := snapshot{at: time.Now(), members: make([]process, len(s.members))}
	wait := s.readOthers(&now)
	s.readLocal(&now)
	wait()
	return now
}

// readLocal reads this machine.
func (s *Sampler) readLocal(now *snapshot) {
	if s.reader == nil {
		now.fill(s.noProc)
		now.uptime = now.at.Sub(s.base)
		now.client = ownProcess(now.client)
	} else {
		reading, err := s.reader.Read()
		if err != nil {
			now.err = err
			now.fill(err)
			return
		}
		now.uptime = reading.Uptime
		now.client = ownProcess(processOf(reading.Groups[0]))
		now.host = s.localHost(reading)
		for i, g := range s.groups {
			if g > 0 {
				now.members[i] = processOf(reading.Groups[g])
			} else {
				now.members[i] = unknownProcess(s.unread[i])
			}
		}
	}
	if s.cfg.InProcess {
		for i := range now.members {
			now.members[i] = now.client
		}
	}
}

// fill makes every figure unknown.
func (s *snapshot) fill(reason error) {
	s.client, s.host = unknownProcess(reason), unknownHost(reason)
	for i := range s.members {
		s.members[i] = unknownProcess(reason)
	}
}

func processOf(p procfs.Processes) process {
	if p.Err != nil {
		return unknownProcess(p.Err)
	}
	known := process{
		cpu:         p.CPU.Seconds(),
		rss:         float64(p.RSS),
		threads:     float64(p.Threads),
		openFiles:   math.NaN(),
		voluntary:   float64(p.Voluntary),
		involuntary: float64(p.Involuntary),
		read:        float64(p.ReadBytes),
		written:     float64(p.WriteBytes),
		ioErr:       p.IOErr,
	}
	if p.IOErr != nil {
		known.read, known.written = math.NaN(), math.NaN()
	}
	return known
}

func unknownProcess(err error) process {
	nan := math.NaN()
	return process{
		cpu: nan, rss: nan, threads: nan, openFiles: nan,
		voluntary: nan, involuntary: nan, read: nan, written: nan,
		err: err, ioErr: err,
	}
}

// ownProcess adds what a process knows of itself to what /proc says of it:
// getrusage has CPU time to the microsecond, and on every system.
func ownProcess(p process) process {
	p.cpu = ownCPU().Seconds()
	p.openFiles = openFiles()
	return p
}

// hostOf is what a reading says of the machine.
func hostOf(r procfs.Reading) host {
	return host{
		reads:          float64(r.Disk.Reads),
		sectorsRead:    float64(r.Disk.SectorsRead),
		writes:         float64(r.Disk.Writes),
		sectorsWritten: float64(r.Disk.SectorsWritten),
		busy:           r.Disk.Busy.Seconds(),
		rx:             float64(r.Net.RX),
		tx:             float64(r.Net.TX),
		diskErr:        r.Disk.Err,
		netErr:         r.Net.Err,
		Machine:        r.Machine,
	}
}

// localHost is hostOf, with what is known of this machine beforehand.
func (s *Sampler) localHost(r procfs.Reading) host {
	h := hostOf(r)
	switch {
	case s.cfg.SharedLoopback:
		h.netErr = errors.New("shared loopback")
	case s.cfg.Interface == "":
		h.netErr = errNoInterface
	}
	if s.noDisk != nil {
		h.diskErr = s.noDisk
	}
	return h.settled()
}

// settled makes figures unknown that an error says so of.
func (h host) settled() host {
	unknown := unknownHost(nil)
	if h.netErr != nil {
		h.rx, h.tx = unknown.rx, unknown.tx
	}
	if h.diskErr != nil {
		h.reads, h.sectorsRead, h.busy = unknown.reads, unknown.sectorsRead, unknown.busy
		h.writes, h.sectorsWritten = unknown.writes, unknown.sectorsWritten
	}
	return h
}

func unknownHost(err error) host {
	nan := math.NaN()
	return host{
		reads: nan, sectorsRead: nan, writes: nan, sectorsWritten: nan, busy: nan,
		rx: nan, tx: nan,
		diskErr: err, netErr: err,
		Machine: procfs.Machine{Load1: nan, Available: nan, CPUStall: nan, IOStall: nan, MemoryStall: nan},
	}
}
