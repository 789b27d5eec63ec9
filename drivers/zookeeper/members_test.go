package zookeeper

import "testing"

func TestMembers(t *testing.T) {
	type step struct {
		connected bool // before it
		endpoint  string
		wait      bool
	}
	for name, x := range map[string]struct {
		moves bool
		steps []step
	}{
		"pinned": {false, []step{{false, "a", false}, {true, "a", false}, {false, "a", true}, {false, "a", true}}},
		"moves": {true, []step{
			{false, "a", false}, {false, "a", true}, {true, "b", false}, {false, "c", false}, {false, "a", false}, {false, "b", true}, {true, "c", false},
		}},
	} {
		m := newMembers("a", []string{"a", "b", "c"}, x.moves)
		for i, s := range x.steps {
			if s.connected {
				m.Connected()
			}
			if endpoint, wait := m.Next(); endpoint != s.endpoint || wait != s.wait {
				t.Errorf("%s, step %d: %s, wait %v; want %s, %v", name, i, endpoint, wait, s.endpoint, s.wait)
			}
		}
	}
}
