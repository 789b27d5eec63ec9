package sample_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/procfs/proctest"
	"github.com/kvscen/kvscen/internal/result"
)

func collect(times int) {
	for range times {
		runtime.GC()
	}
}

// start samples until the test ends.
func start(t testing.TB, cfg sample.Config) *sample.Sampler {
	t.Helper()
	s, err := sample.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// number gives what a figure is, and fails where it is not known.
func number(t *testing.T, name string, n result.Number) float64 {
	t.Helper()
	if !n.OK() {
		t.Fatalf("%s is n/a (%s)", name, n.Reason)
	}
	return n.V
}

// madeUp is a host whose one server, process 10, has used cpu(seconds) of CPU,
// and holds rss(seconds) kB. Its clock is the bubble's.
func madeUp(t *testing.T, cpu, rss func(at float64) float64) *proctest.Host {
	h := proctest.NewHost(t)
	begin := time.Now()
	h.OnFetch = func([]string) error {
		at := time.Since(begin).Seconds()
		h.Write("uptime", fmt.Sprintf("%.2f 0.00\n", 1000+at))
		h.Set(proctest.Process{
			PID: 10, Start: 1, Own: int(math.Round(100 * cpu(at))), RSS: int(rss(at)),
			WrittenBytes: int(2000 * at),
		})
		return nil
	}
	return h
}

func steady(v float64) func(float64) float64 { return func(at float64) float64 { return v * at } }
func fixed(v float64) func(float64) float64  { return func(float64) float64 { return v } }

func server() sample.Member {
	return sample.Member{Name: "m1", PIDs: func() []int { return []int{10} }}
}

// track finds a column.
func track(t *testing.T, s result.Samples, source, name string) result.Values {
	t.Helper()
	for _, tr := range s.Tracks {
		if tr.Source == source && tr.Name == name {
			return tr.Values
		}
	}
	t.Fatalf("no column %s of %s", name, source)
	return nil
}

func same(got, want result.Values) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if math.IsNaN(got[i]) != math.IsNaN(want[i]) || math.Abs(got[i]-want[i]) > 0.01 {
			return false
		}
	}
	return true
}

func TestMissingSampleIsAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := madeUp(t, steady(0.5), fixed(100))
		begin, inner := time.Now(), h.OnFetch
		h.OnFetch = func(patterns []string) error {
			if at := time.Since(begin).Seconds(); at > 2.5 && at < 3.5 {
				return errors.New("the host does not answer")
			}
			return inner(patterns)
		}
		s := start(t, sample.Config{Source: h, Members: []sample.Member{server()}})
		time.Sleep(5500 * time.Millisecond)
		got := s.Samples(begin, time.Now())
		nan := math.NaN()
		// The fourth covers two seconds, and is divided by two.
		if v := track(t, got, "member:m1", "cpu_percent"); !same(v, result.Values{50, 50, nan, 50, 50}) {
			t.Errorf("CPU = %v", v)
		}
		if v := track(t, got, "member:m1", "write_bytes_per_second"); !same(v, result.Values{2000, 2000, nan, 2000, 2000}) {
			t.Errorf("bytes written = %v", v)
		}
		if v := track(t, got, "member:m1", "rss_bytes"); !same(v, result.Values{102400, 102400, nan, 102400, 102400}) {
			t.Errorf("RSS = %v", v)
		}
		if got.Start != time.Second || got.Step != time.Second {
			t.Errorf("time base = %v + n*%v, want 1s + n*1s", got.Start, got.Step)
		}
		for _, tr := range got.Tracks {
			if tr.Name == "cpu_pressure_percent" {
				t.Errorf("a host without pressure has a column of it: %v", tr.Values)
			}
		}
	})
}

func TestEdgeThatCanNotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := madeUp(t, steady(0.5), fixed(100))
		begin, inner := time.Now(), h.OnFetch
		h.OnFetch = func(patterns []string) error {
			if time.Since(begin) > 3400*time.Millisecond {
				return errors.New("the host does not answer")
			}
			return inner(patterns)
		}
		s := start(t, sample.Config{Source: h, Members: []sample.Member{server()}})
		a := s.Edge()
		time.Sleep(3500 * time.Millisecond)
		u := s.Between(a, s.Edge()).Members[0]
		if u.CPUSeconds.OK() || !strings.Contains(u.CPUSeconds.Reason, "does not answer") {
			t.Errorf("CPU = %+v, want the reason", u.CPUSeconds)
		}
		if u.MaxCPU != result.Known(50) || u.MaxRSS != result.Known(102400) {
			t.Errorf("largest CPU %+v and RSS %+v, want those that were sampled", u.MaxCPU, u.MaxRSS)
		}
	})
}

func TestLateSampleLeavesGaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := madeUp(t, steady(0.5), fixed(100))
		begin, inner, slept := time.Now(), h.OnFetch, false
		h.OnFetch = func(patterns []string) error {
			if time.Since(begin) > 1500*time.Millisecond && !slept {
				slept = true
				time.Sleep(2600 * time.Millisecond)
			}
			return inner(patterns)
		}
		s := start(t, sample.Config{Source: h, Members: []sample.Member{server()}})
		time.Sleep(6500 * time.Millisecond)
		got := track(t, s.Samples(begin, time.Now()), "member:m1", "rss_bytes")
		kb := 102400.0
		if want := (result.Values{kb, kb, math.NaN(), math.NaN(), kb, kb}); !same(got, want) {
			t.Errorf("RSS = %v, want %v", got, want)
		}
	})
}

func TestMaximaOfAWindow(t *testing.T) {
	// CPU by second: 10 %, 200 %, 20 %, 20 %, ...; memory peaks in passing.
	cpu := func(at float64) float64 {
		switch {
		case at <= 1:
			return 0.1 * at
		case at <= 2:
			return 0.1 + 2*(at-1)
		}
		return 2.1 + 0.2*(at-2)
	}
	rss := func(at float64) float64 {
		if at > 1.9 && at < 2.1 {
			return 5000
		}
		return 1000
	}
	tests := []struct {
		name          string
		from, to      time.Duration
		cpu, sum, rss float64 // cpu < 0: n/a
	}{
		{"the busiest full second", 500 * time.Millisecond, 3200 * time.Millisecond, 200, 2.29, 5000},
		{"a second that only ends within does not count", 1900 * time.Millisecond, 3200 * time.Millisecond, 100 * (0.2 + 0.24) / 1.3, 0.44, 5000},
		{"the peak is over", 2500 * time.Millisecond, 4500 * time.Millisecond, 20, 0.4, 1000},
		{"no full second: the mean", 1200 * time.Millisecond, 1700 * time.Millisecond, 200, 1, 1000},
		{"too short for the grain", 1200 * time.Millisecond, 1250 * time.Millisecond, -1, 0.1, 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := madeUp(t, cpu, rss)
				s := start(t, sample.Config{Source: h, Members: []sample.Member{server()}})
				time.Sleep(tt.from)
				a := s.Edge()
				time.Sleep(tt.to - tt.from)
				u := s.Between(a, s.Edge()).Members[0]
				if tt.cpu < 0 != !u.MaxCPU.OK() || tt.cpu >= 0 && math.Abs(u.MaxCPU.V-tt.cpu) > 0.1 {
					t.Errorf("largest CPU = %+v, want %v", u.MaxCPU, tt.cpu)
				}
				if math.Abs(u.CPUSeconds.V-tt.sum) > 0.001 {
					t.Errorf("CPU = %+v, want %v", u.CPUSeconds, tt.sum)
				}
				if u.MaxRSS != result.Known(tt.rss*1024) {
					t.Errorf("RSS = %+v, want %v", u.MaxRSS, tt.rss*1024)
				}
				if u.DiskUsage != result.NA("not read yet") || u.Leader {
					t.Errorf("disk usage %+v, leader %v: not the sampler's to say", u.DiskUsage, u.Leader)
				}
			})
		})
	}
}

