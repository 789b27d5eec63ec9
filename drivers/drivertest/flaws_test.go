package drivertest_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

// flaw is what is wrong with a wire driver; empty: nothing.
type flaw string

const (
	keepsDeadLines      flaw = "never connects again"
	keepsSilentLines    flaw = "takes a dead line for a slow one"
	acknowledgesUnheard flaw = "acknowledges what it has only sent"
	triesForEver        flaw = "tries for ever"
	classesNothing      flaw = "has no class for a lost connection"
	leaksGoroutines     flaw = "leaves a goroutine behind"
	neverCloses         flaw = "serves on after Close"
	namesNoEndpoint     flaw = "names no endpoint"
	dialsForEver        flaw = "dials for ever"
	cutsWhatIsLong      flaw = "cuts what is too long"
)

// flaws are found by these tests, each by one at least.
var flaws = []struct {
	flaw    flaw
	foundBy []string
}{
	{keepsDeadLines, []string{"connection_cut", "restart_under_load"}},
	{keepsSilentLines, []string{"connection_half_open"}},
	{acknowledgesUnheard, []string{"restart_under_load"}},
	{triesForEver, []string{"restart_under_load", "connection_cut"}},
	{classesNothing, []string{"restart_under_load", "connection_cut"}},
	{leaksGoroutines, []string{"close_under_load"}},
	{neverCloses, []string{"close_under_load"}},
	{namesNoEndpoint, []string{"refused", "black_hole"}},
	{dialsForEver, []string{"black_hole"}},
	{cutsWhatIsLong, []string{"do/value_at_the_limit", "do/key_at_the_limit"}},
}

func TestSuiteFindsFlaws(t *testing.T) {
	for _, f := range flaws {
		for _, test := range f.foundBy {
			t.Run(string(f.flaw)+"/"+test, func(t *testing.T) {
				t.Parallel()
				finds(t, "TestWire", test, string(f.flaw))
			})
		}
	}
}

// TestWire is the suite on the wire driver, with the flaw that the environment
// names, or with none.
func TestWire(t *testing.T) {
	m := &wireMember{data: map[string][]byte{}}
	if err := m.start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.stop)
	addr := m.listener.Addr().String()
	drivertest.Run(t, drivertest.Harness{
		Driver:  wire{flaw(os.Getenv(faultVar))},
		Target:  func(*testing.T) drivers.Target { return drivers.Target{Endpoint: addr, Timeout: 5 * time.Second} },
		Network: true,
		Restart: func(t *testing.T) func() {
			m.stop()
			return func() {
				if err := m.start(addr); err != nil {
					t.Fatal(err)
				}
			}
		},
		Patience: patience(),
		Count: func(_ *testing.T, _ drivers.Target, prefix []byte) int {
			m.mu.Lock()
			defer m.mu.Unlock()
			n := 0
			for key := range m.data {
				if strings.HasPrefix(key, string(prefix)) {
					n++
				}
			}
			return n
		},
	})
}
