package cassandra

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
	"github.com/kvscen/kvscen/internal/testserver"
)

// jars is where .ci/install-cassandra puts the server.
const jars = "/opt/cassandra/lib"

// opened are the packages that Cassandra 2.1 looks into, and that Java has closed
// since.
const opened = "java.io java.lang java.lang.invoke java.lang.ref java.lang.reflect java.math java.net java.nio java.nio.channels " +
	"java.nio.channels.spi java.nio.charset java.security java.text java.time java.util java.util.concurrent " +
	"java.util.concurrent.atomic java.util.concurrent.locks jdk.internal.misc jdk.internal.ref jdk.internal.reflect " +
	"sun.nio.ch sun.nio.fs sun.security.action"

// server is a real Cassandra in a process of its own.
type server struct {
	dir     string
	ip      string
	port    int
	base    drivers.Target // what it is connected to with, beside the endpoint
	process *testserver.Server
}

// needServer skips the test where there is no server, but not on the machine
// that says what goes in.
func needServer(t testing.TB) {
	t.Helper()
	_, err := exec.LookPath("java")
	if found, _ := filepath.Glob(jars + "/apache-cassandra-[0-9]*.jar"); err == nil && len(found) == 0 {
		err = fmt.Errorf("no jars in %s; .ci/install-cassandra installs them", jars)
	}
	if err != nil {
		testserver.Lacking(t, fmt.Sprintf("Cassandra is not installed: %v", err))
	}
}

// startServers starts a cluster whose members share their ports and have an
// address each.
func startServers(t testing.TB, n int, settings string) []*server {
	t.Helper()
	needServer(t)
	addresses := make([]string, n)
	for i := range addresses {
		addresses[i] = fmt.Sprintf("127.0.0.%d", i+1)
	}
	ports := drivertest.Ports(t, 3)
	var list []*server
	for _, ip := range addresses {
		s := &server{dir: t.TempDir(), ip: ip, port: ports[0]}
		s.write(t, "logback.xml", logback)
		s.write(t, "cassandra.yaml", fmt.Sprintf(config, strings.Join(addresses, ","), ports[1], ports[2], ports[0], ip, ip)+
			strings.ReplaceAll(folders, "DIR", s.dir)+settings)
		s.start(t)
		list = append(list, s)
	}
	for _, s := range list {
		s.wait(t)
	}
	return list
}

const config = `cluster_name: test
num_tokens: 8
auto_bootstrap: false
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
seed_provider: [{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: "%s"}]}]
storage_port: %d
ssl_storage_port: %d
native_transport_port: %d
listen_address: %s
rpc_address: %s
start_native_transport: true
start_rpc: false
endpoint_snitch: SimpleSnitch
commitlog_sync: periodic
commitlog_sync_period_in_ms: 10000
commitlog_segment_size_in_mb: 32
commitlog_total_space_in_mb: 128
cas_contention_timeout_in_ms: 10000
write_request_timeout_in_ms: 20000
read_request_timeout_in_ms: 20000
range_request_timeout_in_ms: 20000
`

const folders = `data_file_directories: [DIR/data]
commitlog_directory: DIR/commitlog
saved_caches_directory: DIR/saved_caches
`

const logback = `<configuration><appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
<encoder><pattern>%level %date %msg%n</pattern></encoder></appender>
<root level="INFO"><appender-ref ref="OUT"/></root></configuration>
`

func (s *server) write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (s *server) start(t testing.TB) {
	t.Helper()
	args := []string{
		"java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
		"-Djava.net.preferIPv4Stack=true", "-Dcassandra-foreground=yes", "-Dcassandra.jmx.local.port=0",
		"-Dcassandra.ring_delay_ms=1000", "-Dcassandra.skip_wait_for_gossip_to_settle=0", "-Dcassandra.superuser_setup_delay_ms=0",
		"-Dcassandra.storagedir=" + s.dir, "-Dcassandra.config=file://" + s.dir + "/cassandra.yaml", "-Dlogback.configurationFile=" + s.dir + "/logback.xml",
	}
	for name := range strings.FieldsSeq(opened) {
		args = append(args, "--add-opens=java.base/"+name+"=ALL-UNNAMED")
	}
	args = append(args, "-cp", jars+"/*", "org.apache.cassandra.service.CassandraDaemon")
	s.process = testserver.Start(t, filepath.Join(s.dir, "log"), args...)
}

// wait until the server takes clients.
func (s *server) wait(t testing.TB) {
	t.Helper()
	s.process.Await(t, func() error {
		c, err := net.Dial("tcp", s.target().Endpoint)
		if err == nil {
			c.Close()
		}
		return err
	})
}

// restart kills the server and returns what starts it again.
func (s *server) restart(t *testing.T) func() {
	s.process.Kill()
	return func() {
		s.process.Restart(t)
		s.wait(t)
	}
}

func (s *server) target() drivers.Target {
	t := s.base
	t.Endpoint, t.Timeout = fmt.Sprintf("%s:%d", s.ip, s.port), cmp.Or(t.Timeout, time.Minute)
	return t
}
