package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/kvscen/kvscen/internal/procfs"
)

const (
	samplerTimes    = 5
	samplerReadings = 40 // each time
	samplerThreads  = 50 // of the member, about as many as a store in Java has
	samplerWithin   = 10 * time.Second
)

// sampler tells what being sampled costs a machine: the CPU time of the loop that
// answers there, with what it starts, for one member. A reading is taken each
// second, so that 10 ms of it are 1 % of one core. Much of it is the start of a
// program, which whatever else is at work here makes dearer: the least of some
// times counts.
func sampler(s *sheet) error {
	if _, err := procfs.Local(); err != nil {
		return fmt.Errorf("a machine is sampled by its /proc: %w", err)
	}
	release := threads(samplerThreads)
	defer release()
	var took []float64
	for range samplerTimes {
		used, err := loopCPU()
		if err != nil {
			return err
		}
		took = append(took, float64(used)/samplerReadings/1e6)
	}
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return err
	}
	start, err := startCPU()
	if err != nil {
		return err
	}
	s.say("%.2f to %.2f ms of CPU a reading, on a machine of %d processes; to start a program alone takes %.2f ms",
		slices.Min(took), slices.Max(took), len(processes), float64(start)/samplerReadings/1e6)
	s.limit("a reading each second", slices.Min(took)/10, 1, " % of one core")
	return nil
}

// loopCPU is the CPU time of a loop that answers to some readings, in which this
// process is the member.
func loopCPU() (time.Duration, error) {
	loop := exec.Command("/bin/sh", "-c", procfs.MirrorScript)
	in, err := loop.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := loop.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := loop.Start(); err != nil {
		return 0, err
	}
	if err := errors.Join(readings(in, out), loop.Wait()); err != nil {
		return 0, err
	}
	return loop.ProcessState.UserTime() + loop.ProcessState.SystemTime(), nil
}

// startCPU is the CPU time of a loop that starts the program of as many readings,
// which has nothing to do.
func startCPU() (time.Duration, error) {
	loop := exec.Command("/bin/sh", "-c", fmt.Sprintf("i=0; while [ $i -lt %d ]; do grep -s '' /dev/null; i=$((i+1)); done; true", samplerReadings))
	if err := loop.Run(); err != nil {
		return 0, fmt.Errorf("start grep: %w", err)
	}
	return loop.ProcessState.UserTime() + loop.ProcessState.SystemTime(), nil
}

// readings reads the machine over a loop's input and output, and ends it.
func readings(in io.WriteCloser, out io.Reader) error {
	defer in.Close() // ends the loop, which Wait tells
	mirror, err := procfs.NewMirror(in, out, samplerWithin)
	if err != nil {
		return err
	}
	member := procfs.Group{Roots: func() []int { return []int{os.Getpid()} }}
	r, err := procfs.NewReader(mirror, procfs.Config{Groups: []procfs.Group{member}, Interface: "lo"})
	for i := 0; i < samplerReadings && err == nil; i++ {
		_, err = r.Read()
	}
	_ = in.Close() // or Close would wait
	return errors.Join(err, mirror.Close())
}

// threads makes this process have n threads more until they are released.
func threads(n int) (release func()) {
	end := make(chan struct{})
	for range n {
		go func() {
			runtime.LockOSThread() // which ends with the goroutine
			<-end
		}()
	}
	return func() { close(end) }
}
