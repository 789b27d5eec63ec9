package drivertest_test

import (
	"context"
	"errors"
	"os"
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
}

var faults = []fault{
	{"takes an empty value for none", "do/empty_value", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found && (spec.Kind != drivers.Get || len(op.Read) > 0)
		return err
	}},
	{"counts what it did not remove", "do/counts", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.Kind == drivers.Delete {
			op.Count = 1
		}
		return err
	}},
	{"keeps what is under way when it is closed", "close_under_load", func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		if drivers.ClassOf(err) == drivers.Unavailable {
			time.Sleep(2 * faultPatience)
		}
		return err
	}},
	{"finds missing keys", "do/put,_get,_delete", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found || spec.Kind == drivers.Get
		return err
	}},
	{"leaves a count behind", "do/no_stale_results", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Count = max(op.Count, 1)
		return err
	}},
	{"wins every swap", "do/cas", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found || spec.Kind == drivers.CAS
		return err
	}},
	{"fails a lost swap", "do/cas_that_creates", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.Kind == drivers.CAS && !op.Found {
			return &drivers.Error{Class: drivers.Conflict, Err: errors.New("lost")}
		}
		return err
	}},
	{"commits every txn", "do/txn_with_a_lost_cas", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found || spec.Kind == drivers.Txn
		return err
	}},
	{"reads beyond the limit", "do/scan", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.Kind == drivers.Scan && spec.Limit > 0 && op.Count == spec.Limit {
			op.Count++
		}
		return err
	}},
	{"reads values with the keys", "do/scan_of_keys_alone", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.KeysOnly {
			op.Bytes += 1000 * int64(op.Count)
		}
		return err
	}},
	{"finds every key", "do/exists", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		op.Found = op.Found || spec.Kind == drivers.Exists
		return err
	}},
	{"removes twice", "do/many_clients", func(spec drivers.OpSpec, op *drivers.Op, err error) error {
		if spec.Kind == drivers.Delete {
			op.Count *= 2
		}
		return err
	}},
	{"answers without error too late", "do/deadline", func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		if drivers.ClassOf(err) == drivers.Timeout {
			return nil
		}
		return err
	}},
	{"gives errors of no class", "do/deadline_in_the_past", func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		return errors.Unwrap(err)
	}},
	{"is slow to cancel", "cancel", func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		if errors.Is(err, context.Canceled) {
			time.Sleep(150 * time.Millisecond)
		}
		return err
	}},
	{"is slow to see that it was closed", "close", func(_ drivers.OpSpec, _ *drivers.Op, err error) error {
		if drivers.ClassOf(err) == drivers.Unavailable {
			time.Sleep(150 * time.Millisecond)
		}
		return err
	}},
}

// faultPatience is that of the suite with a driver that has a fault, which is then
// found soon.
const faultPatience = 5 * time.Second

func patience() time.Duration {
	if os.Getenv(faultVar) == "" {
		return 0 // the default
	}
	return faultPatience
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

// TestFaulty is the suite on the faulty driver that the environment names, or on
// one without a fault.
func TestFaulty(t *testing.T) {
	d := &faulty{Driver: mem.New()}
	for _, f := range faults {
		if f.name == os.Getenv(faultVar) {
			d.spoil = f.spoil
		}
	}
	for _, f := range changes {
		if f.name == os.Getenv(faultVar) {
			d.change = f.change
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
		Patience: patience(),
		Count:    func(t *testing.T, target drivers.Target, prefix []byte) int { return scan(t, d.Driver, target, prefix) },
	})
}

// faulty spoils the requests and the results of mem's clients.
type faulty struct {
	*mem.Driver
	spoil  func(spec drivers.OpSpec, op *drivers.Op, err error) error // nil: no fault
	change func(spec drivers.OpSpec, op *drivers.Op) (send bool)      // of a copy of what is sent; nil: no fault
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
	err := c.send(ctx, op)
	if c.driver.spoil == nil {
		return err
	}
	return c.driver.spoil(c.ops[op.Spec], op, err)
}

// send sends the request, or what the driver makes of it.
func (c *faultyClient) send(ctx context.Context, op *drivers.Op) error {
	if c.driver.change == nil {
		return c.Client.Do(ctx, op)
	}
	sent := *op
	sent.Reset()
	defer func(key, value []byte) {
		*op = sent
		op.Key, op.Value = key, value
	}(op.Key, op.Value)
	if !c.driver.change(c.ops[op.Spec], &sent) {
		return nil
	}
	return c.Client.Do(ctx, &sent)
}
