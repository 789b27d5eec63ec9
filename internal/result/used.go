package result

import "slices"

// Used is what the steps of a view used, each host's data device and interface
// counted once. Sums run over steps, hosts and repetitions, largest values over
// all of them. Of a store that lives in kvscen the server figures are unknown,
// they are the client's; but for the space that its data takes.
type Used struct {
	InProcess bool

	ServerRX, ServerTX Number // bytes over the servers' interfaces
	ClientRX, ClientTX Number // bytes over the interfaces of client machines

	ServerMaxCPU, ServerMaxRSS Number // of any member: percent of one core, bytes
	ClientMaxCPU, ClientMaxRSS Number // of kvscen

	ReadsCompleted, SectorsRead     Number // mean over the servers' data devices
	WritesCompleted, SectorsWritten Number
	AllSectorsWritten               Number // sum over the servers' data devices

	DiskUsage Number // bytes: mean over members at the end, mean over repetitions

	Leaders      []string // in the order in which they led
	LeaderMaxCPU Number   // percent of one core, while it led

	ServerCPUSeconds Number // of all members
	ClientCPUSeconds Number
}

// gather fills u from the steps of each repetition.
func (u *Used) gather(runs [][]Step) {
	steps := slices.Concat(runs...)
	client := devices(steps, func(h *HostUsage) bool { return h.Client })
	u.ClientRX = client.sum(iface, func(h *HostUsage) Number { return h.RX })
	u.ClientTX = client.sum(iface, func(h *HostUsage) Number { return h.TX })
	kvscen := make([]ProcessUsage, len(steps))
	for i := range steps {
		kvscen[i] = steps[i].Usage.Client
	}
	u.ClientMaxCPU = largest(kvscen, func(p *ProcessUsage) Number { return p.MaxCPU })
	u.ClientMaxRSS = largest(kvscen, func(p *ProcessUsage) Number { return p.MaxRSS })
	u.ClientCPUSeconds = sum(steps, func(s *Step) Number { return s.Client.CPUSeconds })
	if u.InProcess {
		u.setServers(NA("in process"))
		u.DiskUsage = diskUsage(runs) // its folder is its own all the same
		return
	}
	u.gatherServers(steps, runs)
}

func (u *Used) gatherServers(steps []Step, runs [][]Step) {
	servers := devices(steps, func(h *HostUsage) bool { return h.Servers })
	u.ServerRX = servers.sum(iface, func(h *HostUsage) Number { return h.RX })
	u.ServerTX = servers.sum(iface, func(h *HostUsage) Number { return h.TX })
	u.ReadsCompleted = servers.mean(device, func(h *HostUsage) Number { return h.ReadsCompleted })
	u.SectorsRead = servers.mean(device, func(h *HostUsage) Number { return h.SectorsRead })
	u.WritesCompleted = servers.mean(device, func(h *HostUsage) Number { return h.WritesCompleted })
	u.SectorsWritten = servers.mean(device, func(h *HostUsage) Number { return h.SectorsWritten })
	u.AllSectorsWritten = servers.sum(device, func(h *HostUsage) Number { return h.SectorsWritten })

	var members, leaders []ProcessUsage
	for _, s := range steps {
		for _, m := range s.Usage.Members {
			members = append(members, m)
			if m.Leader {
				leaders = append(leaders, m)
			}
		}
	}
	u.ServerMaxCPU = largest(members, func(p *ProcessUsage) Number { return p.MaxCPU })
	u.ServerMaxRSS = largest(members, func(p *ProcessUsage) Number { return p.MaxRSS })
	u.ServerCPUSeconds = sum(members, func(p *ProcessUsage) Number { return p.CPUSeconds })
	for _, l := range leaders {
		if n := len(u.Leaders); n == 0 || u.Leaders[n-1] != l.Name {
			u.Leaders = append(u.Leaders, l.Name)
		}
	}
	u.LeaderMaxCPU = NA("leader not known")
	if len(leaders) > 0 {
		u.LeaderMaxCPU = largest(leaders, func(p *ProcessUsage) Number { return p.MaxCPU })
	}
	u.DiskUsage = diskUsage(runs)
}

func (u *Used) setServers(n Number) {
	for _, f := range []*Number{
		&u.ServerRX, &u.ServerTX, &u.ServerMaxCPU, &u.ServerMaxRSS,
		&u.ReadsCompleted, &u.SectorsRead, &u.WritesCompleted, &u.SectorsWritten, &u.AllSectorsWritten,
		&u.DiskUsage, &u.LeaderMaxCPU, &u.ServerCPUSeconds,
	} {
		*f = n
	}
}

func diskUsage(runs [][]Step) Number {
	var last []ProcessUsage
	for _, steps := range runs {
		if len(steps) > 0 {
			last = append(last, steps[len(steps)-1].Usage.Members...)
		}
	}
	total := sum(last, func(p *ProcessUsage) Number { return p.DiskUsage })
	if !total.OK() {
		return total
	}
	return Known(total.V / float64(len(last)))
}

// hosts are the hosts of each step that a figure is taken of.
type hosts [][]HostUsage

func devices(steps []Step, keep func(*HostUsage) bool) hosts {
	var all hosts
	for _, s := range steps {
		var kept []HostUsage
		for i := range s.Usage.Hosts {
			if h := &s.Usage.Hosts[i]; keep(h) {
				kept = append(kept, *h)
			}
		}
		all = append(all, kept)
	}
	return all
}

func device(h *HostUsage) [2]string { return [2]string{h.Name, h.Device} }
func iface(h *HostUsage) [2]string  { return [2]string{h.Name, h.Interface} }

// once lists a figure of every step, each device or interface once a step, and
// counts the different ones.
func (hs hosts) once(unit func(*HostUsage) [2]string, of func(*HostUsage) Number) (figures []Number, units int) {
	all := map[[2]string]bool{}
	for _, step := range hs {
		seen := map[[2]string]bool{}
		for i := range step {
			u := unit(&step[i])
			if !seen[u] {
				figures = append(figures, of(&step[i]))
			}
			seen[u], all[u] = true, true
		}
	}
	return figures, len(all)
}

func (hs hosts) sum(unit func(*HostUsage) [2]string, of func(*HostUsage) Number) Number {
	figures, _ := hs.once(unit, of)
	return sum(figures, func(n *Number) Number { return *n })
}

func (hs hosts) mean(unit func(*HostUsage) [2]string, of func(*HostUsage) Number) Number {
	figures, units := hs.once(unit, of)
	total := sum(figures, func(n *Number) Number { return *n })
	if !total.OK() {
		return total
	}
	return Known(total.V / float64(units))
}

// sum is unknown as soon as one figure is: a part is not the whole.
func sum[T any](list []T, of func(*T) Number) Number {
	if len(list) == 0 {
		return NA("not sampled")
	}
	total := 0.0
	for i := range list {
		n := of(&list[i])
		if !n.OK() {
			return n
		}
		total += n.V
	}
	return Known(total)
}

// largest passes over unknown figures: a step shorter than a second has no
// one-second value, and takes nothing from those that have.
func largest[T any](list []T, of func(*T) Number) Number {
	best := NA("not sampled")
	for i := range list {
		n := of(&list[i])
		if (n.OK() && (!best.OK() || n.V > best.V)) || (!n.OK() && i == 0) {
			best = n
		}
	}
	return best
}
