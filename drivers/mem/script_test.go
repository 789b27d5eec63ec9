package mem

import (
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

func scriptOf(t *testing.T, options map[string]any) *script {
	t.Helper()
	spec := spec()
	if err := spec.CheckOptions(options); err != nil {
		t.Fatal(err)
	}
	return newScript(&spec, options)
}

// TestShares counts what befalls the first requests: shares are exact to within
// one at every number of requests, not only at the end.
func TestShares(t *testing.T) {
	for _, c := range []struct{ errors, losses float64 }{
		{0, 0}, {1, 0}, {0, 1}, {0.01, 0}, {0, 0.01}, {0.01, 0.01}, {0.25, 0.25}, {0.5, 0.5}, {0.001, 0}, {0.3, 0},
	} {
		s := scriptOf(t, map[string]any{"error_rate": c.errors, "loss_rate": c.losses})
		var refused, lost float64
		for n := range uint64(10000) {
			f := s.fate(n)
			if f.refused && f.lost {
				t.Fatalf("%+v: request %d is both refused and lost", c, n)
			}
			if f.refused {
				refused++
			}
			if f.lost {
				lost++
			}
			asked := float64(n + 1)
			if d := refused - asked*c.errors; d > 1 || d < -1 {
				t.Fatalf("%+v: %v of %v requests are refused", c, refused, asked)
			}
			if d := lost - asked*c.losses; d > 1 || d < -1 {
				t.Fatalf("%+v: %v of %v requests are lost", c, lost, asked)
			}
		}
	}
}

func TestJitter(t *testing.T) {
	s := scriptOf(t, map[string]any{"service": 10 * time.Millisecond, "jitter": 4 * time.Millisecond})
	var quarters [4]int
	for n := range uint64(4000) {
		extra := s.fate(n).service - 10*time.Millisecond
		if extra < 0 || extra >= 4*time.Millisecond {
			t.Fatalf("request %d takes %v more than the service time", n, extra)
		}
		quarters[extra/time.Millisecond]++
		if again := s.fate(n).service - 10*time.Millisecond; again != extra {
			t.Fatalf("request %d takes %v, then %v", n, extra, again)
		}
	}
	for i, n := range quarters {
		if n < 950 || n > 1050 {
			t.Errorf("quarter %d of the jitter has %d of 4000 requests", i, n)
		}
	}
}

func TestStallEvery(t *testing.T) {
	s := scriptOf(t, map[string]any{"service": time.Millisecond, "stall_every": int64(3), "stall_for": time.Second})
	var got []time.Duration
	for n := range 7 {
		_, end := s.begin(time.Duration(n) * 10 * time.Millisecond)
		got = append(got, end.Round(time.Millisecond))
	}
	const ms = time.Millisecond
	// The fourth begins a stall at 30 ms, the seventh makes it longer.
	want := []time.Duration{1 * ms, 11 * ms, 21 * ms, 1031 * ms, 1031 * ms, 1031 * ms, 2031 * ms}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("request %d ends at %v, want %v", i, got[i], want[i])
		}
	}
}

func TestPlain(t *testing.T) {
	for name, c := range map[string]struct {
		options map[string]any
		want    bool
	}{
		"nothing":              {nil, true},
		"stall of no length":   {map[string]any{"stall_every": int64(5)}, true},
		"stall without number": {map[string]any{"stall_for": time.Second}, true},
		"stall":                {map[string]any{"stall_every": int64(5), "stall_for": time.Second}, false},
		"service":              {map[string]any{"service": time.Nanosecond}, false},
		"jitter":               {map[string]any{"jitter": time.Nanosecond}, false},
		"errors":               {map[string]any{"error_rate": 0.1}, false},
		"losses":               {map[string]any{"loss_rate": 0.1}, false},
		"damage":               {map[string]any{"corrupt_rate": 0.1}, false},
		"misreading":           {map[string]any{"misread_rate": 0.1}, false},
	} {
		if got := scriptOf(t, c.options).plain; got != c.want {
			t.Errorf("%s: plain = %v, want %v", name, got, c.want)
		}
	}
}

func TestOptionRefusals(t *testing.T) {
	for _, options := range []map[string]any{
		{"service": -time.Second}, {"jitter": -time.Second}, {"stall_for": -time.Second},
		{"stall_every": int64(-1)}, {"error_rate": -0.1}, {"error_rate": 1.1}, {"loss_rate": 2.0}, {"corrupt_rate": -0.1}, {"misread_rate": 1.5},
		{"keep": false, "value": int64(-1)}, {"keep": false, "value": int64(maxValue + 1)},
	} {
		if _, _, err := New().Open(t.Context(), "", options); err == nil {
			t.Errorf("a member was opened with %v", options)
		}
	}
}

func TestDriverKnowsItsMembers(t *testing.T) {
	d := New()
	target := open(t, d, nil)
	if _, err := New().Dial(t.Context(), target); err == nil {
		t.Error("another driver connects to the member")
	}
	_, shut, err := d.Open(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Dial(t.Context(), drivers.Target{Endpoint: "mem-2"})
	if err != nil {
		t.Fatal(err)
	}
	if err := shut(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := shut(); err == nil {
		t.Error("a member was closed twice")
	}
	if _, err := c.Client(nil); err == nil {
		t.Error("a connection outlives its member")
	}
	if _, err := d.Dial(t.Context(), drivers.Target{Endpoint: "mem-2"}); err == nil {
		t.Error("a closed member was dialled")
	}
}
