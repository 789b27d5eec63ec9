package reference

// tracks lists the names of sampled figures, as they stand in Samples.
func (p *page) tracks() {
	p.printf("\n### Names of tracks\n\nOne value a second; CPU is in percent of one core.\n")
	p.table("Of processes", "Meaning")
	for _, f := range [][2]string{
		{"cpu_percent", "CPU time of the process tree / time that passed"},
		{"rss_bytes", "resident memory of the tree"},
		{"threads_count", "threads of the tree"},
		{"voluntary_switches_per_second", "context switches while waiting, summed over threads"},
		{"involuntary_switches_per_second", "context switches because others wanted the CPU"},
		{"read_bytes_per_second", "read from the device"},
		{"write_bytes_per_second", "written to the device"},
		{"open_files_count", "open file descriptors"},
	} {
		p.row(code(f[0]), f[1])
	}
	p.table("Of hosts", "Meaning")
	for _, f := range [][2]string{
		{"disk_reads_per_second", "reads completed by the device under the data folder"},
		{"disk_writes_per_second", "writes completed by it"},
		{"sectors_read_per_second", "sectors of 512 bytes read by it"},
		{"sectors_written_per_second", "sectors of 512 bytes written by it"},
		{"disk_busy_percent", "share of the time in which it had something to do"},
		{"rx_bytes_per_second", "received over the interface"},
		{"tx_bytes_per_second", "sent over the interface"},
		{"load1", "load average of one minute"},
		{"memory_available_bytes", "memory that programs could still take"},
		{"cpu_pressure_percent", "share of the time in which something waited for a CPU"},
		{"io_pressure_percent", "share of the time in which something waited for a disk"},
		{"memory_pressure_percent", "share of the time in which something waited for memory"},
	} {
		p.row(code(f[0]), f[1])
	}
}
