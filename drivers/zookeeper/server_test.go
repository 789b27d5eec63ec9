package zookeeper

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

// installed is where Debian's libzookeeper-java puts the server.
const installed = "/usr/share/java/zookeeper.jar:/usr/share/java/slf4j-simple.jar"

// classPath is that of the server under test: the variable names another version's.
func classPath() string { return cmp.Or(os.Getenv("KVSCEN_TEST_ZOOKEEPER"), installed) }

// server is a real ZooKeeper in a process of its own.
type server struct {
	dir     string
	port    int
	tls     *drivers.TLS
	jars    string
	flags   []string // of Java
	command *exec.Cmd
}

// setup is what a test's servers have of their own.
type setup struct {
	jars   string   // class path; empty: that of the installed server
	flags  []string // of Java
	config string   // lines of zoo.cfg; ${port} is the port for clients
	tls    *drivers.TLS
}

// needServer skips the test where there is no server, but not on the machine
// that says what goes in.
func needServer(t testing.TB) {
	t.Helper()
	_, err := exec.LookPath("java")
	for jar := range strings.SplitSeq(classPath(), ":") {
		if err == nil {
			_, err = os.Stat(jar)
		}
	}
	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		t.Fatalf("ZooKeeper (libzookeeper-java) is not installed: %v", err)
	default:
		t.Skipf("ZooKeeper (libzookeeper-java) is not installed: %v", err)
	}
}

// startServers starts a cluster, of one standalone server or of several.
func startServers(t testing.TB, n int) []*server { return startWith(t, n, setup{}) }

// startWith starts a cluster of its own kind.
func startWith(t testing.TB, n int, with setup) []*server {
	t.Helper()
	list := prepare(t, n, with)
	for _, s := range list {
		s.start(t)
		t.Cleanup(s.kill)
	}
	for _, s := range list {
		s.wait(t)
	}
	return list
}

// prepare writes the files of servers.
func prepare(t testing.TB, n int, with setup) []*server {
	t.Helper()
	needServer(t)
	ports := drivertest.Ports(t, 3*n)
	var list []*server
	var members strings.Builder
	for i := range n {
		list = append(list, &server{dir: t.TempDir(), port: ports[3*i], tls: with.tls, jars: cmp.Or(with.jars, classPath()), flags: with.flags})
		if n > 1 {
			fmt.Fprintf(&members, "server.%d=127.0.0.1:%d:%d\n", i+1, ports[3*i+1], ports[3*i+2])
		}
	}
	for i, s := range list {
		port := fmt.Sprint(s.port)
		own := cmp.Or(with.config, "clientPort=${port}\nclientPortAddress=127.0.0.1\n4lw.commands.whitelist=*\nmaxClientCnxns=0\n")
		config := fmt.Sprintf("tickTime=500\nmaxSessionTimeout=60000\ninitLimit=20\nsyncLimit=10\ndataDir=%s\nadmin.enableServer=false\nforceSync=no\n%s%s",
			s.dir, strings.ReplaceAll(own, "${port}", port), &members)
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("zoo.cfg", config)
		write("myid", fmt.Sprint(i+1))
	}
	return list
}

func (s *server) start(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	args := slices.Concat([]string{"-Xmx128m", "-XX:+UseSerialGC"}, s.flags, []string{"-cp", s.jars,
		"org.apache.zookeeper.server.quorum.QuorumPeerMain", filepath.Join(s.dir, "zoo.cfg")})
	s.command = exec.Command("java", args...)
	s.command.Stdout, s.command.Stderr = log, log
	if err := s.command.Start(); err != nil {
		t.Fatalf("start ZooKeeper: %v", err)
	}
}

func (s *server) kill() {
	_ = s.command.Process.Kill() // it may have ended by itself
	_ = s.command.Wait()         // killed
}

// wait until the server opens sessions.
func (s *server) wait(t testing.TB) {
	t.Helper()
	const within = 2 * time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	for ctx.Err() == nil {
		if c, err := New().Dial(ctx, s.target()); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	t.Fatalf("ZooKeeper is not ready after %v; its log:\n%s", within, log)
}

// restart kills the server and returns what starts it again.
func (s *server) restart(t *testing.T) func() {
	s.kill()
	return func() {
		s.start(t)
		s.wait(t)
	}
}

func (s *server) target() drivers.Target {
	return drivers.Target{Endpoint: fmt.Sprintf("127.0.0.1:%d", s.port), TLS: s.tls, Timeout: 10 * time.Second}
}
