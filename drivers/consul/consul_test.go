package consul

import (
	"testing"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

func TestConformance(t *testing.T) {
	m := startMember(t)
	target := m.target()
	drivertest.Run(t, drivertest.Harness{
		Driver:  New(),
		Target:  func(*testing.T) drivers.Target { return target },
		Network: true,
		Restart: m.restart,
	})
}
