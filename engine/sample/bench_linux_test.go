package sample_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/kvscen/kvscen/engine/sample"
)

// BenchmarkEdge is a reading of three members of 20 threads, the client and the
// host. Its CPU time is the sampler's price a second: it must stay below 3 ms.
func BenchmarkEdge(b *testing.B) {
	var members []sample.Member
	for i := range 3 {
		w := startWorker(b, "threads")
		members = append(members, sample.Member{Name: fmt.Sprint("m", i+1), PIDs: w.pids, DataDir: b.TempDir()})
	}
	s := start(b, sample.Config{Interval: time.Hour, Interface: "lo", Members: members})
	before := ownCPU()
	for b.Loop() {
		s.Edge()
	}
	b.ReportMetric(float64((ownCPU()-before).Microseconds())/float64(b.N), "cpu-µs/op")
}
