package sshlink

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Link is a connection to a machine that is logged in. It may be used by
// several goroutines at once.
type Link struct {
	client *ssh.Client
	ear    *ear
	over   *Link // the jump host; nil: none
	route  route
	limits Limits

	lost chan struct{}
	once sync.Once
	err  error // set before lost is closed
	work sync.WaitGroup
}

var errClosed = errors.New("the connection was closed")

func newLink(client *ssh.Client, e *ear, over *Link, r route, limits Limits) *Link {
	l := &Link{client: client, ear: e, over: over, route: r, limits: limits, lost: make(chan struct{})}
	l.work.Go(func() {
		err := client.Wait()
		if err == nil {
			err = errors.New("the machine hung up")
		}
		l.lose(fmt.Errorf("the connection broke: %w", err))
	})
	l.work.Go(l.keepAlive)
	return l
}

// Name is the machine as the user named it.
func (l *Link) Name() string { return l.route.name }

// User is the one who is logged in.
func (l *Link) User() string { return l.client.User() }

// Address is the IP address that the connection goes to; empty where it goes
// over a jump host.
func (l *Link) Address() string {
	if l.over != nil {
		return ""
	}
	host, _, err := net.SplitHostPort(l.client.RemoteAddr().String())
	if err != nil {
		return ""
	}
	return host
}

// Lost is closed when the connection has ended, also by Close.
func (l *Link) Lost() <-chan struct{} { return l.lost }

// Err says why the connection has ended; nil: it has not.
func (l *Link) Err() error {
	select {
	case <-l.lost:
		return l.err
	default:
		return nil
	}
}

// Close ends the connection and all that runs over it.
func (l *Link) Close() {
	l.lose(errClosed)
	l.work.Wait()
	if l.over != nil {
		l.over.Close()
	}
}

// lose ends the connection for a reason; the first one counts.
func (l *Link) lose(reason error) {
	l.once.Do(func() {
		l.err = reason
		close(l.lost)
		_ = l.client.Close() // it may be broken already
		if l.over != nil {
			// What waits for a lost machine must not wait for its jump host.
			l.over.lose(errClosed)
		}
	})
}

// keepAlive asks the machine now and then whether it is there: a peer that is
// dead or cut off sends no end.
func (l *Link) keepAlive() {
	tick := time.NewTicker(l.limits.KeepEvery)
	defer tick.Stop()
	for {
		select {
		case <-l.lost:
			return
		case <-tick.C:
		}
		if !l.asks(tick.C) {
			return
		}
	}
}

// asks sends one keepalive and waits for its answer. It reports false where the
// connection has ended. An answer may stand in line behind much data: as long as
// anything is heard of the machine it is there.
func (l *Link) asks(tick <-chan time.Time) bool {
	answered := make(chan error, 1)
	l.work.Go(func() {
		_, _, err := l.client.SendRequest("keepalive@openssh.com", true, nil)
		answered <- err
	})
	asked := time.Now()
	for {
		select {
		case err := <-answered:
			if err != nil {
				l.lose(fmt.Errorf("the connection broke: %w", err))
			}
			return err == nil
		case <-tick:
			if l.ear.silence(asked) > l.limits.Patience {
				l.lose(fmt.Errorf("no answer for %v", l.limits.Patience))
				return false
			}
		case <-l.lost:
			return false
		}
	}
}

// session opens a session within its limit.
func (l *Link) session(ctx context.Context) (*ssh.Session, error) {
	type outcome struct {
		session *ssh.Session
		err     error
	}
	done := make(chan outcome, 1)
	l.work.Go(func() {
		s, err := l.client.NewSession()
		done <- outcome{s, err}
	})
	abandon := func(reason error) (*ssh.Session, error) {
		l.work.Go(func() {
			if o := <-done; o.session != nil {
				o.session.Close()
			}
		})
		return nil, fmt.Errorf("open a session on %s: %w", l.Name(), reason)
	}
	select {
	case o := <-done:
		if o.err != nil {
			return nil, fmt.Errorf("open a session on %s: %w", l.Name(), l.cause(o.err))
		}
		return o.session, nil
	case <-ctx.Done():
		return abandon(context.Cause(ctx))
	case <-time.After(l.limits.Session):
		return abandon(fmt.Errorf("no answer within %v", l.limits.Session))
	}
}

// cause is why the connection ended where it has, which says more than err, an
// error that followed from it.
func (l *Link) cause(err error) error {
	if lost := l.Err(); lost != nil {
		return &LostError{Name: l.Name(), Err: lost}
	}
	return err
}

// LostError is the end of a connection to a machine.
type LostError struct {
	Name string
	Err  error
}

func (e *LostError) Error() string {
	return "the connection to " + e.Name + " is lost: " + e.Err.Error()
}
func (e *LostError) Unwrap() error { return e.Err }
