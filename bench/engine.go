package main

import (
	"runtime"
	"time"

	"github.com/kvscen/kvscen/internal/dist"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

const (
	enginePairs    = 9
	engineRequests = 10_000_000
	putRequests    = 3_000_000
)

// engineGet compares the engine with the least that a closed loop must do for a
// request: make the key, read the clock twice, record the difference.
func engineGet(s *sheet) error {
	dial, stop, err := onMem()
	if err != nil {
		return err
	}
	defer stop()
	return s.pairs(enginePairs, 1.5,
		func() (float64, error) {
			return cost(op("get", plan.OrderOne), plan.Step{Clients: 1, Connections: 1, Requests: engineRequests}, dial)
		},
		func() (float64, error) { return bare(engineRequests, func(k *dist.Keys, _ uint64) { k.At(0) }) })
}

// enginePut compares with a loop that makes the same values.
func enginePut(s *sheet) error {
	dial, stop, err := onMem()
	if err != nil {
		return err
	}
	defer stop()
	value, stream := make([]byte, valueSize), dist.NewStream(1, "bench")
	return s.pairs(enginePairs, 1.5,
		func() (float64, error) {
			return cost(op("put", plan.OrderSequential), plan.Step{Clients: 1, Connections: 1, Requests: putRequests}, dial)
		},
		func() (float64, error) {
			return bare(putRequests, func(k *dist.Keys, i uint64) {
				k.At(i % keyCount)
				dist.Fill(value, stream, i, 0)
			})
		})
}

// bare is a loop that makes requests, times nothing and records it.
func bare(n uint64, request func(k *dist.Keys, i uint64)) (float64, error) {
	keys, err := dist.NewKeys("", "", keySize, dist.Decimal, keyCount, 1)
	if err != nil {
		return 0, err
	}
	h, start := result.NewHDR(), time.Now()
	began := cpu()
	for i := range n {
		request(keys, i)
		from := time.Since(start)
		to := time.Since(start)
		if err := h.RecordValue(int64(to - from)); err != nil {
			return 0, err
		}
	}
	return float64(cpu()-began) / float64(n), nil
}

// allocations counts what is allocated while requests are under way, for a long
// and a short step: the difference is what the requests cost.
func allocations(s *sheet) error {
	dial, stop, err := onMem()
	if err != nil {
		return err
	}
	defer stop()
	mallocs := func(n uint64) (float64, error) {
		var edges []uint64
		_, err := run(op("put", plan.OrderSequential), plan.Step{Clients: 8, Connections: 8, Requests: n}, dial, func() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			edges = append(edges, m.Mallocs)
		})
		if err != nil {
			return 0, err
		}
		return float64(edges[1] - edges[0]), nil
	}
	short, err := mallocs(1000)
	if err != nil {
		return err
	}
	long, err := mallocs(1000 + putRequests)
	if err != nil {
		return err
	}
	// A second that is recorded allocates some; a request must not.
	s.limit("allocations a request", (long-short)/putRequests, 0.001, "")
	return nil
}
