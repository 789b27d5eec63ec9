package result

import "slices"

// MemberUsed is what one member used over the steps of a selection.
type MemberUsed struct {
	Name, Host                    string
	Steps, Led                    int    // steps it took part in, and at whose end it led
	MaxCPU, MaxRSS                Number // percent of one core, bytes: the largest of any step
	CPUSeconds                    Number
	ReadBytes, WriteBytes         Number // from and to the device
	Voluntary, Involuntary        Number // context switches
	DiskUsage                     Number // bytes at the end of the last step
	HostRX, HostTX                Number // bytes over the interface of its host, which others may share
	HostReads, HostSectorsWritten Number // of the data device of its host
	steps                         []ProcessUsage
	hosts                         []HostUsage
}

// MembersUsed lists the members of what s selects, in the order of their first
// step, repetitions and steps put together.
func (r *Run) MembersUsed(s Selection) ([]MemberUsed, error) {
	parts, err := r.parts(s)
	if err != nil {
		return nil, err
	}
	var list []MemberUsed
	for _, p := range parts {
		for i := range p.steps {
			u := &p.steps[i].Usage
			for _, m := range u.Members {
				at := slices.IndexFunc(list, func(l MemberUsed) bool { return l.Name == m.Name && l.Host == m.Host })
				if at < 0 {
					at = len(list)
					list = append(list, MemberUsed{Name: m.Name, Host: m.Host})
				}
				list[at].add(m, u.Hosts)
			}
		}
	}
	for i := range list {
		list[i].finish()
	}
	return list, nil
}

func (m *MemberUsed) add(p ProcessUsage, hosts []HostUsage) {
	m.Steps++
	if p.Leader {
		m.Led++
	}
	m.steps = append(m.steps, p)
	for _, h := range hosts {
		if h.Name == p.Host {
			m.hosts = append(m.hosts, h)
		}
	}
}

func (m *MemberUsed) finish() {
	m.MaxCPU = largest(m.steps, func(p *ProcessUsage) Number { return p.MaxCPU })
	m.MaxRSS = largest(m.steps, func(p *ProcessUsage) Number { return p.MaxRSS })
	m.CPUSeconds = sum(m.steps, func(p *ProcessUsage) Number { return p.CPUSeconds })
	m.ReadBytes = sum(m.steps, func(p *ProcessUsage) Number { return p.ReadBytes })
	m.WriteBytes = sum(m.steps, func(p *ProcessUsage) Number { return p.WriteBytes })
	m.Voluntary = sum(m.steps, func(p *ProcessUsage) Number { return p.Voluntary })
	m.Involuntary = sum(m.steps, func(p *ProcessUsage) Number { return p.Involuntary })
	m.DiskUsage = m.steps[len(m.steps)-1].DiskUsage
	m.HostRX = sum(m.hosts, func(h *HostUsage) Number { return h.RX })
	m.HostTX = sum(m.hosts, func(h *HostUsage) Number { return h.TX })
	m.HostReads = sum(m.hosts, func(h *HostUsage) Number { return h.ReadsCompleted })
	m.HostSectorsWritten = sum(m.hosts, func(h *HostUsage) Number { return h.SectorsWritten })
}
