package zookeeper

import (
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

func TestConformance(t *testing.T) {
	s := startServers(t, 1)[0]
	drivertest.Run(t, drivertest.Harness{
		Driver:  New(),
		Target:  func(*testing.T) drivers.Target { return s.target() },
		Network: true,
		Restart: s.restart,
		Count:   count,
	})
}

func dial(t testing.TB, target drivers.Target) *conn {
	t.Helper()
	c, err := New().Dial(t.Context(), target)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*conn)
}

// do carries out one request of one operation.
func do(t testing.TB, c drivers.Conn, spec drivers.OpSpec, op drivers.Op) (*drivers.Op, error) {
	t.Helper()
	client, err := c.Client([]drivers.OpSpec{spec})
	if err != nil {
		t.Fatalf("bind %v: %v", spec.Kind, err)
	}
	op.Deadline = time.Now().Add(time.Minute)
	err = client.Do(t.Context(), &op)
	return &op, err
}
