package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestRunningIs(t *testing.T) {
	zookeeper := []string{"java", "-Dzookeeper.log.dir=/var/log", "-cp", "/opt/zookeeper/lib/*:/etc/zookeeper", "-Xmx1000m",
		"org.apache.zookeeper.server.quorum.QuorumPeerMain", "/etc/zookeeper/zoo.cfg"}
	kafka := []string{"/usr/bin/java", "-Xmx1G", "-classpath", "/opt/zookeeper/zookeeper.jar", "kafka.Kafka", "server.properties"}
	jar := []string{"java", "-ea", "-jar", "/srv/store-server.jar", "cassandra"}
	tests := []struct {
		process Running
		name    string
		want    bool
	}{
		{Running{Name: "etcd", Argv: []string{"/usr/bin/etcd", "--name", "a"}}, "etcd", true},
		{Running{Name: "etcd", Argv: []string{"/usr/bin/etcd", "--name", "consul"}}, "consul", false},
		{Running{Name: "vim", Argv: []string{"vim", "etcd"}}, "etcd", false},
		{Running{Name: "a-store-with-a-l", Argv: []string{"/opt/a-store-with-a-long-name"}}, "a-store-with-a-long-name", true},
		{Running{Name: "etcd"}, "etcd", false}, // a thread of the kernel
		{Running{Name: "java", Argv: zookeeper}, "zookeeper", true},
		{Running{Name: "java", Argv: zookeeper}, "ZooKeeper", true},
		{Running{Name: "java", Argv: zookeeper}, "QuorumPeerMain", true},
		{Running{Name: "java", Argv: zookeeper}, "org.apache.zookeeper.server.quorum.QuorumPeerMain", true},
		{Running{Name: "java", Argv: zookeeper}, "java", true},
		{Running{Name: "java", Argv: zookeeper}, "zoo", false},
		{Running{Name: "java", Argv: kafka}, "zookeeper", false}, // it has but the jar
		{Running{Name: "java", Argv: kafka}, "kafka", true},
		{Running{Name: "java", Argv: jar}, "store", true},
		{Running{Name: "java", Argv: jar}, "cassandra", false},
		{Running{Name: "java", Argv: []string{"java", "-jar"}}, "store", false},
	}
	for _, tt := range tests {
		if got := tt.process.Is(tt.name); got != tt.want {
			t.Errorf("%v is %q: %v, want %v", tt.process, tt.name, got, tt.want)
		}
	}
}

func TestTopsOfAName(t *testing.T) {
	argv := []string{"store"}
	list := []Running{
		{PID: 1, Name: "init", Argv: []string{"init"}},
		{PID: 10, Parent: 1, Name: "store", Argv: argv},
		{PID: 11, Parent: 10, Name: "sh", Argv: []string{"sh"}},
		{PID: 12, Parent: 11, Name: "store", Argv: argv},
		{PID: 20, Parent: 1, Name: "store", Argv: argv},
		{PID: 30, Parent: 31, Name: "sh", Argv: []string{"sh"}}, // numbers taken anew while they were read
		{PID: 31, Parent: 30, Name: "sh", Argv: []string{"sh"}},
	}
	var pids []int
	for _, r := range tops(list, "store") {
		pids = append(pids, r.PID)
	}
	if len(pids) != 2 || pids[0] != 10 || pids[1] != 20 {
		t.Errorf("tops are %v, want 10 and 20", pids)
	}
	if got := tree(list, 10); len(got) != 3 {
		t.Errorf("the tree of 10 is %v", got)
	}
	if got := tree(list, 30); len(got) != 2 {
		t.Errorf("the tree of 30 is %v", got)
	}
}

func TestParseRunning(t *testing.T) {
	for stat, want := range map[string]Running{
		"12 (etcd) S 3 12 12 0": {PID: 12, Parent: 3, Name: "etcd"},
		"12 (a) b (c)) R 3 1":   {PID: 12, Parent: 3, Name: "a) b (c)"},
		"12 (gone) Z 3 1":       {},
		"12 (cut":               {},
		"":                      {},
		"x (a) S 1":             {},
	} {
		got, ok := parseRunning(stat)
		if ok != (want.PID != 0) || ok && (got.PID != want.PID || got.Parent != want.Parent || got.Name != want.Name) {
			t.Errorf("%q is %+v, %v; want %+v", stat, got, ok, want)
		}
	}
}

// TestFindRunning looks for a process with strange arguments on this machine.
func TestFindRunning(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are found by /proc")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "found-by-name")
	if err := os.Symlink("/bin/sh", program); err != nil {
		t.Fatal(err)
	}
	argv := []string{program, "-c", "read x; true", "two\nlines", "", "last"}
	cmd := exec.Command(argv[0], argv[1:]...)
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		input.Close()
		cmd.Wait()
	}()
	got, err := Local{}.FindRunning(t.Context(), Sought{Process: "found-by-name"})
	if err != nil || got.PID != cmd.Process.Pid || strings.Join(got.Argv, "|") != strings.Replace(strings.Join(argv, "|"), "\n", " ", 1) {
		t.Errorf("found %+v, %v; want %d", got, err, cmd.Process.Pid)
	}
	pidFile := filepath.Join(dir, "pid")
	for text, want := range map[string]string{
		strconv.Itoa(cmd.Process.Pid) + "\n": "",
		"etcd":                               `holds "etcd", and not the number of a process`,
		"0":                                  "says 0, and there is no such process",
	} {
		if err := os.WriteFile(pidFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Local{}.FindRunning(t.Context(), Sought{PIDFile: pidFile})
		if want == "" && (err != nil || got.PID != cmd.Process.Pid) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("the pid file %q: found %+v, %v; want %q", text, got, err, want)
		}
	}
	for _, s := range []Sought{{Process: "no-such-store"}, {PIDFile: filepath.Join(dir, "none")}} {
		if got, err := (Local{}).FindRunning(t.Context(), s); err == nil || !strings.Contains(err.Error(), "this machine") {
			t.Errorf("%+v: found %+v, %v", s, got, err)
		}
	}
}
