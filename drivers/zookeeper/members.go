package zookeeper

import "slices"

// members is the library's list of servers: the one that was dialled and, where a
// session may move, the others after it. The library waits a second before it
// dials again, once all were tried in vain.
type members struct {
	endpoints []string
	served    bool // one has: only then may the session move
	next      int  // index of the one to try
	tried     int  // since one had served
}

func newMembers(endpoint string, others []string, moves bool) *members {
	m := &members{endpoints: []string{endpoint}}
	if moves {
		for _, o := range others {
			if !slices.Contains(m.endpoints, o) {
				m.endpoints = append(m.endpoints, o)
			}
		}
	}
	return m
}

// Init takes no notice of the servers given, which are shuffled.
func (m *members) Init([]string) error { return nil }

func (m *members) Len() int { return len(m.endpoints) }

func (m *members) Next() (endpoint string, wait bool) {
	turn := 1
	if m.served {
		turn = len(m.endpoints)
	}
	endpoint = m.endpoints[m.next]
	wait = m.tried > 0 && m.tried%turn == 0
	m.next = (m.next + 1) % turn
	m.tried++
	return endpoint, wait
}

func (m *members) Connected() {
	if !m.served {
		m.served, m.next = true, 1%len(m.endpoints)
	}
	m.tried = 0
}
