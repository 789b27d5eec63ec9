package drivertest_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
	"github.com/kvscen/kvscen/drivers/mem"
)

const faultVar = "KVSCEN_TEST_FAULT" // the fault that the process is to test

// fault makes a driver wrong in one way. Each must be found by the test named.
type fault struct {
	name, foundBy string
	spoil         func(spec drivers.OpSpec, op *drivers.Op, err error) error
	before        func(spec drivers.OpSpec, op *drivers.Op) (send bool) // on a copy of what is sent
}

var faults = []fault{
	{name: "finds missing keys", foundBy: "do/put,_get,_delete", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found || spec.Kind == drivers.Get
		return err
	}},
	{name: "leaves a count behind", foundBy: "do/no_stale_results", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Count = max(op.Count, 1)
		return err
	}},
	{name: "wins every swap", foundBy: "do/cas", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found || spec.Kind == drivers.CAS
		return err
	}},
	{name: "fails a lost swap", foundBy: "do/cas_that_creates", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.Kind == drivers.CAS && !op.Found {
			return &drivers.Error{Class: drivers.Conflict, Err: errors.New("lost")}
		}
		return err
	}},
	{name: "commits every txn", foundBy: "do/txn_with_a_lost_cas", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found || spec.Kind == drivers.Txn
		return err
	}},
	{name: "reads beyond the limit", foundBy: "do/scan", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.Kind == drivers.Scan && spec.Limit > 0 && op.Count == spec.Limit {
			op.Count++
		}
		return err
	}},
	{name: "removes twice", foundBy: "do/many_clients", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.Kind == drivers.Delete {
			op.Count *= 2
		}
		return err
	}},
	{name: "answers without error too late", foundBy: "do/deadline", spoil: func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		if drivers.ClassOf(err) == drivers.Timeout {
			return nil
		}
		return err
	}},
	{name: "gives errors of no class", foundBy: "do/deadline_in_the_past", spoil: func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		return errors.Unwrap(err)
	}},
	{name: "is slow to cancel", foundBy: "cancel", spoil: func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		if errors.Is(err, context.Canceled) {
			time.Sleep(150 * time.Millisecond)
		}
		return err
	}},
	{name: "is slow to see that it was closed", foundBy: "close", spoil: func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		if drivers.ClassOf(err) == drivers.Unavailable {
			time.Sleep(150 * time.Millisecond)
		}
		return err
	}},
	{name: "takes an empty value for none", foundBy: "do/empty_value", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found && (spec.Kind != drivers.Get || len(op.Read) > 0)
		return err
	}},
	{name: "knows no case", foundBy: "do/odd_keys", before: func(_ drivers.OpSpec, op *drivers.Op) bool {
		op.Key = bytes.ToLower(op.Key)
		return true
	}},
	{name: "cuts long keys", foundBy: "do/odd_keys", before: func(_ drivers.OpSpec, op *drivers.Op) bool {
		op.Key = op.Key[:min(len(op.Key), 1024)]
		return true
	}},
	{name: "acknowledges what it did not send", foundBy: "do/counts", before: func(spec drivers.OpSpec, op *drivers.Op) bool {
		return spec.Kind != drivers.Put || !bytes.HasSuffix(op.Key, []byte("own-3-7"))
	}},
	{name: "counts what it did not remove", foundBy: "do/counts", spoil: func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.Kind == drivers.Delete {
			op.Count = 1
		}
		return err
	}},
	{name: "keeps what is under way when it is closed", foundBy: "close_under_load", spoil: func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		if drivers.ClassOf(err) == drivers.Unavailable {
			time.Sleep(20 * time.Second)
		}
		return err
	}},
}

// TestSuiteFindsFaults runs the suite on each faulty driver, in a process of its
// own because it must fail there.
func TestSuiteFindsFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			finds(t, "TestFaulty", f.foundBy, f.name)
		})
	}
}

// finds runs one test of the suite, on a driver with a fault.
func finds(t *testing.T, suite, test, fault string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+suite+"$/^"+strings.ReplaceAll(test, "/", "$/^"), "-test.timeout=60s")
	c.Env = append(os.Environ(), faultVar+"="+fault)
	out, err := c.CombinedOutput()
	if err == nil {
		t.Errorf("the suite passes a driver that %s", fault)
	} else if !strings.Contains(string(out), "--- FAIL: "+suite+"/"+test) {
		t.Errorf("the suite fails in another way: %v\n%s", err, out)
	}
}

// TestFaulty is the suite on the faulty driver that the environment names, or on
// one without a fault.
func TestFaulty(t *testing.T) {
	d := &faulty{Driver: mem.New()}
	for _, f := range faults {
		if f.name == os.Getenv(faultVar) {
			d.fault = f
		}
	}
	open := func(t *testing.T, options map[string]any) drivers.Target {
		endpoint, shut, err := d.Open(t.Context(), "", options)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { shut() })
		return drivers.Target{Endpoint: endpoint}
	}
	drivertest.Run(t, drivertest.Harness{
		Driver:   d,
		Target:   func(t *testing.T) drivers.Target { return open(t, nil) },
		Hang:     func(t *testing.T) drivers.Target { return open(t, map[string]any{"service": time.Hour}) },
		TTL:      200 * time.Millisecond,
		Recovery: 3 * time.Second,
		Count:    func(t *testing.T, target drivers.Target, prefix []byte) int { return scan(t, d.Driver, target, prefix) },
	})
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

// faulty spoils the requests and the results of mem's clients.
type faulty struct {
	*mem.Driver
	fault fault // zero: none
}

func (d *faulty) Dial(ctx context.Context, t drivers.Target) (drivers.Conn, error) {
	c, err := d.Driver.Dial(ctx, t)
	return &faultyConn{c, d}, err
}

type faultyConn struct {
	drivers.Conn
	driver *faulty
}

func (c *faultyConn) Client(ops []drivers.OpSpec) (drivers.Client, error) {
	client, err := c.Conn.Client(ops)
	return &faultyClient{client, c.driver, ops}, err
}

type faultyClient struct {
	drivers.Client
	driver *faulty
	ops    []drivers.OpSpec
}

func (c *faultyClient) Do(ctx context.Context, op *drivers.Op) error {
	spec := c.ops[op.Spec]
	var err error
	if before := c.driver.fault.before; before == nil {
		err = c.Client.Do(ctx, op)
	} else {
		sent := *op
		if before(spec, &sent) {
			err = c.Client.Do(ctx, &sent)
		} else {
			sent.Reset()
		}
		key, value := op.Key, op.Value
		*op = sent
		op.Key, op.Value = key, value
	}
	if c.driver.fault.spoil == nil {
		return err
	}
	return c.driver.fault.spoil(spec, op, err)
}
