package mem

import (
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

// open starts a member and gives its target.
func open(t testing.TB, d *Driver, options map[string]any) drivers.Target {
	t.Helper()
	endpoint, shut, err := d.Open(t.Context(), "", options)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() { shut() })
	return drivers.Target{Endpoint: endpoint}
}

func TestConformance(t *testing.T) {
	d := New()
	drivertest.Run(t, drivertest.Harness{
		Driver: d,
		Target: func(t *testing.T) drivers.Target { return open(t, d, nil) },
		Hang: func(t *testing.T) drivers.Target {
			return open(t, d, map[string]any{"service": time.Hour})
		},
		Count:     d.count,
		TTL:       200 * time.Millisecond,
		AllocFree: []drivers.Kind{drivers.Get},
	})
}
