//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshtest"
)

// TestHosts runs kvscen on three machines as its users do. All share them: the
// most that it takes is the copying of kvscen to each. What a machine is put
// through is mended by the test that did it.
func TestHosts(t *testing.T) {
	f := newFleet(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *fleet)
	}{
		{"newcomer", newcomer},
		{"cut", cutOff},
		{"cut and on", cutOffAndOn},
		{"no sshd", withoutServer},
		{"disk full", diskFullOnHost},
		{"refused", refusedByHosts},
		{"six", overIPv6},
		{"far", farAway},
		{"killed", killedOnHosts}, // last: loops on a machine that was cut off end after a minute
	} {
		if !t.Run(test.name, func(t *testing.T) { test.run(t, f) }) {
			f.logs(t)
		}
	}
	f.allQuiet(t)
}

// fleet is three machines, and a user who knows them.
type fleet struct {
	*sshtest.Machines
	home  string
	hosts string // file of all three
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{Machines: sshtest.NewMachines(t, 3)}
	var config strings.Builder
	for _, s := range f.Servers {
		config.WriteString(s.Entry())
	}
	f.home = sshtest.Home(t, config.String(), f.Servers...)
	f.hosts = f.file(t, "hosts.txt", func(s *sshtest.Server) string { return s.Address })
	return f
}

// file writes a file with a line for each machine.
func (f *fleet) file(t *testing.T, name string, line func(*sshtest.Server) string) string {
	t.Helper()
	var text strings.Builder
	for _, s := range f.Servers {
		text.WriteString(line(s) + "\n")
	}
	path := filepath.Join(f.home, name)
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// logs shows what the machines' servers have to say for themselves.
func (f *fleet) logs(t *testing.T) {
	for _, s := range f.Servers {
		text, _ := os.ReadFile(filepath.Join(s.Home, "sshd.log"))
		t.Logf("sshd of %s:\n%s", s.Address, text[max(0, len(text)-2000):])
	}
}

// command is kvscen run by a user with a home folder.
func command(t *testing.T, home string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	binary, err := exec.LookPath("kvscen")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "SSH_AUTH_SOCK=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// nothingRuns waits until no member and no guard is left on any machine.
func (f *fleet) nothingRuns(t *testing.T) {
	t.Helper()
	f.endOf(t, killEnds, func(process string) bool { return strings.Contains(process, "kvscen/") })
}

// allQuiet waits until nothing of ours is left on any machine. Loops of the shell
// there have more patience with a link that is cut than a guard has.
func (f *fleet) allQuiet(t *testing.T) {
	t.Helper()
	f.endOf(t, 3*time.Minute, func(string) bool { return true })
}

func (f *fleet) endOf(t *testing.T, limit time.Duration, which func(process string) bool) {
	t.Helper()
	for i, s := range f.Servers {
		left := func() []string {
			return slices.DeleteFunc(f.Left(i), func(p string) bool { return !which(p) })
		}
		for end := time.Now().Add(limit); len(left()) > 0; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("left behind on %s:\n%s", s.Address, strings.Join(left(), "\n"))
				break
			}
		}
	}
}

// folders are those of runs that are left on the machines.
func (f *fleet) folders(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, s := range f.Servers {
		found, err := filepath.Glob(filepath.Join(s.Home, ".kvscen", "runs", "*"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return list
}

// cleans has the command remove what it finds, until it finds nothing.
func (f *fleet) cleans(t *testing.T) {
	t.Helper()
	for _, args := range [][]string{{"--yes"}, nil} {
		cmd, out := command(t, f.home, append([]string{"clean", "--hosts", f.hosts}, args...)...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("clean %v: %v\n%s", args, err, out)
		}
		if args == nil && strings.Count(out.String(), "nothing is left") != len(f.Servers) {
			t.Errorf("after clean --yes there is left:\n%s", out)
		}
	}
	if left := f.folders(t); len(left) > 0 {
		t.Errorf("clean has left %v", left)
	}
}