func TestSamplesOfAPhase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := madeUp(t, func(at float64) float64 { return at * at / 2 }, fixed(1))
		s := start(t, sample.Config{Source: h, Members: []sample.Member{server()}})
		begin := time.Now()
		time.Sleep(6500 * time.Millisecond)
		got := s.Samples(begin.Add(2300*time.Millisecond), begin.Add(5*time.Second))
		if got.Start != 700*time.Millisecond {
			t.Errorf("first sample at %v, want 700ms", got.Start)
		}
		if v := track(t, got, "member:m1", "cpu_percent"); !same(v, result.Values{250, 350, 450}) {
			t.Errorf("CPU = %v, want that of the third to fifth second", v)
		}
		if got := s.Samples(begin.Add(100*time.Millisecond), begin.Add(800*time.Millisecond)); len(got.Tracks) != 0 {
			t.Errorf("a phase without a sample has %d columns", len(got.Tracks))
		}
		if got := s.Samples(begin.Add(time.Hour), begin.Add(2*time.Hour)); len(got.Tracks) != 0 {
			t.Errorf("a phase to come has %d columns", len(got.Tracks))
		}
	})
}

func TestWhoIsNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := madeUp(t, steady(1), fixed(1))
		gone := sample.Member{Name: "m2", PIDs: func() []int { return []int{99} }}
		s := start(t, sample.Config{Source: h, Members: []sample.Member{
			{Name: "m1", Host: "10.0.0.1"}, gone, {Name: "m3"}, {Name: "m4", Host: "10.0.0.1"},
		}})
		a := s.Edge()
		time.Sleep(2 * time.Second)
		u := s.Between(a, s.Edge())
		want := []string{"figures of other hosts are not read", "not running", "its processes are not known", "figures of other hosts are not read"}
		for i, m := range u.Members {
			if m.CPUSeconds != result.NA(want[i]) || m.MaxRSS != result.NA(want[i]) || m.WriteBytes != result.NA(want[i]) {
				t.Errorf("%s: CPU %+v, RSS %+v, bytes %+v; want n/a (%s)", m.Name, m.CPUSeconds, m.MaxRSS, m.WriteBytes, want[i])
			}
		}
		if len(u.Hosts) != 2 || u.Hosts[0].Name != sample.Local || u.Hosts[1].Name != "10.0.0.1" {
			t.Fatalf("hosts = %+v, want this one and 10.0.0.1", u.Hosts)
		}
		if l := u.Hosts[0]; !l.Client || !l.Servers || l.RX != result.NA("the interface is not known") || l.SectorsWritten != result.NA("no data folder is known") {
			t.Errorf("this host = %+v", l)
		}
		if o := u.Hosts[1]; o.Client || !o.Servers || o.RX.OK() {
			t.Errorf("the other host = %+v", o)
		}
	})
}

func TestMembersInProcessAreTheClient(t *testing.T) {
	s := start(t, sample.Config{InProcess: true, Members: []sample.Member{{Name: "m1"}, {Name: "m2"}}})
	a := s.Edge()
	burn(150 * time.Millisecond)
	u := s.Between(a, s.Edge())
	if len(u.Members) != 1 || u.Members[0].Name != "m1, m2" {
		t.Fatalf("members = %+v, want one row for both", u.Members)
	}
	m := u.Members[0]
	m.Name, m.Host = u.Client.Name, u.Client.Host
	if m != u.Client || u.Client.CPUSeconds.V < 0.15 {
		t.Errorf("members %+v, client %+v; want the same", m, u.Client)
	}
}

func TestStartAndStop(t *testing.T) {
	if s, err := sample.Start(t.Context(), sample.Config{Interval: -1}); err == nil {
		s.Stop()
		t.Error("a negative interval is taken")
	}
	s := start(t, sample.Config{Interval: time.Millisecond})
	s.Stop()
	s.Stop()
	if e := s.Edge(); e.At.IsZero() {
		t.Error("no edge after the stop")
	}
}
