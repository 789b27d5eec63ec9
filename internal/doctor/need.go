package doctor

// Need is what a plan asks of the machine that runs it.
type Need struct {
	Data        string // folder of the members' data
	Disk        int64  // bytes, estimated
	Connections int    // held at once
	Memory      int64  // bytes in the client, for its connections
	Members     int64  // bytes of memory of the members started here, at their peak; 0: not known
	Ports       int    // of members started here

	Programs []string // names or paths, of what members started here are
	Files    []string // patterns
}

// Preflight is the checks that a plan depends on, in the order printed. The
// stores say how to get what is missing.
func Preflight(m Machine, n Need, stores []Store) []Check {
	checks := Lookups(m, n.Programs, n.Files, stores)
	checks = append(checks, Writable(n.Data), Disk(n.Data, n.Disk), OpenFiles(n.Connections), Memory(m, n.Memory, n.Members))
	if n.Ports > 0 {
		checks = append(checks, Ports(m, n.Ports))
	}
	return checks
}

// All is everything that can be said of the machine without a plan; data is
// the folder that members would write to.
func All(m Machine, data string, embedded []string, stores []Store) []Check {
	checks := []Check{
		Writable(data), Disk(data, 0), Fsync(data), OpenFiles(0), Memory(m, 0, 0), Ports(m, 0),
		Proc(m), Clock(m), Governor(m), Embedded(embedded),
	}
	return append(checks, Stores(m, stores)...)
}
