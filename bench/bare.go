package main

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/kvscen/kvscen/internal/dist"
	"github.com/kvscen/kvscen/internal/result"
)

// bareSide is a store's client library in the hands of somebody who needs a loop and
// no more. Connections are made anew for each loop, as those of a phase are. A
// store in this process stays open, for it holds what was written.
type bareSide struct {
	store store
	at    place
	kept  *library
}

// each opens the library and runs f for every client at once, with memory of its
// own. around, if not nil, is called right before and after that.
func (b *bareSide) each(around func(), f func(r requests, client int, keys *dist.Keys, value []byte) error) error {
	lib, err := b.open()
	if err != nil {
		return fmt.Errorf("a bare loop over the library of %s: %w", b.store.name, err)
	}
	var wg sync.WaitGroup
	errs := make([]error, len(lib.clients), len(lib.clients)+1)
	if around != nil {
		around()
	}
	for i, r := range lib.clients {
		wg.Go(func() {
			keys, err := dist.NewKeys("", "", keySize, dist.Decimal, storedKeys, 1)
			if err == nil {
				err = f(r, i, keys, make([]byte, valueSize))
			}
			errs[i] = err
		})
	}
	wg.Wait()
	if around != nil {
		around()
	}
	if b.kept == nil {
		errs = append(errs, lib.close())
	}
	return errors.Join(errs...)
}

func (b *bareSide) open() (*library, error) {
	if b.kept != nil {
		return b.kept, nil
	}
	lib, err := b.store.library(b.at, b.store.clients, b.store.conns)
	if err == nil && b.store.isHere() {
		b.kept = lib
	}
	return lib, err
}

// close closes what stays open.
func (b *bareSide) close() error {
	if b.kept == nil {
		return nil
	}
	return b.kept.close()
}

// loop is clients in loops. timed is what a benchmark can't do without: the clock
// is read before and after each request, and the difference goes into a histogram
// of the client's own. Nothing else is recorded.
func (b *bareSide) loop(kind string, timed bool) (usage, error) {
	quiet()
	latencies := make([]*hdrhistogram.Histogram, b.store.clients)
	for i := range latencies {
		latencies[i] = result.NewHDR()
	}
	var stop atomic.Bool
	var total atomic.Uint64
	stream := dist.NewStream(1, "bare")
	var m meter
	around := func() {
		m.read()
		time.AfterFunc(sideFor, func() { stop.Store(true) }) // the second one does nothing
	}
	err := b.each(around, func(r requests, client int, keys *dist.Keys, value []byte) error {
		n := uint64(0)
		defer func() { total.Add(n) }()
		for ; !stop.Load(); n++ {
			at := n*uint64(len(latencies)) + uint64(client)
			key := keys.At(dist.Below(stream.At(at), storedKeys))
			if kind == "put" {
				dist.Fill(value, stream, at, 0)
			}
			var start time.Time
			if timed {
				start = time.Now()
			}
			err := request(r, kind, key, value)
			if timed && err == nil {
				err = latencies[client].RecordValue(int64(time.Since(start)))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return m.usage(total.Load()), err
}

func request(r requests, kind string, key, value []byte) error {
	if kind == "put" {
		return r.put(key, value)
	}
	return r.get(key)
}
