package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
)

const (
	mb = 1e6
	kb = 1e3
)

// clients holds 10,000 clients against their memory.
func clients(s *sheet) error {
	dial, stop, err := onMem()
	if err != nil {
		return err
	}
	defer stop()
	const n = 10_000
	var rss float64
	_, err = run(op("put", plan.OrderSequential), plan.Step{Clients: n, Connections: n, Requests: 10 * putRequests / 3}, dial, func() {
		rss, _ = resident()
	})
	if err != nil {
		return err
	}
	s.limit("resident memory", rss/mb, 250, " MB")
	return nil
}

// memory compares what a step leaves on the heap after ten times as many
// requests.
func memory(s *sheet) error {
	dial, stop, err := onMem()
	if err != nil {
		return err
	}
	defer stop()
	start, err := resident()
	if err != nil {
		return err
	}
	measure := func(n uint64) (heap, rss, seconds float64, err error) {
		out, err := run(op("get", plan.OrderOne), plan.Step{Clients: 10, Connections: 10, Requests: n}, dial, nil)
		if err != nil {
			return 0, 0, 0, err
		}
		heap = live()
		rss, err = resident()
		seconds = (out.Result.To - out.Result.From).Seconds()
		runtime.KeepAlive(out)
		return heap, rss, seconds, err
	}
	few, _, _, err := measure(10_000_000)
	if err != nil {
		return err
	}
	many, rss, seconds, err := measure(100_000_000)
	if err != nil {
		return err
	}
	s.limit("growth of the live heap", (many-few)/mb, 1, " MB")
	s.limit("growth of RSS over the start", (rss-start)/mb, 16+64*kb*seconds/mb, " MB")
	return nil
}

// live is the heap after a collection.
func live() float64 {
	runtime.GC()
	runtime.GC() // what finalizers held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// resident is the RSS of this process in bytes.
func resident() (float64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, fmt.Errorf("reading the resident memory: %w", err)
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("reading the resident memory: %q has too few fields", text)
	}
	pages, err := strconv.ParseFloat(fields[1], 64)
	return pages * float64(os.Getpagesize()), err
}
