package doctor

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
)

func machine(files map[string]string, programs ...string) Machine {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Machine{Files: m, LookPath: func(name string) (string, error) {
		for _, p := range programs {
			if filepath.Base(p) == name {
				return p, nil
			}
		}
		return "", errors.New("not found")
	}}
}

func TestChecks(t *testing.T) {
	const gb = 1000 * 1000 * 1000
	proc := map[string]string{
		"proc/self/stat": "1", "proc/self/io": "1", "proc/stat": "1", "proc/diskstats": "1",
		"proc/net/dev": "1", "proc/uptime": "1", "proc/pressure/io": "1",
	}
	partial := map[string]string{"proc/stat": "1", "proc/self/stat": "1"}
	for name, c := range map[string]struct {
		got    Check
		status Status
		text   string // found in Text or Advice
	}{
		"files enough":      {openFiles(2000, 4000, 1000), OK, "limit 2,000, at most 4,000"},
		"files just enough": {openFiles(1256, 1256, 1000), OK, ""},
		"files one short":   {openFiles(1255, 1255, 1000), Bad, "1,000 connections need about 1,256 open files, the limit is 1,255"},
		"files low":         {openFiles(1024, 1024, 0), Warn, "thousands"},
		"files unlimited":   {openFiles(1<<63-1, 1<<63-1, 10), OK, "unlimited"},
		"disk enough":       {diskSpace("/d", 100*gb, 8*gb), OK, "100 GB free under /d"},
		"disk tight":        {diskSpace("/d", 10*gb, 9500*1000*1000), Warn, "9.5 GB of the 10 GB"},
		"disk short":        {diskSpace("/d", 7*gb, 8*gb), Bad, "need 8.0 GB, 7.0 GB are free under /d"},
		"disk low":          {diskSpace("/d", 4*gb, 0), Warn, "write-1m"},
		"memory enough":     {Memory(machine(map[string]string{"proc/meminfo": "MemTotal: 4000 kB\nMemAvailable: 2000 kB"}), 2048000, 0), OK, "2.0 MB available"},
		"memory short":      {Memory(machine(map[string]string{"proc/meminfo": "MemAvailable: 2000 kB"}), 2048001, 0), Bad, "fewer connections"},
		"memory of members": {Memory(machine(map[string]string{"proc/meminfo": "MemAvailable: 2000 kB"}), 1024000, 1024001), Warn, "1.0 MB when they hold what is written, 2.0 MB are available"},
		"memory of both":    {Memory(machine(map[string]string{"proc/meminfo": "MemAvailable: 2000 kB"}), 1024000, 1024000), OK, "available"},
		"memory unknown":    {Memory(machine(nil), 1, 0), Info, "not known"},
		"memory garbled":    {Memory(machine(map[string]string{"proc/meminfo": "MemAvailable: many kB"}), 1, 0), Info, "not known"},
		"proc":              {Proc(machine(proc)), OK, "can be sampled"},
		"no proc":           {Proc(machine(nil)), Info, "n/a"},
		"proc in part":      {Proc(machine(partial)), Warn, "/proc/self/io, /proc/diskstats, /proc/net/dev, /proc/uptime"},
		"clock":             {clock("tsc", 40*time.Nanosecond), OK, "tsc, 40 ns a read"},
		"clock slow":        {clock("acpi_pm", 900*time.Nanosecond), Warn, "system call"},
		"clock unnamed":     {clock("", 40*time.Nanosecond), OK, "40 ns a read"},
		"embedded":          {Embedded([]string{"etcd", "mem"}), OK, "etcd, mem"},
	} {
		if c.got.Status != c.status || !strings.Contains(c.got.Text+c.got.Advice, c.text) {
			t.Errorf("%s: got %+v, want status %v and the text %q", name, c.got, c.status, c.text)
		}
	}
}

