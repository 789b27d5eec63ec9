package procfs

import "fmt"

// family knows the parent of every process of a host.
//
// A process's parent changes only when the parent ends, and then to one outside
// the tree, so that it is read once, when the process is first seen: a reading
// costs one listing of /proc and one file for each new process. The children
// files of the kernel would cost one file for each thread, are not in every
// kernel, and may miss a child while others end.
type family struct {
	known map[int]kin
	round uint64
}

type kin struct {
	parent int
	round  uint64 // in which it was last listed
}

// look lists the processes and gives those that were not there before.
func (f *family) look(fs *files) (fresh []int, err error) {
	pids, err := fs.numbers(".")
	if err != nil {
		return nil, fmt.Errorf("looking for processes: %w", err)
	}
	if f.known == nil {
		f.known = make(map[int]kin, len(pids))
	}
	f.round++
	for _, pid := range pids {
		k, ok := f.known[pid]
		if !ok {
			b, err := fs.read(pidFile(pid, "stat"))
			if err != nil {
				continue // ended since
			}
			s, err := parseStat(b)
			if err != nil {
				continue // nothing that a group could hold
			}
			k.parent = s.parent
			fresh = append(fresh, pid)
		}
		k.round = f.round
		f.known[pid] = k
	}
	for pid, k := range f.known {
		if k.round != f.round {
			delete(f.known, pid)
		}
	}
	return fresh, nil
}

// all lists every process known.
func (f *family) all() []int {
	pids := make([]int, 0, len(f.known))
	for pid := range f.known {
		pids = append(pids, pid)
	}
	return pids
}

// adopt adds to members those of the candidates that descend from one of them.
func (f *family) adopt(members map[int]*process, candidates []int) {
	for range candidates { // at the worst, each pass finds one generation
		added := false
		for _, pid := range candidates {
			if members[pid] == nil && members[f.known[pid].parent] != nil {
				members[pid] = &process{}
				added = true
			}
		}
		if !added {
			return
		}
	}
}
