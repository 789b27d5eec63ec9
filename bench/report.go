package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

const (
	hourSteps   = 8
	hourSeconds = 3600
	hourRate    = 2000 // requests a second
)

// pageOfAnHour makes report.html of three clusters of three members that ran for
// an hour each, in a process of its own.
func pageOfAnHour(s *sheet) error {
	bin, err := s.binary()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "kvscen-hour")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := saveHour(dir); err != nil {
		return err
	}
	debug.FreeOSMemory() // a child's peak is never below what its parent has
	var wall, cpu, peak []float64
	size := 0
	for range 5 {
		var page bytes.Buffer
		cmd := exec.Command(bin, "report", "--format", "html", dir)
		cmd.Stdout = &page
		began := time.Now()
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("kvscen report: %w", err)
		}
		wall = append(wall, time.Since(began).Seconds())
		cpu = append(cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
		if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			peak = append(peak, float64(u.Maxrss)*1024/mb)
		}
		size = page.Len()
	}
	info, err := os.Stat(filepath.Join(dir, result.FileName))
	if err != nil {
		return err
	}
	s.say("run.json has %.1f MB; wall clock %.2f s (median)", float64(info.Size())/mb, median(wall))
	s.limit("CPU time, median", median(cpu), 1, " s")
	s.limit("peak resident memory, median", median(peak), 200, " MB")
	s.limit("size of the page", float64(size)/mb, 3, " MB")
	return nil
}

// saveHour makes the result.
func saveHour(dir string) error {
	rng := rand.New(rand.NewPCG(5, 6))
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := &result.Run{Schema: result.Schema, Kvscen: "bench", Start: start, End: start.Add(3 * time.Hour), Clients: 1,
		Scenario: result.Scenario{Name: "hour", Title: "An hour.", Repeat: 1}}
	for _, label := range []string{"etcd", "zookeeper", "consul"} {
		c := result.Cluster{Label: label, Driver: label}
		p := result.Phase{Name: "write", Role: "measure", Start: start, Ops: []result.Op{{Name: "put", Weight: 1, RPCs: "1 Put"}}}
		for i := range hourSteps {
			step, err := hourStep(rng, i)
			if err != nil {
				return err
			}
			p.Steps = append(p.Steps, step)
		}
		p.Samples = result.Samples{Step: time.Second}
		for i := range 3 {
			m := result.Member{Name: fmt.Sprintf("m%d", i+1), Host: fmt.Sprintf("10.0.0.%d", i+1)}
			c.Members = append(c.Members, m)
			hourTracks(rng, &p.Samples, "member:"+m.Name, "cpu_percent", "rss_bytes", "threads_count", "voluntary_switches_per_second",
				"involuntary_switches_per_second", "read_bytes_per_second", "write_bytes_per_second")
			hourTracks(rng, &p.Samples, "host:"+m.Host, "disk_reads_per_second", "disk_writes_per_second", "sectors_read_per_second", "sectors_written_per_second",
				"disk_busy_percent", "rx_bytes_per_second", "tx_bytes_per_second", "load1", "memory_available_bytes", "cpu_pressure_percent", "io_pressure_percent", "memory_pressure_percent")
		}
		hourTracks(rng, &p.Samples, "client", "cpu_percent", "rss_bytes", "threads_count", "voluntary_switches_per_second", "involuntary_switches_per_second")
		c.Phases = []result.Phase{p}
		r.Clusters = append(r.Clusters, c)
	}
	return result.Save(dir, r)
}

func hourTracks(rng *rand.Rand, s *result.Samples, source string, names ...string) {
	for _, name := range names {
		values := make(result.Values, hourSeconds)
		for i := range values {
			values[i] = float64(int(1e9 * rng.Float64()))
		}
		s.Tracks = append(s.Tracks, result.Track{Source: source, Name: name, Values: values})
	}
}

func hourStep(rng *rand.Rand, index int) (result.Step, error) {
	const seconds = hourSeconds / hourSteps
	from := time.Duration(index*seconds) * time.Second
	n := uint64(seconds * hourRate)
	series := result.Series{Op: "put", OK: n, Service: &result.Hist{}, Seconds: result.Seconds{Start: from, Step: time.Second}}
	series.Ranges = &result.Ranges{First: uint64(index) * n, Width: 1000}
	all := result.NewHDR()
	for range seconds {
		h, sum, low, high := result.NewHDR(), uint64(0), int64(1<<62), int64(0)
		for range hourRate {
			v := int64(1e6 + rng.ExpFloat64()*3e6)
			sum, low, high = sum+uint64(v), min(low, v), max(high, v)
			if err := h.RecordValue(v); err != nil {
				return result.Step{}, err
			}
		}
		series.Seconds.Append(hourRate, 0, h, sum, low, high)
		for range hourRate / 1000 {
			k := series.Ranges
			k.OK, k.Min, k.Mean, k.Max = append(k.OK, 1000), append(k.Min, float64(low)), append(k.Mean, float64(sum/hourRate)), append(k.Max, float64(high))
		}
		all.Merge(h)
		series.Service.Sum += sum
	}
	series.Service.N, series.Service.Min, series.Service.Max = n, all.Min(), all.Max()
	return result.Step{
		Clients: 10 << index, Connections: 10, From: from, To: from + seconds*time.Second, EndedBy: "requests",
		Counts: result.Counts{Asked: n, Due: n, Attempted: n, OK: n}, Series: []result.Series{series},
	}, series.Service.Encode(all)
}
