package drivertest

import (
	"errors"
	"fmt"
	"sync"

	"github.com/kvscen/kvscen/drivers"
)

var errStale = errors.New("an error of another request")

// together runs one function for each client at the same time and adds up what
// they return. Each is prepared in the test's own goroutine.
func (s *suite) together(clients int, prepare func(client int) func() (int, error)) int {
	s.Helper()
	counts, errs := make([]int, clients), make([]error, clients)
	var wg sync.WaitGroup
	for i := range clients {
		work := prepare(i)
		wg.Go(func() { counts[i], errs[i] = work() })
	}
	wg.Wait()
	sum := 0
	for i := range clients {
		if errs[i] != nil {
			s.Errorf("client %d: %v", i, errs[i])
		}
		sum += counts[i]
	}
	return sum
}

// testConcurrent lets many clients write on one connection, each request twice
// and each third one removed again, and then counts.
func testConcurrent(s *suite) {
	s.needs(drivers.Put, drivers.Get, drivers.Delete)
	const clients, each = 24, 12
	put, del := s.op(drivers.Put), s.op(drivers.Delete)
	kept := s.together(clients, func(client int) func() (int, error) {
		r := s.bind(s.conn, put, del)
		return func() (int, error) {
			kept := 0
			for n := range each {
				key := s.key(fmt.Sprintf("%02d/%02d", client, n))
				for range 2 {
					if err := r.do(s.Context(), &drivers.Op{Key: key, Value: key}); err != nil {
						return kept, err
					}
				}
				kept++
				if n%3 != 0 {
					continue
				}
				gone := drivers.Op{Spec: 1, Key: key}
				if err := r.do(s.Context(), &gone); err != nil {
					return kept, err
				}
				kept -= gone.Count
			}
			return kept, nil
		}
	})
	if want := clients * each * 2 / 3; kept != want {
		s.Errorf("by the results %d keys are kept, want %d", kept, want)
	}
	found := 0
	for client := range clients {
		for n := range each {
			key := s.key(fmt.Sprintf("%02d/%02d", client, n))
			if value := s.get(key); value != nil {
				found++
				s.holds(key, key)
			}
		}
	}
	if found != kept {
		s.Errorf("the store holds %d keys, by the results %d", found, kept)
	}
}
