//go:build linux

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

const (
	lostScenario = "testdata/hosts/write.star"
	beforeLoss   = 3 * time.Second // of the phase, so that there is something to keep
	// lostWithin is by when a machine that is cut off must be named: 10 s, and as
	// much again for a machine of ours that is busy.
	lostWithin = 20 * time.Second
)

// writing starts the scenario, and waits for some seconds of its phase.
func writing(t *testing.T, f *fleet, hosts string, args ...string) *attempt {
	t.Helper()
	a := f.begin(t, hosts, lostScenario, args...)
	a.sees(t, "etcd write: 6 clients")
	time.Sleep(beforeLoss)
	return a
}

// cutOff takes the link of a machine away in the middle of a phase: the run ends,
// and keeps what was measured.
func cutOff(t *testing.T, f *fleet) {
	const lost = 2
	a := writing(t, f, f.hosts)
	cut := time.Now()
	f.Cut(t, lost)
	defer f.Mend(t, lost)
	a.sees(t, "the connection to "+f.Servers[lost].Address+" is lost")
	run := a.ends(t, result.StatusRun)
	lossNamed(t, f, run, lost, cut)
	s := run.Clusters[0].Phases[0].Steps[0]
	if s.EndedBy != "member" || s.Counts.OK == 0 {
		t.Errorf("the step ended by %s with %+v", s.EndedBy, s.Counts)
	}
	counted(t, s)
	keptOfOthers(t, f, run, lost)
	f.nothingRuns(t) // the machine was still cut off: its guard has seen to it
	f.Mend(t, lost)
	f.cleans(t)
}

// cutOffAndOn goes on with the others.
func cutOffAndOn(t *testing.T, f *fleet) {
	const lost = 2
	a := writing(t, f, f.hosts, "--set", "lost=continue", "--set", "seconds=20")
	cut := time.Now()
	f.Cut(t, lost)
	defer f.Mend(t, lost)
	run := a.ends(t, result.StatusOK)
	lossNamed(t, f, run, lost, cut)
	p := run.Clusters[0].Phases[0]
	s := p.Steps[0]
	if s.EndedBy != "duration" {
		t.Errorf("the step ended by %s", s.EndedBy)
	}
	counted(t, s)
	after := event(t, &run.Clusters[0], "host-lost").At.Sub(p.Start)
	seconds := s.Series[0].Seconds
	var ok uint32
	for i, n := range seconds.OK {
		if seconds.Start+time.Duration(i)*seconds.Step > after {
			ok += n
		}
	}
	if ok == 0 {
		t.Errorf("nothing was written after the loss, %v into the phase: %v", after, seconds.OK)
	}
	keptOfOthers(t, f, run, lost)
	f.nothingRuns(t)
	f.Mend(t, lost)
	f.cleans(t)
}

// withoutServer ends sshd and its sessions: the machine is there, but can't be
// seen any more.
func withoutServer(t *testing.T, f *fleet) {
	const lost = 1
	a := writing(t, f, f.hosts)
	stopped := time.Now()
	f.StopServer(t, lost)
	defer f.StartServer(t, lost)
	run := a.ends(t, result.StatusRun)
	lossNamed(t, f, run, lost, stopped)
	counted(t, run.Clusters[0].Phases[0].Steps[0])
	keptOfOthers(t, f, run, lost)
	f.nothingRuns(t)
}

// lossNamed looks for the event that names the machine, and for its time in the
// timeline.
func lossNamed(t *testing.T, f *fleet, run *result.Run, lost int, at time.Time) {
	t.Helper()
	e := event(t, &run.Clusters[0], "host-lost")
	if !strings.Contains(e.Text, f.Servers[lost].Address) || e.Member != run.Clusters[0].Members[lost].Name {
		t.Errorf("event %+v", e)
	}
	for _, other := range run.Clusters[0].Events {
		if other.Kind == "died" {
			t.Errorf("of a machine that is lost nobody knows whether its member died: %+v", other)
		}
	}
	if took := e.At.Sub(at); took < 0 || took > lostWithin {
		t.Errorf("the loss was named %v after it", took)
	}
	t.Logf("named after %v: %s", e.At.Sub(at), e.Text)
}

// keptOfOthers looks for the figures of the machines that are left, and for the
// seconds of the one that is not.
func keptOfOthers(t *testing.T, f *fleet, run *result.Run, lost int) {
	t.Helper()
	p := run.Clusters[0].Phases[0]
	for i, m := range p.Steps[0].Usage.Members {
		if known := m.CPUSeconds.OK(); known != (i != lost) {
			t.Errorf("CPU seconds of %s: %v", m.Name, m.CPUSeconds)
		}
		if i == lost && m.CPUSeconds.Reason == "" {
			t.Errorf("%s has no figures, and no reason: %+v", m.Name, m)
		}
	}
	for _, source := range []string{"member:" + run.Clusters[0].Members[lost].Name, "host:" + f.Servers[lost].Address} {
		seconds := 0
		for _, track := range p.Samples.Tracks {
			if track.Source != source {
				continue
			}
			for _, v := range track.Values {
				if v == v { // no gap
					seconds++
				}
			}
		}
		if seconds == 0 {
			t.Errorf("nothing is kept of %s", source)
		}
	}
}
