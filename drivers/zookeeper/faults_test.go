package zookeeper

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

const plainPort = "clientPort=${port}\nclientPortAddress=127.0.0.1\n"

// says checks that a server's log holds a text, before long.
func (s *server) says(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		if strings.Contains(string(log), want) {
			return
		}
		if time.Now().After(end) {
			t.Errorf("the member's log does not say %q:\n%s", want, log)
			return
		}
	}
}

// TestNotAsked connects to a member that allows no command of four letters but
// srvr, which every one does, and does not ask it: it serves all the same.
func TestNotAsked(t *testing.T) {
	t.Parallel()
	target := startWith(t, 1, setup{config: plainPort + "4lw.commands.whitelist=ruok\n"})[0].target()
	if _, err := New().Metrics(t.Context(), target); err == nil || !strings.Contains(err.Error(), "whitelist") {
		t.Errorf("metrics: %v, want the whitelist named", err)
	}
	target.Options = map[string]any{"four_letter_words": false}
	c := dial(t, target)
	if st, err := c.Status(t.Context()); err != nil || !strings.Contains(st.Unknown, "four_letter_words") {
		t.Errorf("status %+v, %v; want it unknown, by the option", st, err)
	}
	if figures, err := New().Metrics(t.Context(), target); err != nil || len(figures) > 0 {
		t.Errorf("metrics: %v, %v; want none", figures, err)
	}
	if _, err := do(t, c, drivers.OpSpec{Kind: drivers.Put}, drivers.Op{Key: []byte("k")}); err != nil {
		t.Errorf("put: %v", err)
	}
}

// TestTooManyConnections dials a member that takes three from one address.
func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	s := startWith(t, 1, setup{config: plainPort + "maxClientCnxns=3\n"})[0]
	for range 3 {
		dial(t, s.target())
	}
	c, err := New().Dial(t.Context(), s.target())
	if err == nil {
		c.Close()
		t.Fatal("a fourth connection was taken")
	}
	if !strings.Contains(err.Error(), "maxClientCnxns") {
		t.Errorf("error %q does not name maxClientCnxns", err)
	}
	s.says(t, "Too many connections from")
}

// TestServerLimit sends requests that the client allows and the server does not.
func TestServerLimit(t *testing.T) {
	t.Parallel()
	put := drivers.OpSpec{Kind: drivers.Put}
	for name, x := range map[string]struct {
		flags []string
		value int
		want  drivers.Class
	}{
		"lower than the default": {[]string{"-Djute.maxbuffer=65536"}, 200_000, drivers.Unavailable},
		"the default":            {nil, 2 << 20, drivers.TooLarge},
	} {
		s := startWith(t, 1, setup{flags: x.flags})[0]
		target := s.target()
		target.Options = map[string]any{"max_request": int64(4 << 20)}
		c := dial(t, target)
		_, err := do(t, c, put, drivers.Op{Key: []byte("k"), Value: make([]byte, x.value)})
		if drivers.ClassOf(err) != x.want || !strings.Contains(fmt.Sprint(err), "jute.maxbuffer") {
			t.Errorf("%s: %v; want class %v, and jute.maxbuffer named", name, err, x.want)
		}
		s.says(t, "Len error")
		if _, err := do(t, c, put, drivers.Op{Key: []byte("k"), Value: []byte("small")}); err != nil {
			t.Errorf("%s: a small request after it: %v", name, err)
		}
	}
}

// TestFailover kills the member of two sessions: the one that may move keeps its
// ephemeral node and goes on; the one that is pinned waits, and says why.
func TestFailover(t *testing.T) {
	t.Parallel()
	// A busy machine may take as long as a session lasts at the most by default.
	servers := startWith(t, 3, setup{config: plainPort + "4lw.commands.whitelist=*\nmaxClientCnxns=0\nmaxSessionTimeout=60000\n"})
	target := servers[0].target()
	for _, s := range servers[1:] {
		target.Others = append(target.Others, s.target().Endpoint)
	}
	target.Options = map[string]any{"fail_fast": false, "session_timeout": 40 * time.Second}
	pinned := dial(t, target)
	target.Options = map[string]any{"failover": true, "ephemeral": true, "session_timeout": 40 * time.Second}
	moves := dial(t, target)
	put, get := drivers.OpSpec{Kind: drivers.Put}, drivers.OpSpec{Kind: drivers.Get, Consistency: linearizable}
	if _, err := do(t, moves, put, drivers.Op{Key: []byte("mine")}); err != nil {
		t.Fatal(err)
	}
	servers[0].process.Kill()
	var last error
	ok := false
	for end := time.Now().Add(time.Minute); !ok && time.Now().Before(end); {
		var op *drivers.Op
		if op, last = do(t, moves, get, drivers.Op{Key: []byte("mine")}); last == nil {
			ok = op.Found
		}
	}
	if !ok {
		t.Errorf("the session did not move with its node: %v", last)
	}
	client, err := pinned.Client([]drivers.OpSpec{get})
	if err != nil {
		t.Fatal(err)
	}
	err = client.Do(t.Context(), &drivers.Op{Key: []byte("mine"), Deadline: time.Now().Add(300 * time.Millisecond)})
	if drivers.ClassOf(err) != drivers.Unavailable {
		t.Errorf("a pinned session without its member: %v, want class unavailable", err)
	}
}
