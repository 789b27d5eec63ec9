package host_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// within is how soon nothing may be left, also on a busy machine.
const within = time.Minute

// marked finds the processes whose command line holds mark, by their part in
// the family: "parent", "outer", "inner", or the kind of program.
func marked(t *testing.T, mark string) map[string]int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]int)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err != nil || !strings.Contains(string(line), mark) {
			continue
		}
		argv := strings.Split(string(line), "\x00")
		part := argv[1]
		switch {
		case part == "guard" && argv[2] == "--inner":
			part = "inner"
		case part == "guard":
			part = "outer"
		case part == "program":
			part = argv[2]
		}
		found[part] = pid
	}
	return found
}

// eventually waits until cond holds.
func eventually(t *testing.T, limit time.Duration, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !cond(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// family starts a parent with a program of the given kind under guards.
func family(t *testing.T, kind string) (parent *exec.Cmd, mark string) {
	t.Helper()
	mark = fmt.Sprintf("mark-%d-%d", os.Getpid(), rand.Uint64())
	parent = exec.Command(os.Args[0], "parent", filepath.Join(t.TempDir(), "log"), os.Args[0], "program", kind, mark)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = parent.Process.Kill()
		_ = parent.Wait()
		for _, pid := range marked(t, mark) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return parent, mark
}

func TestNothingSurvives(t *testing.T) {
	t.Parallel()
	tests := []struct {
		program string
		kill    []string
		signal  syscall.Signal
	}{
		{"tree", []string{"parent"}, syscall.SIGKILL},
		{"tree", []string{"outer"}, syscall.SIGKILL},
		{"tree", []string{"inner"}, syscall.SIGKILL},
		{"tree", []string{"parent", "outer"}, syscall.SIGKILL},
		{"tree", []string{"parent", "inner"}, syscall.SIGKILL},
		{"forker", []string{"outer", "inner"}, syscall.SIGKILL},
		{"stubborn", []string{"parent", "outer", "inner"}, syscall.SIGKILL},
		{"tree", []string{"outer"}, syscall.SIGTERM},
		{"tree", []string{"inner"}, syscall.SIGINT},
		{"tree", []string{"outer"}, syscall.SIGQUIT},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%v to %v of %s", test.signal, test.kill, test.program), func(t *testing.T) {
			t.Parallel()
			parent, mark := family(t, test.program)
			grown := map[string]int{"stubborn": 1, "forker": 2, "tree": 2}[test.program] + 3
			eventually(t, within, "the whole family is up", func() bool {
				all := marked(t, mark)
				return len(all) >= grown && all["orphaner"] == 0
			})
			all := marked(t, mark)
			for _, part := range test.kill {
				if err := syscall.Kill(all[part], test.signal); err != nil {
					t.Fatal(err)
				}
			}
			if slices.Contains(test.kill, "parent") {
				_ = parent.Wait()
			}
			eventually(t, within, "only the parent is left", func() bool {
				left := marked(t, mark)
				delete(left, "parent")
				return len(left) == 0
			})
		})
	}
}

func TestNothingSurvivesEarlyDeath(t *testing.T) {
	t.Parallel()
	for i := range 6 {
		parent, mark := family(t, "tree")
		after := time.Duration(rand.IntN(80)) * time.Millisecond
		time.Sleep(after)
		victims := []int{parent.Process.Pid}
		if outer := marked(t, mark)["outer"]; i%2 == 1 && outer != 0 {
			victims = append(victims, outer)
		}
		for _, pid := range victims {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = parent.Wait()
		// Nobody may still be on the way up: twice nothing, with a pause.
		quiet := 0
		eventually(t, within, fmt.Sprintf("all is gone after kill -9 of %v at %v", victims, after), func() bool {
			left := slices.Collect(maps.Keys(marked(t, mark)))
			if quiet++; len(left) > 0 {
				quiet = 0
			}
			return quiet > 10
		})
	}
}
