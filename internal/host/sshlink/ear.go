package sshlink

import (
	"net"
	"sync/atomic"
	"time"
)

// ear is a connection that knows when it last heard anything.
type ear struct {
	net.Conn
	last atomic.Int64 // Unix time in nanoseconds
}

func (e *ear) Read(b []byte) (int, error) {
	n, err := e.Conn.Read(b)
	if n > 0 {
		e.last.Store(time.Now().UnixNano())
	}
	return n, err
}

// silence is for how long nothing was heard, counted from since at the earliest.
func (e *ear) silence(since time.Time) time.Duration {
	if last := time.Unix(0, e.last.Load()); last.After(since) {
		since = last
	}
	return time.Since(since)
}
