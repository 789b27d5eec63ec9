package procfs

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
)

// Why bytes of a process are not known.
var (
	errIOHidden    = errors.New("its io may not be read by this user")
	errIOUncounted = errors.New("this kernel does not count the io of processes")
)

// process is one process of a group, as it was last read.
type process struct {
	stat
	rss     int64
	threads map[int]counts
	ended   counts   // of threads that have ended, up to when they were last seen
	io      transfer // of the whole process, and of children it waited for
	ioErr   error
}

// counts is what the kernel tells of each thread alone.
type counts struct {
	voluntary, involuntary uint64
	io                     transfer // only where a process is read alone
}

func (c counts) plus(o counts) counts {
	return counts{c.voluntary + o.voluntary, c.involuntary + o.involuntary, c.io.plus(o.io)}
}

// total is of all threads that the process ever had.
func (p *process) total() counts {
	sum := p.ended
	for _, c := range p.threads {
		sum = sum.plus(c)
	}
	return sum
}

// read reads the process anew. Its error satisfies gone where the process ended
// or its number now belongs to another one; p then holds what was last known.
func (p *process) read(files *files, pid int, alone bool) error {
	b, err := files.read(pidFile(pid, "stat"))
	if err != nil {
		return err
	}
	s, err := parseStat(b)
	if err != nil {
		return err
	}
	if p.start != 0 && p.start != s.start {
		return fmt.Errorf("process %d is another one now: %w", pid, fs.ErrNotExist)
	}
	p.stat, p.ioErr = s, nil
	if err := p.readThreads(files, pid, alone); err != nil {
		return err
	}
	if alone {
		// PID/io also holds what children did that were waited for.
		p.io = p.total().io
		return nil
	}
	b, err = files.read(pidFile(pid, "io"))
	if gone(err) {
		// The file, or the process?
		if _, err := files.read(pidFile(pid, "stat")); err != nil {
			return err
		}
		p.ioErr = errIOUncounted
		return nil
	}
	return p.keepIO(&p.io, b, err)
}

// readThreads sums context switches by thread: PID/status has those of the main
// thread alone.
func (p *process) readThreads(files *files, pid int, alone bool) error {
	tids, err := files.numbers(pidFile(pid, "task"))
	if err != nil {
		return err
	}
	now := make(map[int]counts, len(tids))
	p.rss = 0
	for _, tid := range tids {
		s, c, err := p.readThread(files, pid, tid, alone)
		if gone(err) {
			continue
		}
		if err != nil {
			return err
		}
		p.rss = max(p.rss, s.rss)
		now[tid] = c
	}
	for tid, c := range p.threads {
		if n, ok := now[tid]; !ok || n.voluntary < c.voluntary || n.involuntary < c.involuntary {
			p.ended = p.ended.plus(c)
		}
	}
	p.threads = now
	return nil
}

func (p *process) readThread(files *files, pid, tid int, alone bool) (status, counts, error) {
	dir := pidFile(pid, "task/"+strconv.Itoa(tid))
	b, err := files.read(dir + "/status")
	if err != nil {
		return status{}, counts{}, err
	}
	s, err := parseStatus(b)
	if err != nil {
		return status{}, counts{}, err
	}
	c := counts{voluntary: s.voluntary, involuntary: s.involuntary}
	if alone {
		b, err := files.read(dir + "/io")
		if errors.Is(err, fs.ErrNotExist) {
			// The main thread is there as long as its process is.
			if tid == pid {
				p.ioErr = errIOUncounted
			}
			c.io = p.threads[tid].io
			return s, c, nil
		}
		if err := p.keepIO(&c.io, b, err); err != nil {
			return status{}, counts{}, err
		}
	}
	return s, c, nil
}

// keepIO parses b, the content of an io file, into t. That it may not be read
// is kept as ioErr, since all else may be.
func (p *process) keepIO(t *transfer, b []byte, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		p.ioErr = errIOHidden
		return nil
	}
	if err == nil {
		*t, err = parseIO(b)
	}
	return err
}

// pidFile is the name of a file of a process.
func pidFile(pid int, name string) string {
	return strconv.Itoa(pid) + "/" + name
}
