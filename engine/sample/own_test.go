package sample

import (
	"math"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

func TestBuckets(t *testing.T) {
	inf := math.Inf(1)
	bounds := []float64{-inf, 0.001, 0.002, 0.004, inf}
	tests := []struct {
		name string
		a, b []uint64
		n    uint64
		p99  time.Duration
		most time.Duration
	}{
		{"nothing since", []uint64{5, 5, 5, 5}, []uint64{5, 5, 5, 5}, 0, 0, 0},
		{"what was before does not count", []uint64{0, 0, 0, 9}, []uint64{0, 3, 0, 9}, 3, 2 * time.Millisecond, 2 * time.Millisecond},
		{"99 of 100", []uint64{0, 0, 0, 0}, []uint64{99, 0, 1, 0}, 100, time.Millisecond, 4 * time.Millisecond},
		{"98 of 100", []uint64{0, 0, 0, 0}, []uint64{98, 0, 2, 0}, 100, 4 * time.Millisecond, 4 * time.Millisecond},
		{"no upper edge", []uint64{0, 0, 0, 0}, []uint64{0, 0, 0, 1}, 1, 4 * time.Millisecond, 4 * time.Millisecond},
	}
	for _, tt := range tests {
		d := difference(&metrics.Float64Histogram{Counts: tt.a, Buckets: bounds}, &metrics.Float64Histogram{Counts: tt.b, Buckets: bounds})
		if d.count() != tt.n || d.quantile(0.99) != tt.p99 || d.quantile(1) != tt.most {
			t.Errorf("%s: %d, p99 %v, max %v; want %d, %v, %v", tt.name, d.count(), d.quantile(0.99), d.quantile(1), tt.n, tt.p99, tt.most)
		}
	}
	if d := difference(nil, nil); d.count() != 0 || d.quantile(0.5) != 0 {
		t.Errorf("without histograms: %+v", d)
	}
}

// TestMemoryOfAnHour: the budget of the whole program is 64 KB a second.
func TestMemoryOfAnHour(t *testing.T) {
	s := &Sampler{members: []Member{{Name: "m1"}, {Name: "m2"}, {Name: "m3"}}}
	s.log = newHistory(time.Second, s.sources())
	row := s.row(snapshot{members: make([]process, 3)}, snapshot{members: make([]process, 3)})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const seconds = 3600
	for i := range time.Duration(seconds) {
		s.log.add((i+1)*time.Second, i*time.Second, row)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / seconds; each > 1024 {
		t.Errorf("%d bytes a second, want at most 1024", each)
	}
	runtime.KeepAlive(s)
}

func TestCPUModel(t *testing.T) {
	tests := []struct{ text, want string }{
		{"processor\t: 0\nmodel name\t: AMD EPYC\nflags\t: a b\n", "AMD EPYC"},
		{"processor\t: 0\nBogoMIPS\t: 108.00\n\nHardware\t: BCM2835\nModel\t\t: Raspberry Pi 4 Model B\n", "Raspberry Pi 4 Model B"},
		{"processor\t: 0\nBogoMIPS\t: 50.00\n", ""},
	}
	for _, tt := range tests {
		if got := CPUModel(tt.text); got != tt.want {
			t.Errorf("cpuModel = %q, want %q", got, tt.want)
		}
	}
}

func TestEnvironmentOfThisMachine(t *testing.T) {
	env := Environment(t.TempDir())
	if env.OS != runtime.GOOS+"/"+runtime.GOARCH || env.Kernel == "" || env.Go != runtime.Version() {
		t.Errorf("system = %q, kernel %q, Go %q", env.OS, env.Kernel, env.Go)
	}
	if env.Cores < 1 || env.GOMAXPROCS < 1 || env.OpenFiles < 1 || env.GOGC == "" {
		t.Errorf("environment = %+v", env)
	}
	if runtime.GOOS == "linux" && (env.Memory < 1<<20 || env.FileSystem == "") {
		t.Errorf("memory %d, file system %q", env.Memory, env.FileSystem)
	}
}

func TestRoute(t *testing.T) {
	for _, endpoint := range []string{"127.0.0.1:2379", "localhost:2379"} {
		name, loopback, err := Route(endpoint)
		if err != nil || name == "" || !loopback {
			t.Errorf("Route(%s) = %q, %v, %v; want the loopback interface", endpoint, name, loopback, err)
		}
	}
	if _, _, err := Route("no port"); err == nil {
		t.Error("an endpoint without a port has a route")
	}
}
