package zookeeper

import (
	"bytes"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

// TestLate stops a server for a while, in plain text and over TLS. Requests that
// are late meanwhile cost neither the session nor its TCP connection, and no later
// request is given a reply of theirs.
func TestLate(t *testing.T) {
	t.Parallel()
	t.Run("plain", func(t *testing.T) { stall(t, startServers(t, 1)[0]) })
	t.Run("tls", func(t *testing.T) { stall(t, startSecured(t, drivertest.NewCertificates(t))) })
}

func stall(t *testing.T, s *server) {
	const clients = 4
	target := s.target()
	target.Options = map[string]any{"session_timeout": time.Minute} // the server stands still for longer on a busy machine
	c := dial(t, target)
	for i := range clients {
		key := fmt.Appendf(nil, "k%d", i)
		if _, err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: key, Value: bytes.Repeat(key, 100)}); err != nil {
			t.Fatal(err)
		}
	}
	before := c.link.session()
	if err := syscall.Kill(s.process.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	together(clients, func(i int) {
		client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Get, Keep: true}})
		if err != nil {
			t.Errorf("client %d: %v", i, err)
			return
		}
		for range 3 {
			op := drivers.Op{Key: []byte("k0"), Deadline: time.Now().Add(200 * time.Millisecond)}
			if err := client.Do(t.Context(), &op); drivers.ClassOf(err) != drivers.Timeout {
				t.Errorf("client %d: a get from a member that stands still: %v, want a timeout", i, err)
			}
		}
	})
	if err := syscall.Kill(s.process.PID(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	together(clients, func(i int) {
		key := fmt.Appendf(nil, "k%d", i)
		op, err := do(t, c, drivers.OpSpec{Kind: drivers.Get, Keep: true}, drivers.Op{Key: key})
		if err != nil || !bytes.Equal(op.Read, bytes.Repeat(key, 100)) {
			t.Errorf("get of %s after it: %q, %v", key, op.Read, err)
		}
	})
	if c.link.session() != before {
		t.Error("the TCP connection was lost")
	}
}

// together runs f for each of n clients at once.
func together(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// TestNotSent gives requests up that the library could not send: they wait in it
// for a session that does not come.
func TestNotSent(t *testing.T) {
	t.Parallel()
	s := startServers(t, 1)[0]
	c := dial(t, s.target())
	if err := syscall.Kill(s.process.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	c.link.cut()
	for end := time.Now().Add(time.Minute); c.link.isUp(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nobody noticed that the connection was cut")
		}
	}
	const clients = 40 // more than the library has room for
	together(clients, func(i int) {
		call := newCall(t.Context(), c)
		call.ctx.Begin(time.Now().Add(300 * time.Millisecond))
		op := drivers.Op{Key: []byte("k")}
		if err := call.carryOut(&get{}, &op); err == nil {
			t.Errorf("client %d: a get without a session succeeded", i)
		}
	})
	if err := syscall.Kill(s.process.PID(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if _, err := do(t, c, drivers.OpSpec{Kind: drivers.Get}, drivers.Op{Key: []byte("k")}); err != nil {
		t.Errorf("a get after it: %v", err)
	}
}
