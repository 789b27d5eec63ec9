package host_test

import (
	"os/exec"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/host/sshtest"
)

// TestPortLocksKeepRunsApart locks a block over two sessions to one machine.
func TestPortLocksKeepRunsApart(t *testing.T) {
	if _, err := exec.LookPath("flock"); err != nil {
		t.Skip("flock is not installed")
	}
	r := remote(t, sshtest.Start(t, sshtest.Options{}), false)
	const block = 9000 // below those of any run
	begin := func() *host.PortLocks {
		l, err := r.PortLocks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	lock := func(l *host.PortLocks, from int, want bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			got, err := l.Lock(from)
			if err != nil {
				t.Fatal(err)
			}
			if got == want {
				return
			}
			if !want || time.Now().After(end) {
				t.Fatalf("locking %d: %v, want %v", from, got, want)
			}
		}
	}
	one, two := begin(), begin()
	defer two.Close()
	lock(one, block, true)
	lock(two, block, false)
	lock(two, block+1, true)
	lock(one, block+1, false)
	one.Close()
	lock(two, block, true) // once the shell has ended
	for i := range 7 {
		if _, err := two.Lock(block + 2 + i); err != nil {
			t.Fatal(err)
		}
	}
	lock(two, block+20, false) // it has no descriptor left
}
