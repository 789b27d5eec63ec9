package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/etcd"
	"github.com/kvscen/kvscen/drivers/etcd/serve"
	"github.com/kvscen/kvscen/drivers/mem"
	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/scenario"
)

// TestMain lets the test binary stand in for kvscen's where the engine starts
// processes: it is the guard and the embedded member.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch ctx := context.Background(); os.Args[1] {
		case host.GuardCommand:
			os.Exit(host.Guard(ctx, os.Args[2:], os.Stderr))
		case "serve":
			args := slices.DeleteFunc(os.Args[3:], func(a string) bool { return a == "--" })
			if err := serve.Serve(ctx, args); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// three runs a load on three real members, and calls during once it is under
// way, with the folder that holds the members' data.
func three(t *testing.T, duration string, during func(data string)) (*result.Run, *watcher) {
	t.Helper()
	return onMembers(t, fmt.Sprintf(`"""Three members."""
def main():
    records = keys(100000, size = 32)
    return scenario(
        clusters = [stores["etcd"](nodes = 3)],
        phases = [phase("write", mix([(9, put(records.sequential(), value(128))), (1, cas(records.one(), value(8)))]), duration = %q, clients = 5)],
    )
`, duration), Config{Data: t.TempDir()}, during)
}

// onMembers runs a scenario on real members, and calls during once its load is under
// way, with the folder that holds the members' data.
func onMembers(t *testing.T, text string, cfg Config, during func(data string)) (*result.Run, *watcher) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "real.star")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if cfg.Drivers == nil {
		cfg.Drivers = map[string]drivers.Driver{"etcd": etcd.New(), "mem": mem.New()}
	}
	var specs []drivers.Spec
	for _, d := range cfg.Drivers {
		specs = append(specs, d.Spec())
	}
	s, err := scenario.Open(t.Context(), file, scenario.Options{Specs: specs})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Self, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	var begun bool
	obs := &watcher{on: func(e Event) {
		if e.Kind == KindProgress && !begun {
			begun = true
			during(cfg.Data)
		}
	}}
	cfg.Version, cfg.Out, cfg.Observer = "test", t.TempDir(), obs
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	r, err := Run(ctx, s.Plan, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !begun {
		t.Fatalf("the load never began: status %d, %s", r.Status, r.Reason)
	}
	return r, obs
}

// member finds the process of a member by its command line; guards have the same
// one behind their own.
func member(t *testing.T, data, name string) int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip("no /proc here")
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err != nil {
			continue
		}
		argv := strings.Split(string(text), "\x00")
		if len(argv) > 2 && argv[1] == "serve" && slices.Contains(argv, name) && strings.Contains(string(text), data) {
			return pid
		}
	}
	t.Errorf("no process of member %s", name)
	return 0
}

func send(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	if pid == 0 {
		return // said already
	}
	if err := syscall.Kill(pid, sig); err != nil {
		t.Errorf("signal %v to %d: %v", sig, pid, err)
	}
}

func TestAMemberThatDiesEndsTheRun(t *testing.T) {
	r, _ := three(t, "60s", func(data string) { send(t, member(t, data, "m2"), syscall.SIGKILL) })
	if r.Status != result.StatusRun || !strings.Contains(r.Reason, "m2") {
		t.Errorf("status %d, %q; want %d and a reason that names m2", r.Status, r.Reason, result.StatusRun)
	}
	c := r.Clusters[0]
	if !slices.ContainsFunc(c.Events, func(e result.Event) bool {
		return e.Kind == "died" && e.Member == "m2" && strings.Contains(e.Text, "its log ends with")
	}) {
		t.Errorf("events %+v tell of no death", c.Events)
	}
	step := c.Phases[0].Steps[0]
	if step.EndedBy != load.EndMember || step.Counts.OK == 0 {
		t.Errorf("the step ended by %s with %+v", step.EndedBy, step.Counts)
	}
}

func TestThreeMembersAreMeasured(t *testing.T) {
	var held sync.WaitGroup
	r, _ := three(t, "12s", func(data string) {
		// A leader that is held up for longer than the election timeout loses
		// its office.
		held.Go(func() {
			for _, name := range []string{"m1", "m2", "m3"} {
				pid := member(t, data, name)
				send(t, pid, syscall.SIGSTOP)
				time.Sleep(2500 * time.Millisecond)
				send(t, pid, syscall.SIGCONT)
			}
		})
	})
	held.Wait()
	if r.Status != result.StatusOK {
		t.Fatalf("status %d: %s", r.Status, r.Reason)
	}
	c := r.Clusters[0]
	if c.Version != "3.7.3" || len(c.Members) != 3 {
		t.Errorf("version %q, members %+v", c.Version, c.Members)
	}
	if !slices.ContainsFunc(c.Events, func(e result.Event) bool { return e.Kind == "leader" }) {
		t.Errorf("events %+v tell of no new leader, though each member was held up once", c.Events)
	}
	p := c.Phases[0]
	s := p.Steps[0]
	if n := s.Series[1].Retries; n > s.Series[1].OK/2 {
		t.Errorf("%d of %d cas are counted as hidden retries", n, s.Series[1].OK)
	}
	if s.Counts.OK == 0 || len(s.Usage.Members) != 3 {
		t.Fatalf("counts %+v, usage of %d members", s.Counts, len(s.Usage.Members))
	}
	for _, m := range s.Usage.Members {
		if !m.MaxRSS.OK() || m.MaxRSS.V < 5e6 || !m.CPUSeconds.OK() || m.CPUSeconds.V <= 0 || !m.DiskUsage.OK() || m.DiskUsage.V < 1e6 {
			t.Errorf("usage of %s: %+v", m.Name, m)
		}
	}
	for _, m := range p.Metrics {
		if m.Values["wal_fsync_count"] <= 0 || m.Values["proposals_committed_count"] < float64(s.Counts.OK)/2 || m.Values["db_total_bytes"] <= 0 {
			t.Errorf("metrics of %s: %v", m.Member, m.Values)
		}
	}
	if len(p.Metrics) != 3 || len(p.Samples.Tracks) == 0 {
		t.Errorf("metrics of %d members, %d tracks of samples", len(p.Metrics), len(p.Samples.Tracks))
	}
}
