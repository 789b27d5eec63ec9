package procfs

import (
	"fmt"
	"math"
	"time"

	prom "github.com/prometheus/procfs"
)

// Net are the counters of one network interface.
type Net struct {
	RX, TX uint64 // bytes
	Err    error  // why nothing is known
}

// Machine is how the host as a whole fares. NaN is a figure that this host does
// not tell.
type Machine struct {
	Load1     float64
	Available float64 // bytes of memory
	// Seconds since boot in which some task waited for CPU, disk or memory.
	CPUStall, IOStall, MemoryStall float64
}

func readNet(fs prom.FS, name string) Net {
	lines, err := fs.NetDev()
	if err != nil {
		return Net{Err: fmt.Errorf("reading interface counters: %w", err)}
	}
	line, ok := lines[name]
	if !ok {
		return Net{Err: fmt.Errorf("no interface %s", name)}
	}
	return Net{RX: line.RxBytes, TX: line.TxBytes}
}

func readMachine(fs prom.FS) Machine {
	m := Machine{
		Load1:       math.NaN(),
		Available:   math.NaN(),
		CPUStall:    stall(fs, "cpu"),
		IOStall:     stall(fs, "io"),
		MemoryStall: stall(fs, "memory"),
	}
	if load, err := fs.LoadAvg(); err == nil {
		m.Load1 = load.Load1
	}
	if mem, err := fs.Meminfo(); err == nil && mem.MemAvailableBytes != nil {
		m.Available = float64(*mem.MemAvailableBytes)
	}
	return m
}

// stall is NaN on kernels older than 4.20 or with pressure accounting off.
func stall(fs prom.FS, resource string) float64 {
	psi, err := fs.PSIStatsForResource(resource)
	if err != nil || psi.Some == nil {
		return math.NaN()
	}
	return (time.Duration(psi.Some.Total) * time.Microsecond).Seconds()
}
