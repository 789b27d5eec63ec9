package procfs

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxFile bounds what is read of one file. The largest that a reader asks for,
// a status with many CPUs and groups, is far below.
const maxFile = 1 << 20

// files reads the small files below a folder with three system calls each and
// next to no allocation: os.ReadFile costs three times as much here, and a
// reading opens one file for each thread.
type files struct {
	root   string
	denied func(name string) bool // files that may not be read; nil: reading them tells
	buf    []byte
}

// read gives the content of a file, valid until the next read.
func (f *files) read(name string) ([]byte, error) {
	path := f.root + "/" + name
	if f.denied != nil && f.denied(name) {
		return nil, &os.PathError{Op: "open", Path: path, Err: os.ErrPermission}
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	if f.buf == nil {
		f.buf = make([]byte, 8192)
	}
	n := 0
	for {
		m, err := unix.Read(fd, f.buf[n:])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return nil, &os.PathError{Op: "read", Path: path, Err: err}
		}
		// Each of these files is one record, given whole: less than what
		// there was room for is the end.
		if n += m; n < len(f.buf) {
			return f.buf[:n], nil
		}
		if n >= maxFile {
			return nil, fmt.Errorf("reading %s: longer than %d bytes", path, maxFile)
		}
		f.buf = append(f.buf, make([]byte, len(f.buf))...)
	}
}

// numbers lists the entries of a folder that are numbers: processes, threads.
func (f *files) numbers(name string) ([]int, error) {
	dir, err := os.Open(f.root + "/" + name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("listing %s/%s: %w", f.root, name, err)
	}
	numbers := make([]int, 0, len(names))
	for _, s := range names {
		if n, err := strconv.Atoi(s); err == nil && n > 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}

// gone reports whether an error says that the process or thread has ended.
func gone(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ESRCH)
}
