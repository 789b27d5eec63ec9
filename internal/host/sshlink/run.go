package sshlink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// Command is a script of the POSIX shell to run on a machine.
type Command struct {
	Script string
	Stdin  io.Reader // nil: empty
	Stdout io.Writer // nil: returned by Run
	// Moves says that the command moves data of any length: it may take as long
	// as it likes, but not be silent for longer than the limit of reading.
	Moves bool
	Sudo  bool // as root, by sudo without a password
}

// stderrKept is how much of a command's complaints is kept.
const stderrKept = 4 << 10

// ExitError is a command that ended with another status than 0.
type ExitError struct {
	Name   string // of the machine
	Status int    // -1: by a signal
	Stderr string
}

func (e *ExitError) Error() string {
	text := fmt.Sprintf("%s: exit status %d", e.Name, e.Status)
	if e.Stderr != "" {
		text = e.Name + ": " + e.Stderr
	}
	return text
}

// Run runs a command to its end and returns its standard output. A status other
// than 0 is an *ExitError, the loss of the machine a *LostError.
func (l *Link) Run(ctx context.Context, c Command) ([]byte, error) {
	session, err := l.session(ctx)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	var out bytes.Buffer
	var complaints tail
	m := &mover{}
	session.Stdout, session.Stderr = m.writer(&out), &complaints
	if c.Stdout != nil {
		session.Stdout = m.writer(c.Stdout)
	}
	if c.Stdin != nil {
		session.Stdin = m.reader(c.Stdin)
	}
	done := make(chan error, 1)
	l.work.Go(func() { done <- session.Run(wrap(c.Script, c.Sudo)) })
	err = l.await(ctx, c, m, done)
	if exit, ok := errors.AsType[*ssh.ExitError](err); ok {
		status := exit.ExitStatus()
		if exit.Signal() != "" {
			status = -1
		}
		return out.Bytes(), &ExitError{Name: l.Name(), Status: status, Stderr: complaints.String()}
	}
	if err != nil {
		return nil, fmt.Errorf("run a command on %s: %w", l.Name(), l.cause(err))
	}
	return out.Bytes(), nil
}

// await waits for a command within its limits.
func (l *Link) await(ctx context.Context, c Command, m *mover, done <-chan error) error {
	limit, what := l.limits.Command, "it was not over within %v"
	if c.Moves {
		limit, what = l.limits.Read, "it moved nothing for %v"
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for seen := int64(0); ; {
		select {
		case err := <-done:
			return err
		case <-l.lost:
			return l.err
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-timer.C:
			if n := m.moved.Load(); c.Moves && n > seen {
				seen = n
				timer.Reset(limit)
				continue
			}
			return fmt.Errorf(what, limit)
		}
	}
}

// wrap has a script run by the POSIX shell, whatever the login shell of the user
// is.
func wrap(script string, sudo bool) string {
	if sudo {
		return "exec sudo -n /bin/sh -c " + Quote(script)
	}
	return "exec /bin/sh -c " + Quote(script)
}

// mover counts the bytes that go through it.
type mover struct{ moved atomic.Int64 }

type countingWriter struct {
	*mover
	to io.Writer
}

func (w countingWriter) Write(b []byte) (int, error) {
	n, err := w.to.Write(b)
	w.moved.Add(int64(n))
	return n, err
}

type countingReader struct {
	*mover
	from io.Reader
}

func (r countingReader) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	r.moved.Add(int64(n))
	return n, err
}

func (m *mover) writer(to io.Writer) io.Writer   { return countingWriter{m, to} }
func (m *mover) reader(from io.Reader) io.Reader { return countingReader{m, from} }

// tail keeps the last of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b...)
	t.kept = t.kept[max(0, len(t.kept)-stderrKept):]
	return len(b), nil
}

func (t *tail) String() string { return strings.ToValidUTF8(strings.TrimSpace(string(t.kept)), "�") }