func TestGovernors(t *testing.T) {
	c := Governor(machine(map[string]string{
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "performance\n",
		"sys/devices/system/cpu/cpu2/cpufreq/scaling_governor": "powersave\n",
	}))
	if c.Status != Warn || !strings.Contains(c.Text, "governor performance, powersave") {
		t.Errorf("mixed governors: %+v", c)
	}
	if c := Governor(machine(nil)); c.Status > Info || !strings.Contains(c.Text, "not known") {
		t.Errorf("no governor: %+v", c)
	}
}

func TestStores(t *testing.T) {
	m := machine(map[string]string{"opt/keeper/keeper-3.8.0.jar": "", "opt/keeper/log.jar": "", "opt/b/k.jar": "", "opt/b/k-1.2.jar": ""}, "/usr/bin/kvd", "/usr/bin/java")
	m.Run = func(argv []string) (string, error) { return strings.Join(argv, " ") + " v1.8.7\nand 2.0", nil }
	needs := func(programs ...string) plan.Requires {
		return plan.Requires{Programs: programs, Version: []string{"kvd", "version"}, Debian: "apt-get install kvd", Elsewhere: "https://kvd.example"}
	}
	embedded, both, given, jars := needs("none"), needs("kvd"), needs("kvd"), plan.Requires{Programs: []string{"java"}, Files: []string{"/opt/keeper/log.jar", "/opt/keeper/keeper*.jar"}}
	embedded.Embedded, both.Embedded = true, true
	given.Arguments = []string{"binary"}
	for _, x := range []struct {
		store   Store
		here    bool
		version string
		found   string
		missing string
	}{
		{Store{Name: "inside", InProcess: true, Built: "1.0.0"}, true, "1.0.0", "in kvscen's own process", ""},
		{Store{Name: "embedded", Built: "3.7.3", Requires: embedded}, true, "3.7.3", "embedded in kvscen", "none is not on the PATH"},
		{Store{Name: "both", Built: "3.7.3", Requires: both}, true, "3.7.3", "embedded in kvscen /usr/bin/kvd (1.8.7)", ""},
		{Store{Name: "two names", Requires: plan.Requires{Files: []string{"/opt/b/k.jar"}}}, true, "1.2", "/opt/b/k.jar", ""},
		{Store{Name: "found", Requires: needs("kvd")}, true, "1.8.7", "/usr/bin/kvd", ""},
		{Store{Name: "half", Requires: needs("kvd", "none")}, false, "", "/usr/bin/kvd", "none is not on the PATH"},
		{Store{Name: "given", Requires: given}, false, "", "/usr/bin/kvd", "a program is to be given: binary = PATH"},
		{Store{Name: "jars", Requires: jars}, true, "3.8.0", "/usr/bin/java /opt/keeper/log.jar /opt/keeper/keeper-3.8.0.jar", ""},
		{Store{Name: "no jars", Requires: plan.Requires{Files: []string{"/opt/*.war"}}}, false, "", "", "no file is called /opt/*.war"},
	} {
		p := x.store.Look(m, true)
		if p.Here != x.here || p.Version != x.version || strings.Join(p.Found, " ") != x.found || strings.Join(p.Missing, ", ") != x.missing {
			t.Errorf("%s: %+v, want %+v", x.store.Name, p, x)
		}
		checks := Stores(m, []Store{x.store})
		if x.store.InProcess {
			if len(checks) > 0 {
				t.Errorf("%s: %+v, want nothing to be checked", x.store.Name, checks)
			}
			continue
		}
		if len(checks) != 1 || (checks[0].Status == OK) != (x.missing == "") || !strings.Contains(checks[0].Text, x.missing) {
			t.Errorf("%s: %+v", x.store.Name, checks)
		}
	}
}

