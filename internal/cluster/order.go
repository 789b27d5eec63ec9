package cluster

import (
	"errors"
	"fmt"
	"strings"
)

// order links each process with those that it starts after. Names are
// NODE.PROCESS or, of the same node, PROCESS.
func order(units []*unit) error {
	byName := make(map[string]*unit)
	for _, u := range units {
		if byName[u.name()] != nil {
			return u.blame(errors.New("there are two processes of this name"))
		}
		byName[u.name()] = u
	}
	for _, u := range units {
		for _, name := range u.spec.After {
			first := byName[u.node+"."+name]
			if first == nil {
				first = byName[name]
			}
			if first == nil {
				return u.blame(fmt.Errorf("after: there is no process %q", name))
			}
			u.after = append(u.after, first)
			first.before = append(first.before, u)
		}
	}
	return acyclic(units)
}

// acyclic takes away, again and again, the processes that wait for none that is
// left; those that stay wait for each other.
func acyclic(units []*unit) error {
	waits := make(map[*unit]int)
	var free []*unit
	for _, u := range units {
		if waits[u] = len(u.after); waits[u] == 0 {
			free = append(free, u)
		}
	}
	for len(free) > 0 {
		u := free[0]
		free = free[1:]
		delete(waits, u)
		for _, next := range u.before {
			if waits[next]--; waits[next] == 0 {
				free = append(free, next)
			}
		}
	}
	var stuck []*unit
	var names []string
	for _, u := range units {
		if _, ok := waits[u]; ok {
			stuck, names = append(stuck, u), append(names, u.name())
		}
	}
	if len(stuck) == 0 {
		return nil
	}
	return stuck[0].blame(fmt.Errorf("after: these wait for each other: %s", strings.Join(names, ", ")))
}
