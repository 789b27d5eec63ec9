package etcd

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

const asMember = "KVSCEN_TEST_MEMBER" // set: this test binary is to be a member

// TestMemberProcess is no test: it is what startProcess runs in a process of
// its own. It ends with its standard input, and so with its parent.
func TestMemberProcess(t *testing.T) {
	if os.Getenv(asMember) == "" {
		t.Skip("only for benchmarks, in a process of its own")
	}
	m := startMember(t, nil)
	fmt.Println(m.target().Endpoint)
	io.Copy(io.Discard, os.Stdin)
}

// startProcess starts a member in a process of its own, so that this process's
// CPU time is the client's alone.
func startProcess(b *testing.B) drivers.Target {
	b.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestMemberProcess$")
	c.Env = append(os.Environ(), asMember+"=1")
	input, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	output, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatalf("start a member: %v", err)
	}
	b.Cleanup(func() {
		input.Close()
		c.Wait()
	})
	addr, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		b.Fatalf("start a member: %v", err)
	}
	return drivers.Target{Endpoint: strings.TrimSpace(addr)}
}
