package sshlink

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Session is a command that goes on. Its standard output must be read, or it
// will block.
type Session struct {
	Stdin  io.WriteCloser
	Stdout io.Reader

	link    *Link
	session *ssh.Session
	errs    *lockedTail
}

// lockedTail is a tail that may be read while it is written to.
type lockedTail struct {
	mu sync.Mutex
	tail
}

func (t *lockedTail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tail.Write(b)
}

func (t *lockedTail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.String()
}

// Start starts a script of the POSIX shell and leaves it running. What it was
// given is the limit of the command's start alone; it ends when Close is called
// or the connection ends.
func (l *Link) Start(ctx context.Context, script string, sudo bool) (*Session, error) {
	session, err := l.session(ctx)
	if err != nil {
		return nil, err
	}
	s := &Session{link: l, session: session, errs: &lockedTail{}}
	session.Stderr = s.errs
	if s.Stdin, err = session.StdinPipe(); err == nil {
		s.Stdout, err = session.StdoutPipe()
	}
	if err != nil {
		session.Close()
		return nil, fmt.Errorf("start a command on %s: %w", l.Name(), err)
	}
	done := make(chan error, 1)
	l.work.Go(func() { done <- session.Start(wrap(script, sudo)) })
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-time.After(l.limits.Session):
		err = fmt.Errorf("no answer within %v", l.limits.Session)
	}
	if err != nil {
		session.Close()
		return nil, fmt.Errorf("start a command on %s: %w", l.Name(), l.cause(err))
	}
	return s, nil
}

// Complaints are the last lines that the command wrote to its standard error.
func (s *Session) Complaints() string { return s.errs.text() }

// Close ends the session. A command that does not heed the end of its standard
// input goes on on the machine.
func (s *Session) Close() {
	_ = s.Stdin.Close()
	_ = s.session.Close() // it may have ended
}
