package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// CopyLog brings the local copy of a log there up to date: it appends what has
// been written since. A log that does not exist is empty.
func (r *Remote) CopyLog(name, local string) error { return r.CopyTail(name, local, 0) }

// CopyTail is CopyLog of what comes after the first skip bytes.
func (r *Remote) CopyTail(name, local string, skip int64) error {
	file, size, err := openCopy(local)
	if err != nil {
		return err
	}
	defer file.Close()
	script := fmt.Sprintf("[ ! -e %[1]s ] || exec tail -c +%[2]d %[1]s", sshlink.Quote(name), skip+size+1)
	_, err = r.link.Run(context.Background(), sshlink.Command{Script: script, Stdout: file, Moves: true, Sudo: r.spec.Sudo})
	if err != nil {
		return fmt.Errorf("fetch the log %s of %s: %w", name, r.Name(), err)
	}
	return file.Close()
}

// SizeOf is the length of a file there, which must be readable.
func (r *Remote) SizeOf(name string) (int64, error) {
	// wc reads no file whose length it can ask for.
	out, err := r.sh("[ -r %[1]s ] || { echo \"it can't be read: \"%[1]s >&2; exit 1; }; wc -c <%[1]s", sshlink.Quote(name))
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(out), 10, 64)
}

// CopyLog has nothing to do: the log is here.
func (Local) CopyLog(name, local string) error { return nil }

// CopyTail appends to a copy what has been written since after the first skip
// bytes.
func (Local) CopyTail(name, local string, skip int64) error {
	file, size, err := openCopy(local)
	if err != nil {
		return err
	}
	defer file.Close()
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	if _, err := from.Seek(skip+size, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}

// SizeOf is the length of a file, which must be readable.
func (Local) SizeOf(name string) (int64, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// openCopy opens a copy to append to it, and gives its length.
func openCopy(local string) (*os.File, int64, error) {
	file, err := os.OpenFile(local, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}
