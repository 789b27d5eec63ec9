package drivertest

import (
	"fmt"
	"net"
	"slices"
	"testing"
)

// TestPorts takes more ports than one lock holds, next to one that is in use.
func TestPorts(t *testing.T) {
	mine := Ports(t, portBlock+1)
	used, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", mine[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	for range 5 {
		for _, port := range Ports(t, 3) {
			if slices.Contains(mine, port) || port < lowestPort || port > highestPort {
				t.Errorf("port %d is given twice, or out of the range", port)
			}
		}
	}
	var inner []int
	t.Run("ended", func(t *testing.T) { inner = Ports(t, 1) })
	if !lockPorts(t, fmt.Sprintf("%s/%d", portLocks(), inner[0]-inner[0]%portBlock)) {
		t.Error("a block is still locked after its test has ended")
	}
}
