package result

import "strings"

// MetricInfo describes a figure that expectations and checks can ask for.
type MetricInfo struct {
	Name string
	Unit string // one of the Unit constants
	Doc  string
	// FailsOnMissed marks the latencies that leave missed requests out: while
	// View.Counts.Missed > 0 an expectation on one of them fails, whatever it reads.
	FailsOnMissed bool
}

// Units of metrics.
const (
	UnitNanoseconds = "ns"
	UnitRate        = "requests/s"
	UnitCount       = "count"
	UnitShare       = "share" // 0 to 1
	UnitBytes       = "bytes"
	UnitByteRate    = "bytes/s"
	UnitPercent     = "percent" // of one core
	UnitSeconds     = "s"
	UnitRatio       = "ratio"
)

// metric is a figure and how it is read from a view.
type metric struct {
	MetricInfo
	of func(*View) Number
}

// metrics lists every figure but the latencies.
func metrics() []metric {
	count := func(name, doc string, of func(*View) uint64) metric {
		return metric{MetricInfo{Name: name, Unit: UnitCount, Doc: doc}, func(v *View) Number { return Known(float64(of(v))) }}
	}
	figure := func(name, unit, doc string, of func(*View) Number) metric {
		return metric{MetricInfo{Name: name, Unit: unit, Doc: doc}, of}
	}
	return []metric{
		figure("throughput", UnitRate, "ok requests / length of the window", (*View).throughput),
		figure("max_throughput", UnitRate, "ok requests of the best full second", func(v *View) Number { return v.MaxThroughput }),
		figure("min_throughput", UnitRate, "ok requests of the worst full second", func(v *View) Number { return v.MinThroughput }),
		figure("error_rate", UnitShare, "failed / attempted", (*View).errorRate),
		figure("seconds", UnitSeconds, "length of the window: first start to last completion, summed over steps", func(v *View) Number { return Known(v.Window.Seconds()) }),
		count("requests", "attempted requests", func(v *View) uint64 { return v.Counts.Attempted }),
		count("ok", "requests that succeeded", func(v *View) uint64 { return v.Counts.OK }),
		count("failed", "requests that failed", func(v *View) uint64 { return v.Counts.Failed }),
		count("missed", "requests that were due and never started", func(v *View) uint64 { return v.Counts.Missed }),
		count("undue", "requests that never became due, because the phase ended early", func(v *View) uint64 { return v.Counts.Undue }),
		count("warmup", "requests of the warm-up, which nothing else counts", func(v *View) uint64 { return v.Warmup.Attempted }),
		count("found", "requests that found their key, swapped or committed", func(v *View) uint64 { return v.Found }),
		count("entries", "entries read or removed", func(v *View) uint64 { return v.Entries }),
		count("retries", "attempts hidden in the client library", func(v *View) uint64 { return v.Retries }),
		figure("written_bytes", UnitBytes, "payload sent by ok requests: keys and values", func(v *View) Number { return Known(float64(v.Written)) }),
		figure("read_bytes", UnitBytes, "payload received by ok requests: keys and values", func(v *View) Number { return Known(float64(v.Read)) }),
		figure("write_throughput", UnitByteRate, "written_bytes / length of the window", func(v *View) Number { return v.byteRate(v.Written) }),
		figure("read_throughput", UnitByteRate, "read_bytes / length of the window", func(v *View) Number { return v.byteRate(v.Read) }),
		figure("server_rx", UnitBytes, "bytes received over the servers' interfaces, summed", func(v *View) Number { return v.Used.ServerRX }),
		figure("server_tx", UnitBytes, "bytes sent over the servers' interfaces, summed", func(v *View) Number { return v.Used.ServerTX }),
		figure("client_rx", UnitBytes, "bytes received over the interfaces of client machines", func(v *View) Number { return v.Used.ClientRX }),
		figure("client_tx", UnitBytes, "bytes sent over the interfaces of client machines", func(v *View) Number { return v.Used.ClientTX }),
		figure("server_max_cpu", UnitPercent, "largest one-second CPU of any member", func(v *View) Number { return v.Used.ServerMaxCPU }),
		figure("server_max_memory", UnitBytes, "largest RSS of any member", func(v *View) Number { return v.Used.ServerMaxRSS }),
		figure("client_max_cpu", UnitPercent, "largest one-second CPU of kvscen", func(v *View) Number { return v.Used.ClientMaxCPU }),
		figure("client_max_memory", UnitBytes, "largest RSS of kvscen", func(v *View) Number { return v.Used.ClientMaxRSS }),
		figure("server_reads", UnitCount, "reads completed, mean over the servers' data devices", func(v *View) Number { return v.Used.ReadsCompleted }),
		figure("server_sectors_read", UnitCount, "sectors of 512 bytes read, mean over the servers' data devices", func(v *View) Number { return v.Used.SectorsRead }),
		figure("server_writes", UnitCount, "writes completed, mean over the servers' data devices", func(v *View) Number { return v.Used.WritesCompleted }),
		figure("server_sectors_written", UnitCount, "sectors of 512 bytes written, mean over the servers' data devices", func(v *View) Number { return v.Used.SectorsWritten }),
		figure("server_disk_usage", UnitBytes, "allocated bytes of the data folder at the end, mean over members", func(v *View) Number { return v.Used.DiskUsage }),
		figure("leader_max_cpu", UnitPercent, "largest one-second CPU of the leader", func(v *View) Number { return v.Used.LeaderMaxCPU }),
		figure("server_cpu_seconds", UnitSeconds, "CPU time of all members", func(v *View) Number { return v.Used.ServerCPUSeconds }),
		figure("client_cpu_seconds", UnitSeconds, "CPU time of kvscen", func(v *View) Number { return v.Used.ClientCPUSeconds }),
		figure("requests_per_cpu_second", UnitRatio, "ok requests / CPU seconds of all members", (*View).requestsPerCPUSecond),
		figure("disk_bytes_per_payload_byte", UnitRatio, "bytes written to the servers' data devices, summed / payload bytes sent", (*View).diskBytesPerPayloadByte),
	}
}

