package sample

import (
	"math"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/procfs"
)

// history holds the samples of a cluster's life as plain columns, in slots of
// one interval: some 400 bytes a second with three members. Slot n ends at
// base + n*step; slot 0 is the start and holds nothing.
type history struct {
	step    time.Duration
	columns []column
	from    []time.Duration // what the slot really covers, by offsets from base
	to      []time.Duration // negative: a gap
}

type column struct {
	source, name string
	values       []float64
}

// Figures of one source; rows are built in this order.
var (
	processFigures = [...]string{
		"cpu_percent", "rss_bytes", "threads_count",
		"voluntary_switches_per_second", "involuntary_switches_per_second",
		"read_bytes_per_second", "write_bytes_per_second", "open_files_count",
	}
	hostFigures = [...]string{
		"disk_reads_per_second", "disk_writes_per_second",
		"sectors_read_per_second", "sectors_written_per_second", "disk_busy_percent",
		"rx_bytes_per_second", "tx_bytes_per_second",
		"load1", "memory_available_bytes",
		"cpu_pressure_percent", "io_pressure_percent", "memory_pressure_percent",
	}
)

// Places of the figures of which a window's largest value is wanted.
const (
	figureCPU       = 0
	figureRSS       = 1
	figureThreads   = 2
	figureOpenFiles = 7
)

// sources names what has columns, in their order: the client, the members, the
// hosts.
func (s *Sampler) sources() []string {
	sources := []string{"client"}
	for _, m := range s.members {
		sources = append(sources, "member:"+m.Name)
	}
	sources = append(sources, "host:"+Local)
	for _, o := range s.others {
		sources = append(sources, "host:"+o.Name)
	}
	return sources
}

func newHistory(step time.Duration, sources []string) history {
	h := history{step: step}
	for _, source := range sources {
		names := processFigures[:]
		if strings.HasPrefix(source, "host:") {
			names = hostFigures[:]
		}
		for _, name := range names {
			h.columns = append(h.columns, column{source: source, name: name})
		}
	}
	h.grow(1)
	return h
}

// add puts a row, which covers the time from the sample before, into its slot.
// Slots that were passed over stay gaps.
func (h *history) add(to, from time.Duration, row []float64) {
	slot := int(to / h.step)
	h.grow(slot + 1)
	h.from[slot], h.to[slot] = from, to
	for i, v := range row {
		h.columns[i].values[slot] = v
	}
}

// grow makes at least n slots.
func (h *history) grow(n int) {
	for len(h.to) < n {
		h.from, h.to = append(h.from, -1), append(h.to, -1)
		for i := range h.columns {
			h.columns[i].values = append(h.columns[i].values, math.NaN())
		}
	}
}

// largest is the largest value of a figure of the source-th source, among
// samples taken from a to b; whole: among those that cover nothing before a.
// NaN: there is none.
func (h *history) largest(source, figure int, a, b time.Duration, whole bool) float64 {
	values := h.columns[source*len(processFigures)+figure].values
	largest := math.NaN()
	for i, v := range values {
		start := h.to[i]
		if whole {
			start = h.from[i]
		}
		if h.to[i] >= 0 && start >= a && h.to[i] <= b {
			largest = larger(largest, v)
		}
	}
	return largest
}

// larger is the larger one of those that are known.
func larger(a, b float64) float64 {
	if a >= b || math.IsNaN(b) {
		return a
	}
	return b
}

// row is what happened between two snapshots, a value a column.
func (s *Sampler) row(before, after snapshot) []float64 {
	passed := after.uptime - before.uptime
	row := make([]float64, 0, len(s.log.columns))
	row = appendProcess(row, before.client, after.client, passed)
	for i := range after.members {
		row = appendProcess(row, before.members[i], after.members[i], s.passed(before, after, i))
	}
	row = appendHost(row, before.host, after.host, passed)
	for k := range s.others {
		a, b := before.others[k], after.others[k]
		row = appendHost(row, a.host, b.host, b.uptime-a.uptime)
	}
	return row
}

func appendProcess(row []float64, a, b process, passed time.Duration) []float64 {
	return append(row,
		100*procfs.Rate(a.cpu, b.cpu, passed),
		b.rss,
		b.threads,
		procfs.Rate(a.voluntary, b.voluntary, passed),
		procfs.Rate(a.involuntary, b.involuntary, passed),
		procfs.Rate(a.read, b.read, passed),
		procfs.Rate(a.written, b.written, passed),
		b.openFiles,
	)
}

func appendHost(row []float64, a, b host, passed time.Duration) []float64 {
	return append(row,
		procfs.Rate(a.reads, b.reads, passed),
		procfs.Rate(a.writes, b.writes, passed),
		procfs.Rate(a.sectorsRead, b.sectorsRead, passed),
		procfs.Rate(a.sectorsWritten, b.sectorsWritten, passed),
		100*procfs.Rate(a.busy, b.busy, passed),
		procfs.Rate(a.rx, b.rx, passed),
		procfs.Rate(a.tx, b.tx, passed),
		b.Load1,
		b.Available,
		100*procfs.Rate(a.CPUStall, b.CPUStall, passed),
		100*procfs.Rate(a.IOStall, b.IOStall, passed),
		100*procfs.Rate(a.MemoryStall, b.MemoryStall, passed),
	)
}
