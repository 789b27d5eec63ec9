package drivertest

import (
	"sync"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// InProcess is the harness of a store in our own process whose data is in a
// folder. Members are opened with the options; count opens the folder of one that
// was closed, by the store's own library, and counts the keys with a prefix.
func InProcess(d interface {
	drivers.Driver
	drivers.Opener
}, options map[string]any, count func(t *testing.T, dir string, prefix []byte) int) Harness {
	members := &folders{list: map[string]folder{}}
	return Harness{
		Driver: d,
		Target: func(t *testing.T) drivers.Target {
			dir := t.TempDir()
			endpoint, shut, err := d.Open(t.Context(), dir, options)
			if err != nil {
				t.Fatal(err)
			}
			members.add(endpoint, folder{dir, shut})
			t.Cleanup(func() { members.shut(t, endpoint) })
			return drivers.Target{Endpoint: endpoint}
		},
		Count: func(t *testing.T, target drivers.Target, prefix []byte) int {
			return count(t, members.shut(t, target.Endpoint), prefix)
		},
	}
}

// folder is an open member.
type folder struct {
	dir  string
	shut func() error // nil: it is closed
}

// folders are the members by their endpoints.
type folders struct {
	mu   sync.Mutex
	list map[string]folder
}

func (f *folders) add(endpoint string, m folder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list[endpoint] = m
}

// shut closes a member, if it is open, and gives its folder.
func (f *folders) shut(t *testing.T, endpoint string) string {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.list[endpoint]
	if m.shut != nil {
		if err := m.shut(); err != nil {
			t.Errorf("close %s: %v", endpoint, err)
		}
	}
	f.list[endpoint] = folder{dir: m.dir}
	return m.dir
}
