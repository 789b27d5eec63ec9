// Package serve runs one member of an etcd cluster inside our own binary, so
// that a cluster needs nothing installed. Each member is a process of its own.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// closeLimit bounds the closing of a server: what etcd has not finished then is
// lost with the process, as with any kill. It is below the grace that a guard
// gives by default.
const closeLimit = 4 * time.Second

// Serve runs a member as args say until ctx ends or the process is sent SIGTERM
// or SIGINT, and returns nil then. It also ends, with an error, when the server does or when standard input, if
// that is a pipe, does: the guard that started us is gone then. The log goes to
// stderr. See parse for what args may hold.
func Serve(ctx context.Context, args []string) error {
	ctx, release := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT)
	defer release()
	cfg, err := parse(args)
	if err != nil {
		return fmt.Errorf("serve etcd: %w", err)
	}
	if err := preflight(cfg); err != nil {
		return fmt.Errorf("start member %s: %w", cfg.Name, err)
	}
	e, err := embed.StartEtcd(cfg)
	if err != nil {
		return fmt.Errorf("start member %s: %w", cfg.Name, err)
	}
	var cause error
	select {
	case <-ctx.Done():
	case <-ended(os.Stdin):
		cause = errors.New("the process that started it is gone")
	case cause = <-e.Err():
	case <-e.Server.StopNotify():
		cause = errors.New("its server stopped by itself")
	}
	if err := shut(e); err != nil {
		cause = errors.Join(cause, err)
	}
	if cause != nil {
		return fmt.Errorf("member %s: %w", cfg.Name, cause)
	}
	return nil
}

// shut stops the server within closeLimit and gives its ports back. It does not
// call e.Close, which hands leadership over first: where a whole cluster stops
// at once there is nobody to take it, and that would last for seconds. Nothing
// that was acknowledged is lost by that.
func shut(e *embed.Etcd) error {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		e.Server.HardStop()
	}()
	select {
	case <-stopped:
	case <-time.After(closeLimit):
		return fmt.Errorf("did not stop within %v", closeLimit)
	}
	// A server that stopped by itself may have closed them.
	for _, l := range e.Clients {
		_ = l.Close()
	}
	for _, l := range e.Peers {
		_ = l.Close()
	}
	return nil
}

// ended returns a channel that is closed at the end of f, if f is a pipe; by
// hand a member may well be started without any standard input.
func ended(f *os.File) <-chan struct{} {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return nil
	}
	end := make(chan struct{})
	go func() {
		defer close(end)
		_, _ = io.Copy(io.Discard, f)
	}()
	return end
}

// preflight finds what would make the server end the process, or fail with
// words that say less than these.
func preflight(cfg *embed.Config) error {
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return fmt.Errorf("make its data folder: %w", err)
	}
	probe, err := os.CreateTemp(cfg.Dir, ".kvscen-*")
	if err != nil {
		return fmt.Errorf("its data folder %s is not writable: %w", cfg.Dir, err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fmt.Errorf("its data folder %s is not writable: %w", cfg.Dir, err)
	}
	for _, urls := range [][]url.URL{cfg.ListenPeerUrls, cfg.ListenClientUrls, cfg.ListenMetricsUrls} {
		for _, u := range urls {
			l, err := net.Listen("tcp", u.Host)
			if err != nil {
				return fmt.Errorf("take the port of %s: %w", u.String(), err)
			}
			if err := l.Close(); err != nil {
				return fmt.Errorf("free the port of %s again: %w", u.String(), err)
			}
		}
	}
	return nil
}
