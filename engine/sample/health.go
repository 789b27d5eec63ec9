package sample

import (
	"math"
	"runtime/metrics"
	"time"

	prom "github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/kvscen/kvscen/internal/result"
)

// Names of the Go runtime's own figures.
const (
	metricPauses = "/sched/pauses/total/gc:seconds" // each stop of the world, two a collection
	metricSched  = "/sched/latencies:seconds"       // from runnable to running
)

// health is how the Go runtime fared until now.
type health struct {
	pauses, sched *metrics.Float64Histogram // nil: this runtime does not tell
}

func readHealth() health {
	samples := []metrics.Sample{{Name: metricPauses}, {Name: metricSched}}
	metrics.Read(samples)
	return health{pauses: histogramOf(samples[0]), sched: histogramOf(samples[1])}
}

func histogramOf(s metrics.Sample) *metrics.Float64Histogram {
	if s.Value.Kind() != metrics.KindFloat64Histogram {
		return nil
	}
	return s.Value.Float64Histogram()
}

// Health is how kvscen itself fared from edge a to edge b. Pauses and lags are
// given by the upper edges of the runtime's buckets, at most an eighth too high.
func (s *Sampler) Health(a, b Edge) result.ClientHealth {
	s.mu.Lock()
	files := larger(a.now.client.openFiles, b.now.client.openFiles)
	files = larger(files, s.log.largest(0, figureOpenFiles, s.offset(a), s.offset(b), false))
	s.mu.Unlock()
	pauses := difference(a.health.pauses, b.health.pauses)
	sched := difference(a.health.sched, b.health.sched)
	return result.ClientHealth{
		CPUSeconds:  grown(a.now.client.cpu, b.now.client.cpu, b.now.client.err),
		GCPauses:    uint32(min(pauses.count(), math.MaxUint32)),
		GCPauseMax:  pauses.quantile(1),
		SchedLagP99: sched.quantile(0.99),
		OpenFiles:   known(files, s.noProc),
	}
}

// ownCPU is the CPU time of this process, without children.
func ownCPU() time.Duration {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0 // can't be: both arguments are right
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// openFiles counts the open files of this process; NaN where there is no /proc.
func openFiles() float64 {
	self, err := prom.Self()
	if err != nil {
		return math.NaN()
	}
	n, err := self.FileDescriptorsLen()
	if err != nil {
		return math.NaN()
	}
	return float64(n)
}