// TestLookups asks for what is there and what is not, of which some recipe knows
// how to get it.
func TestLookups(t *testing.T) {
	m := machine(map[string]string{"opt/a.jar": ""}, "/usr/bin/kvd")
	known := []Store{
		{Name: "other", Requires: plan.Requires{Programs: []string{"other"}, Debian: "no"}},
		{Name: "kv", Requires: plan.Requires{Programs: []string{"kvx"}, Files: []string{"/opt/b*.jar"}, Debian: "apt-get install kvx", Elsewhere: "https://kv.example"}},
	}
	if checks := Lookups(m, []string{"kvd"}, []string{"/opt/*.jar"}, known); len(checks) > 0 {
		t.Errorf("what is there: %+v", checks)
	}
	checks := Lookups(m, []string{"kvx", "/home/kvz"}, []string{"/opt/b*.jar"}, known)
	if len(checks) != 3 || Worst(checks) != Bad {
		t.Fatalf("what is not there: %+v", checks)
	}
	for i, want := range []string{"apt-get install kvx", "name another one in the scenario", "https://kv.example"} {
		if !strings.Contains(checks[i].Advice, want) {
			t.Errorf("%s: advice %q, want %q", checks[i].Text, checks[i].Advice, want)
		}
	}
}

func TestEphemeralPorts(t *testing.T) {
	for text, want := range map[string]Status{
		"32768\t60999": OK, "": OK, "1024 65535": Warn, "40000 41000": Warn,
	} {
		m := machine(map[string]string{"proc/sys/net/ipv4/ip_local_port_range": text})
		if c := Ports(m, 2); c.Status != want {
			t.Errorf("range %q: %+v, want %v", text, c, want)
		}
	}
}

func TestPortsTaken(t *testing.T) {
	for want, free := range map[int]func(int) bool{
		3: func(port int) bool { return port != firstPort && port >= firstPort && port <= lastPort },
		0: func(int) bool { return false },
	} {
		if got := freePorts(3, free); got != want {
			t.Errorf("%d of 3 free ports were found, want %d", got, want)
		}
	}
	if c := Ports(machine(nil), 30000); c.Status != Bad {
		t.Errorf("30,000 ports between 10,000 and 32,767: %+v", c)
	}
}

// TestIsFree looks at ports while somebody listens there, and after it.
func TestIsFree(t *testing.T) {
	for range 20 { // another process may take one in between
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		if isFree(port) {
			t.Errorf("port %d is free, while somebody listens", port)
		}
		l.Close()
		if isFree(port) {
			return
		}
	}
	t.Error("no port is free, after nobody listens any more")
}

func TestRealFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "yet")
	for _, c := range []Check{Writable(dir), Disk(dir, 1), Fsync(dir)} {
		if c.Status == Bad || c.Text == "" {
			t.Errorf("a folder still to be made: %+v", c)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(filepath.Dir(dir))); err != nil || len(left) != 0 {
		t.Errorf("probes left %v behind (%v)", left, err)
	}
	if c := Disk(dir, 1<<60); c.Status != Bad {
		t.Errorf("an exabyte fits: %+v", c)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if c := Writable(file); c.Status != Bad || !strings.Contains(c.Text, file) {
		t.Errorf("a file as data folder: %+v", c)
	}
}

func TestPreflight(t *testing.T) {
	if err := RaiseOpenFiles(); err != nil {
		t.Fatal(err)
	}
	checks := Preflight(This(), Need{Data: t.TempDir(), Disk: 1, Connections: 1, Ports: 6}, nil)
	if w := Worst(checks); w == Bad {
		t.Errorf("a modest plan is refused: %+v", checks)
	}
	if w := Worst(Preflight(This(), Need{Data: t.TempDir(), Connections: 1 << 40}, nil)); w != Bad {
		t.Error("2^40 connections are accepted")
	}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	err := Print(&b, []Check{{Name: "clock", Text: "tsc"}, {Name: "free disk", Status: Bad, Text: "1 MB", Advice: "free some"}})
	want := "ok   clock      tsc\nbad  free disk  1 MB\n                -> free some\n"
	if err != nil || b.String() != want {
		t.Errorf("got %q (%v), want %q", b.String(), err, want)
	}
}
