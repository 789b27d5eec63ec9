package cluster

import (
	"net"
	"slices"
	"strconv"
	"testing"
)

func TestBelow(t *testing.T) {
	tests := []struct {
		ephemeral string
		first, n  int
	}{
		{"32768\t60999\n", lowestPort, highestPort - lowestPort + 1},
		{"15000\t60999\n", lowestPort, 5000},
		{"1024 65535", lowestPort, highestPort - lowestPort + 1},
		{"", lowestPort, highestPort - lowestPort + 1},
		{"no numbers", lowestPort, highestPort - lowestPort + 1},
	}
	for _, test := range tests {
		if first, n := below(test.ephemeral); first != test.first || n != test.n {
			t.Errorf("below(%q) = %d, %d; want %d, %d", test.ephemeral, first, n, test.first, test.n)
		}
	}
}

func newTestPorts(t *testing.T) *ports {
	t.Helper()
	p, err := newPorts()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.release)
	return p
}

func TestPortsAreKeptApart(t *testing.T) {
	var all []string
	for range 3 {
		p := newTestPorts(t)
		for i := range blockSize + 1 {
			ref := "m1.port.p" + strconv.Itoa(i)
			port, err := p.named(ref, loopback)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := p.named(ref, loopback); err != nil || again != port {
				t.Errorf("%s is first %s, then %s, %v", ref, port, again, err)
			}
			if !bindable(loopback, p.byRef[ref]) {
				t.Errorf("port %s can't be bound", port)
			}
			all = append(all, port)
		}
	}
	slices.Sort(all)
	if n := len(all); len(slices.Compact(all)) != n {
		t.Error("a port was handed out twice")
	}
}

func TestBusyPortIsPassedOver(t *testing.T) {
	p := newTestPorts(t)
	first, n := portRange()
	if err := p.lockBlock(first, n); err != nil {
		t.Fatal(err)
	}
	var busy, free int
	for _, port := range p.left {
		if bindable(loopback, port) && busy == 0 {
			busy = port
		} else if bindable(loopback, port) {
			free = port
			break
		}
	}
	l, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(busy)))
	if err != nil {
		t.Skip("somebody was faster:", err)
	}
	defer l.Close()
	p.left = []int{busy, free}
	if got, err := p.named("m1.port.client", loopback); err != nil || got != strconv.Itoa(free) {
		t.Errorf("got port %s, %v; %d is busy and %d free", got, err, busy, free)
	}
}

func TestReleasedPortsComeBack(t *testing.T) {
	first, _ := portRange()
	for range 2 {
		p := newTestPorts(t)
		if err := p.lockBlock(first, blockSize); err != nil {
			t.Fatal(err)
		}
		if err := newTestPorts(t).lockBlock(first, blockSize); err == nil {
			t.Error("a block was handed out twice")
		}
		p.release()
	}
}
