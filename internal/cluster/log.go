package cluster

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/kvscen/kvscen/internal/host"
)

// LogMark is how long the log of each process is, by path. Two of them bound
// what was logged between.
type LogMark map[string]int64

// log is the log of one process.
type log struct {
	member, name string
	path         string // on this machine
	copy         func() error
}

// logs lists those that are known.
func (c *Cluster) logs() []log {
	var list []log
	for _, u := range c.units {
		list = append(list, log{u.node, u.name(), u.log, u.copyLog})
	}
	for _, w := range c.watched {
		if w.log != "" {
			list = append(list, log{w.member, w.member, w.log, w.copyLog})
		}
	}
	return list
}

// MarkLogs reads how long each log is now. The error tells those that could not
// be fetched from their machines; their marks are of what is here.
func (c *Cluster) MarkLogs() (LogMark, error) {
	mark := make(LogMark)
	logs := c.logs()
	errs := make([]error, len(logs))
	var all sync.WaitGroup
	for i, l := range logs {
		all.Go(func() { errs[i] = l.copy() })
	}
	all.Wait()
	for i, l := range logs {
		size, err := host.Local{}.FileSize(l.path)
		if err := cmp.Or(errs[i], err); err != nil {
			errs[i] = fmt.Errorf("mark the log of %s: %w", l.name, err)
		}
		mark[l.path] = size
	}
	return mark, errors.Join(errs...)
}

// copyLog brings the log on this machine up to date.
func (u *unit) copyLog() error { return u.at.machine.CopyLog(u.command.Log, u.log) }

// lastLines are those of the log, as far as there is one.
func (u *unit) lastLines() []string {
	return log{path: u.log, copy: u.copyLog}.lastLines()
}

func (l log) lastLines() []string {
	_ = l.copy() // a machine that was lost is what is reported
	lines, _ := host.Local{}.Tail(l.path, lastLines)
	return lines
}

// lineStart is the offset at which the line begins that offset lies in; where it
// begins more than 256 KiB before, offset itself.
func lineStart(path string, offset int64) (int64, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return offset, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	from := max(0, offset-lineLimit)
	text, err := io.ReadAll(io.NewSectionReader(file, from, offset-from))
	if err != nil {
		return 0, err
	}
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		return from + int64(i) + 1, nil
	}
	if from > 0 {
		return offset, nil
	}
	return 0, nil
}

// eachLine calls f with every line, without its newline, that is complete
// between two offsets; to below 0 is the end of the file. It returns the offset
// behind the last one. A file that does not exist is empty.
func eachLine(path string, from, to int64, f func(line []byte)) (next int64, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return from, nil
	}
	if err != nil {
		return from, err
	}
	defer file.Close()
	if to < 0 {
		info, err := file.Stat()
		if err != nil {
			return from, err
		}
		to = info.Size()
	}
	r := bufio.NewReaderSize(io.NewSectionReader(file, from, max(0, to-from)), lineLimit)
	for next = from; ; {
		line, size, err := readLine(r)
		if errors.Is(err, io.EOF) {
			return next, nil
		}
		if err != nil {
			return next, err
		}
		next += size
		f(line)
	}
}

// readLine reads one line and returns its length in the file; of a line longer
// than the reader's buffer it keeps the beginning. io.EOF means that no complete
// line is left.
func readLine(r *bufio.Reader) (line []byte, size int64, err error) {
	part, err := r.ReadSlice('\n')
	size = int64(len(part))
	if !errors.Is(err, bufio.ErrBufferFull) {
		return part[:max(0, len(part)-1)], size, err
	}
	line = append(line, part...)
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = r.ReadSlice('\n')
		size += int64(len(part))
	}
	return line, size, err
}
