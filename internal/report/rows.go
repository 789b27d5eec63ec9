package report

// row is a row of the summary table: what it is called, how it comes about, and
// what stands in a cluster's column.
type row struct {
	name    string
	formula string
	differs string // from the row of this name in dbtester; empty: it does not, or there is none
	cell    func(*column, *notes) string
}

// figure makes a row of a metric.
func figure(name, metric string, as func(float64) string, formula string) row {
	return row{name: name, formula: formula, cell: func(c *column, n *notes) string {
		return n.cell(c.view.Metric(metric), as)
	}}
}

// unlike adds how dbtester's row of the same name comes about.
func (r row) unlike(differs string) row {
	r.differs = differs
	return r
}

// classicRows are dbtester's rows, in its order.
func classicRows() []row {
	const mean = "prints the sum over nodes under the name AVG"
	rows := []row{
		figure("TOTAL-SECONDS", "seconds", seconds, "length of W, from the first start to the last completion of measured requests; summed over steps and runs"),
		figure("TOTAL-REQUEST-NUMBER", "requests", whole, "requests attempted: ok + failed"),
		figure("MAX-THROUGHPUT", "max_throughput", throughput, "ok requests that completed in the best full second in W"),
		figure("AVG-THROUGHPUT", "throughput", throughput, "ok requests / TOTAL-SECONDS"),
		figure("MIN-THROUGHPUT", "min_throughput", throughput, "ok requests that completed in the worst full second in W"),
		figure("FASTEST-LATENCY", "min", shortMilliseconds, "smallest latency of ok requests: response time (end - due) where there is a rate, else service time (end - start)"),
		figure("AVG-LATENCY", "mean", shortMilliseconds, "sum of latencies / ok requests"),
		figure("SLOWEST-LATENCY", "max", shortMilliseconds, "largest latency of ok requests"),
	}
	for _, p := range []string{"p10", "p25", "p50", "p75", "p90", "p95", "p99", "p99.9"} {
		rows = append(rows, figure("Latency "+p, p, milliseconds,
			"smallest latency that this share of ok requests does not exceed, from the merged histogram; given with 10 samples beyond it"))
	}
	return append(rows,
		figure("SERVER-TOTAL-NETWORK-RX-DATA-SUM", "server_rx", size, "bytes received in W over the servers' interfaces, each counted once, summed"),
		figure("SERVER-TOTAL-NETWORK-TX-DATA-SUM", "server_tx", size, "bytes sent in W over the servers' interfaces, each counted once, summed"),
		figure("CLIENT-TOTAL-NETWORK-RX-SUM", "client_rx", size, "bytes received in W over the interfaces of client machines"),
		figure("CLIENT-TOTAL-NETWORK-TX-SUM", "client_tx", size, "bytes sent in W over the interfaces of client machines"),
		figure("SERVER-MAX-CPU-USAGE", "server_max_cpu", percent, "largest one-second CPU of any member's process tree, percent of one core").
			unlike("prints the maximum of the mean over nodes, which hides the busiest one"),
		figure("SERVER-MAX-MEMORY-USAGE", "server_max_memory", size, "largest RSS of any member's process tree").
			unlike("prints the maximum of the mean over nodes"),
		figure("CLIENT-MAX-CPU-USAGE", "client_max_cpu", percent, "largest one-second CPU of kvscen, percent of one core"),
		figure("CLIENT-MAX-MEMORY-USAGE", "client_max_memory", size, "largest RSS of kvscen"),
		figure("CLIENT-ERROR-COUNT", "failed", whole, "requests that failed"),
		figure("SERVER-AVG-READS-COMPLETED-DELTA-SUM", "server_reads", whole, "reads completed in W by each data device, mean over hosts").unlike(mean),
		figure("SERVER-AVG-SECTORS-READS-DELTA-SUM", "server_sectors_read", whole, "sectors of 512 bytes read in W from each data device, mean over hosts").unlike(mean),
		figure("SERVER-AVG-WRITES-COMPLETED-DELTA-SUM", "server_writes", whole, "writes completed in W by each data device, mean over hosts").unlike(mean),
		figure("SERVER-AVG-SECTORS-WRITTEN-DELTA-SUM", "server_sectors_written", whole, "sectors of 512 bytes written in W to each data device, mean over hosts").unlike(mean),
		figure("SERVER-AVG-DISK-SPACE-USAGE", "server_disk_usage", size, "allocated bytes of the data folder at the end, mean over members and over runs"),
	)
}
