package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

const times = 11

// recorder times the encoding and writing of a second with many latencies.
func recorder(s *sheet) error {
	h := result.NewHDR()
	for range 100_000 {
		if err := h.RecordValue(int64(rand.ExpFloat64() * 2e6)); err != nil {
			return err
		}
	}
	at := time.Now()
	log := result.NewHLog(io.Discard, at)
	var took []float64
	for range times {
		began := time.Now()
		if err := log.Interval("etcd.write.put", at, at.Add(time.Second), h); err != nil {
			return err
		}
		took = append(took, float64(time.Since(began))/1e6)
	}
	s.limit("median of a second", median(took), 2, " ms")
	return nil
}

// check times the command over all scenarios.
func check(s *sheet) error {
	bin, remove, err := build()
	if err != nil {
		return err
	}
	defer remove()
	var took []float64
	for range times {
		began := time.Now()
		if out, err := exec.Command(bin, "check", "scenarios").CombinedOutput(); err != nil {
			return fmt.Errorf("kvscen check scenarios: %w\n%s", err, out)
		}
		took = append(took, float64(time.Since(began))/1e6)
	}
	s.limit("median", median(took), 200, " ms")
	return nil
}

// build makes the kvscen binary in a folder of its own.
func build() (bin string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "kvscen-bench")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // of what is left the system's cleaning takes care
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	bin = filepath.Join(dir, "kvscen")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", bin, "./cmd/kvscen").CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("go build ./cmd/kvscen: %w\n%s", err, out)
	}
	return bin, remove, nil
}
