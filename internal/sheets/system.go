package sheets

import (
	"fmt"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// node is what a file of samples is about: a process, a host, or both where the
// process has the host for itself. Tracks are by name.
type node struct {
	sub           *subject
	process, host map[string]result.Values
}

// moment is one sample.
type moment struct {
	*node
	i int
}

func (m moment) offset() time.Duration {
	s := &m.sub.phase.Samples
	return s.Start + time.Duration(m.i)*max(s.Step, time.Second)
}

func (m moment) clients() string {
	clients := 0
	for i := range m.sub.phase.Steps {
		if s := &m.sub.phase.Steps[i]; s.From <= m.offset() || i == 0 {
			clients = s.Clients
		}
	}
	return whole(clients)
}

func whenColumns() []column[moment] {
	return []column[moment]{
		{Column{"UNIX-SECOND", "s", "wall-clock second in which the sample was taken; what it says of a second is of the one before"}, func(m moment) string { return m.sub.unix(m.offset()) }},
		{Column{"CLIENT-NUM", "count", "clients of the step"}, moment.clients},
	}
}

// metric is a column of a track.
func metric(name, unit, doc, track string, digits int, of func(moment) map[string]result.Values) column[moment] {
	return column[moment]{Column{name, unit, doc}, func(m moment) string { return decimal(at(of(m)[track], m.i), digits) }}
}

func processColumns() []column[moment] {
	of := func(m moment) map[string]result.Values { return m.process }
	return []column[moment]{
		metric("CPU-NUM", "percent", "CPU of the process tree over a second, of one core", "cpu_percent", 2, of),
		metric("VMRSS-NUM", "bytes", "resident memory", "rss_bytes", 0, of),
		metric("THREADS", "count", "threads", "threads_count", 0, of),
		metric("VOLUNTARY-CTXT-SWITCHES-DELTA", "1/s", "context switches while waiting, summed over threads", "voluntary_switches_per_second", 2, of),
		metric("NON-VOLUNTARY-CTXT-SWITCHES-DELTA", "1/s", "context switches because others wanted the CPU", "involuntary_switches_per_second", 2, of),
		metric("READ-BYTES-NUM-DELTA", "bytes/s", "read from disk", "read_bytes_per_second", 0, of),
		metric("WRITE-BYTES-NUM-DELTA", "bytes/s", "written to disk", "write_bytes_per_second", 0, of),
	}
}

func hostColumns() []column[moment] {
	of := func(m moment) map[string]result.Values { return m.host }
	return []column[moment]{
		metric("READS-COMPLETED-DELTA", "1/s", "reads completed by the device under the data folder", "disk_reads_per_second", 2, of),
		metric("SECTORS-READ-DELTA", "sectors/s", "sectors of 512 bytes read by it", "sectors_read_per_second", 2, of),
		metric("WRITES-COMPLETED-DELTA", "1/s", "writes completed by it", "disk_writes_per_second", 2, of),
		metric("SECTORS-WRITTEN-DELTA", "sectors/s", "sectors of 512 bytes written by it", "sectors_written_per_second", 2, of),
		metric("RECEIVE-BYTES-NUM-DELTA", "bytes/s", "received over the interface", "rx_bytes_per_second", 0, of),
		metric("TRANSMIT-BYTES-NUM-DELTA", "bytes/s", "sent over the interface", "tx_bytes_per_second", 0, of),
		metric("LOAD-AVERAGE-1-MINUTE", "count", "load average", "load1", 2, of),
		metric("DISK-BUSY-PERCENT", "percent", "share of the time in which the device had something to do", "disk_busy_percent", 2, of),
		metric("MEMORY-AVAILABLE-BYTES", "bytes", "memory that programs could still take", "memory_available_bytes", 0, of),
		metric("CPU-PRESSURE-PERCENT", "percent", "share of the time in which something waited for a CPU", "cpu_pressure_percent", 2, of),
		metric("IO-PRESSURE-PERCENT", "percent", "share of the time in which something waited for a disk", "io_pressure_percent", 2, of),
		metric("MEMORY-PRESSURE-PERCENT", "percent", "share of the time in which something waited for memory", "memory_pressure_percent", 2, of),
	}
}

func phaseSeconds() column[moment] {
	return column[moment]{Column{"PHASE-SECONDS", "s", "when the sample was taken, from the start of the phase"}, func(m moment) string { return decimal(m.offset().Seconds(), 6) }}
}

func nodeColumns() []column[moment] {
	list := append(whenColumns(), processColumns()...)
	return append(append(list, hostColumns()...), phaseSeconds())
}

func serverMetrics() kind {
	return sheet[moment]{
		name: "N-server-system-metrics", columns: nodeColumns(),
		doc: "what member N, counted from 1, used; figures of its host are empty where others share it, so that nothing is counted twice: they are in the host's file",
		tables: func(sub *subject) ([]table[moment], error) {
			var list []table[moment]
			for i, m := range sub.cluster.Members {
				name := fmt.Sprintf("%d-server-system-metrics", i+1)
				list = append(list, table[moment]{name, sub.moments("member:"+m.Name, sub.ownHost(m.Host))})
			}
			return list, nil
		},
	}
}

// ownHost is the source of a host where a single member runs and the client does
// not; empty: it is shared.
func (s *subject) ownHost(host string) string {
	if host == "local" {
		return ""
	}
	members := 0
	for _, m := range s.cluster.Members {
		if m.Host == host {
			members++
		}
	}
	if members != 1 {
		return ""
	}
	return "host:" + host
}

func hostMetrics() kind {
	columns := append(whenColumns(), hostColumns()...)
	return sheet[moment]{
		name: "host-HOST-system-metrics", columns: append(columns, phaseSeconds()),
		doc: "what happened on one machine as a whole; local is the client's",
		tables: func(sub *subject) ([]table[moment], error) {
			var list []table[moment]
			for _, source := range sub.sources("host:") {
				list = append(list, table[moment]{"host-" + source[len("host:"):] + "-system-metrics", sub.moments("", source)})
			}
			return list, nil
		},
	}
}

func clientMetrics() kind {
	const name = "client-system-metrics"
	return sheet[moment]{
		name: name, columns: nodeColumns(),
		doc: "what kvscen used; figures of its host are empty where members share it",
		tables: func(sub *subject) ([]table[moment], error) {
			host := "host:local"
			for _, m := range sub.cluster.Members {
				if m.Host == "local" {
					host = ""
				}
			}
			return one(name, sub.moments("client", host)), nil
		},
	}
}

// sources lists those of tracks whose name begins so, in their order.
func (s *subject) sources(prefix string) []string {
	var list []string
	seen := map[string]bool{}
	for _, t := range s.phase.Samples.Tracks {
		if len(t.Source) > len(prefix) && t.Source[:len(prefix)] == prefix && !seen[t.Source] {
			list = append(list, t.Source)
			seen[t.Source] = true
		}
	}
	return list
}

// moments are the samples of the sources given; none, where they have no track.
func (s *subject) moments(process, host string) []moment {
	of := &node{s, map[string]result.Values{}, map[string]result.Values{}}
	n := 0
	for _, t := range s.phase.Samples.Tracks {
		switch t.Source {
		case process:
			of.process[t.Name] = t.Values
		case host:
			of.host[t.Name] = t.Values
		default:
			continue
		}
		n = max(n, len(t.Values))
	}
	list := make([]moment, n)
	for i := range list {
		list[i] = moment{of, i}
	}
	return list
}
