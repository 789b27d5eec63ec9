package drivertest_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// changes make a driver wrong in what it sends. Each must be found by the test
// named.
var changes = []struct {
	name, foundBy string
	change        func(spec drivers.OpSpec, op *drivers.Op) (send bool)
}{
	{"knows no case", "do/odd_keys", func(_ drivers.OpSpec, op *drivers.Op) bool {
		op.Key = bytes.ToLower(op.Key)
		return true
	}},
	{"cuts long keys", "do/odd_keys", func(_ drivers.OpSpec, op *drivers.Op) bool {
		op.Key = op.Key[:min(len(op.Key), 1024)]
		return true
	}},
	{"acknowledges what it did not send", "do/counts", func(spec drivers.OpSpec, op *drivers.Op) bool {
		return spec.Kind != drivers.Put || !bytes.HasSuffix(op.Key, []byte("own-3-7"))
	}},
}

func TestSuiteFindsChanges(t *testing.T) {
	for _, f := range changes {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			finds(t, "TestFaulty", f.foundBy, f.name)
		})
	}
}

// finds runs one test of the suite, on a driver with a fault.
func finds(t *testing.T, suite, test, fault string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+suite+"$/^"+strings.ReplaceAll(test, "/", "$/^"), "-test.timeout=5m")
	c.Env = append(os.Environ(), faultVar+"="+fault)
	out, err := c.CombinedOutput()
	if err == nil {
		t.Errorf("the suite passes a driver that %s", fault)
	} else if !strings.Contains(string(out), "--- FAIL: "+suite+"/"+test) {
		t.Errorf("the suite fails in another way: %v\n%s", err, out)
	}
}

// scan counts keys by the driver without a fault.
func scan(t *testing.T, d drivers.Driver, target drivers.Target, prefix []byte) int {
	conn, err := d.Dial(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client, err := conn.Client([]drivers.OpSpec{{Kind: drivers.Scan, Consistency: "linearizable"}})
	if err != nil {
		t.Fatal(err)
	}
	op := drivers.Op{Key: prefix, End: append(bytes.Clone(prefix), 0xff), Deadline: time.Now().Add(time.Minute)}
	if err := client.Do(t.Context(), &op); err != nil {
		t.Fatal(err)
	}
	return op.Count
}
