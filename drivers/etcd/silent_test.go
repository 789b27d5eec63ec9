package etcd

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// silent is the address of a port that takes connections and never answers.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String() // the system accepts on its behalf
}

// What is under way when the time is up depends on chance; what is said must
// not. A user is logged in by client/v3, otherwise Dial asks for the status.
func TestSilentEndpoint(t *testing.T) {
	for name, target := range map[string]drivers.Target{
		"without user": {},
		"with user":    {User: "u", Password: "p"},
	} {
		target.Endpoint, target.Timeout = silent(t), 200*time.Millisecond
		_, err := New().Dial(t.Context(), target)
		want := "etcd: connect to " + target.Endpoint + ": no answer within 200ms"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// The deadline by default is the one that gRPC has by itself for a new connection.
func TestSilentEndpointByDefault(t *testing.T) {
	target := drivers.Target{Endpoint: silent(t)}
	_, err := New().Dial(t.Context(), target)
	want := "etcd: connect to " + target.Endpoint + ": no answer within 5s"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestDialCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("interrupted")
	time.AfterFunc(50*time.Millisecond, func() { cancel(stop) })
	if _, err := New().Dial(ctx, drivers.Target{Endpoint: silent(t)}); !errors.Is(err, stop) {
		t.Errorf("%v, want the cause of the cancellation", err)
	}
}

// A server that hangs up is seen to end the connection or to reset it, as chance
// will have it; what is said must not differ.
func TestEndpointThatHangsUp(t *testing.T) {
	for name, reset := range map[string]bool{"end": false, "reset": true} {
		for user, target := range map[string]drivers.Target{"without user": {}, "with user": {User: "u", Password: "p"}} {
			target.Endpoint, target.Timeout = hangsUp(t, reset), time.Minute
			_, err := New().Dial(t.Context(), target)
			const want = "it ended the connection without an answer: perhaps it wants TLS, or is no etcd"
			if err == nil || !strings.HasSuffix(err.Error(), want) || !strings.Contains(err.Error(), target.Endpoint) {
				t.Errorf("%s, %s: %v, want %s", name, user, err, want)
			}
		}
	}
}

// hangsUp is the address of a server that ends each connection once the client
// has said something: in order, or by a reset.
func hangsUp(t *testing.T, reset bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // closed
			}
			_, _ = c.Read(make([]byte, 1<<16)) // the client's preface
			if tcp, ok := c.(*net.TCPConn); ok && reset {
				_ = tcp.SetLinger(0)
			}
			_ = c.Close()
		}
	}()
	return l.Addr().String()
}
