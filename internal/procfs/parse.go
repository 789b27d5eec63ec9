package procfs

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// tick is the unit of CPU times in /proc: USER_HZ is 100 on every Linux
// architecture that Go runs on.
const tick = 10 * time.Millisecond

var (
	errStat   = errors.New("not a process's stat")
	errStatus = errors.New("not a thread's status")
	errIO     = errors.New("not a process's io")
	errUptime = errors.New("not an uptime")
)

// stat is what a reading needs of PID/stat. CPU times are in ticks.
type stat struct {
	zombie bool
	parent int
	own    uint64 // user and system
	reaped uint64 // the same of children that ended and were waited for
	start  uint64 // since boot; with the pid it identifies a process
}

// parseStat reads PID/stat. The command name may hold spaces and parentheses.
func parseStat(b []byte) (stat, error) {
	end := bytes.LastIndexByte(b, ')')
	if end < 0 {
		return stat{}, errStat
	}
	var s stat
	var v [22]uint64 // by the numbers of proc(5), which count from 1
	n := 2           // fields before this one
	for field := range bytes.FieldsSeq(b[end+1:]) {
		if n++; n > 22 {
			break
		}
		switch n {
		case 3:
			s.zombie = field[0] == 'Z' || field[0] == 'X'
		case 4, 14, 15, 16, 17, 22:
			u, err := strconv.ParseUint(string(field), 10, 64)
			if err != nil {
				return stat{}, fmt.Errorf("%w: field %d: %w", errStat, n, err)
			}
			v[n-1] = u
		}
	}
	if n < 22 {
		return stat{}, fmt.Errorf("%w: %d fields", errStat, n)
	}
	s.parent, s.own, s.reaped, s.start = int(v[3]), v[13]+v[14], v[15]+v[16], v[21]
	return s, nil
}

// status is what a reading needs of PID/task/TID/status.
type status struct {
	rss         int64 // bytes of the whole process; 0 in a zombie
	voluntary   uint64
	involuntary uint64
}

func parseStatus(b []byte) (status, error) {
	var s status
	// A name's line feeds are escaped by the kernel: the first match is right.
	if kb, ok := labelled(b, "\nVmRSS:"); ok {
		s.rss = int64(kb) * 1024
	}
	var ok1, ok2 bool
	s.voluntary, ok1 = labelled(b, "\nvoluntary_ctxt_switches:")
	s.involuntary, ok2 = labelled(b, "\nnonvoluntary_ctxt_switches:")
	if !ok1 || !ok2 {
		return status{}, errStatus
	}
	return s, nil
}

// transfer is what went between a process and block devices, in bytes.
type transfer struct {
	read, written uint64
}

func (t transfer) plus(o transfer) transfer {
	return transfer{t.read + o.read, t.written + o.written}
}

func parseIO(b []byte) (transfer, error) {
	read, ok1 := labelled(b, "\nread_bytes:")
	written, ok2 := labelled(b, "\nwrite_bytes:")
	if !ok1 || !ok2 {
		return transfer{}, errIO
	}
	return transfer{read, written}, nil
}

// parseUptime reads the first number of uptime, which is seconds.
func parseUptime(b []byte) (time.Duration, error) {
	first, _, _ := bytes.Cut(b, []byte(" "))
	s, err := strconv.ParseFloat(string(first), 64)
	if err != nil || !(s >= 0 && s < 1e9) {
		return 0, fmt.Errorf("%w: %q", errUptime, first)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond), nil
}

// labelled finds the number after a label.
func labelled(b []byte, label string) (uint64, bool) {
	i := bytes.Index(b, []byte(label))
	if i < 0 {
		return 0, false
	}
	b = bytes.TrimLeft(b[i+len(label):], " \t")
	end := 0
	for end < len(b) && b[end] >= '0' && b[end] <= '9' {
		end++
	}
	u, err := strconv.ParseUint(string(b[:end]), 10, 64)
	return u, err == nil
}