// latencyGroup is a set of latencies that the same statistics are taken of.
type latencyGroup struct {
	prefix, doc   string
	failsOnMissed bool
	of            func(*View) *Latencies
}

func latencyGroups() []latencyGroup {
	return []latencyGroup{
		{"", "response time where there is a schedule, else service time", true, func(v *View) *Latencies { return v.Latency }},
		{"service.", "service time: end - start of ok requests", true, func(v *View) *Latencies { return v.Service }},
		{"response.", "response time: end - due of ok requests", true, func(v *View) *Latencies { return v.Response }},
		{"charged.", "response time with the missed requests at end - due", false, func(v *View) *Latencies { return v.Charged }},
		{"lag.", "lag: start - due, the client's own lateness", true, func(v *View) *Latencies { return v.Lag }},
		{"failed.", "service time of failed requests", true, func(v *View) *Latencies { return v.Failed }},
	}
}

// Percentiles lists the percentiles that metrics are named for.
func Percentiles() []string {
	return []string{"p10", "p25", "p50", "p75", "p90", "p95", "p99", "p99.9", "p99.99"}
}

// Metrics lists every figure that View.Metric knows, latencies last. Any other
// percentile ("p97.5", "lag.p90") is known too.
func Metrics() []MetricInfo {
	var infos []MetricInfo
	for _, m := range metrics() {
		infos = append(infos, m.MetricInfo)
	}
	stats := append([]string{"mean", "min", "max"}, Percentiles()...)
	for _, g := range latencyGroups() {
		for _, s := range stats {
			infos = append(infos, MetricInfo{g.prefix + s, UnitNanoseconds, s + " of the " + g.doc, g.failsOnMissed})
		}
	}
	return infos
}

// Metric reads a figure by its name. It is unknown, with the reason, where it
// can't be known; so is a name that is none.
func (v *View) Metric(name string) Number {
	for _, g := range latencyGroups() {
		if stat, ok := strings.CutPrefix(name, g.prefix); ok {
			if n, ok := g.of(v).stat(stat); ok {
				return n
			}
		}
	}
	for _, m := range metrics() {
		if m.Name == name {
			return m.of(v)
		}
	}
	return NA("no such metric: " + name)
}

func (v *View) throughput() Number {
	if v.Counts.OK == 0 {
		return NA("nothing ok")
	}
	if v.Window <= 0 {
		return NA("no time passed")
	}
	return Known(float64(v.Counts.OK) / v.Window.Seconds())
}

// byteRate is unknown where throughput is: nothing moved is a figure only where
// something was ok.
func (v *View) byteRate(moved uint64) Number {
	if n := v.throughput(); !n.OK() {
		return n
	}
	return Known(float64(moved) / v.Window.Seconds())
}

func (v *View) errorRate() Number {
	if v.Counts.Attempted == 0 {
		return NA("nothing attempted")
	}
	return Known(float64(v.Counts.Failed) / float64(v.Counts.Attempted))
}

func (v *View) requestsPerCPUSecond() Number {
	cpu := v.Used.ServerCPUSeconds
	switch {
	case !cpu.OK():
		return cpu
	case v.Counts.OK == 0:
		return NA("nothing ok")
	case cpu.V <= 0:
		return NA("no CPU time seen")
	}
	return Known(float64(v.Counts.OK) / cpu.V)
}

// sectorBytes is the size of a sector as block devices count them.
const sectorBytes = 512

func (v *View) diskBytesPerPayloadByte() Number {
	written := v.Used.AllSectorsWritten
	switch {
	case !written.OK():
		return written
	case v.Written == 0:
		return NA("nothing written")
	}
	return Known(written.V * sectorBytes / float64(v.Written))
}
