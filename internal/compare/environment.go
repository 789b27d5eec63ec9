package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// differences lists what differs between the sides beside the figures: a
// difference of figures may then be one of machines, or of data.
func differences(base, new Side) []string {
	var list []string
	for _, f := range facts() {
		a, b := seen(base, f.of), seen(new, f.of)
		if !slices.Equal(a, b) {
			list = append(list, fmt.Sprintf("%s differs: %s against %s", f.name, words(without(a, b)), words(without(b, a))))
		}
	}
	for _, s := range []Side{base, new} {
		for _, r := range s.Runs {
			if r.Status != result.StatusOK && r.Status != result.StatusCheck {
				list = append(list, fmt.Sprintf("a run of %s ended with status %d: %s", s.Name, r.Status, r.Reason))
			}
		}
	}
	return list
}

// fact is something that ought to be the same on both sides.
type fact struct {
	name string
	of   func(*result.Run) []string
}

func facts() []fact {
	one := func(of func(*result.Run) string) func(*result.Run) []string {
		return func(r *result.Run) []string { return []string{of(r)} }
	}
	return []fact{
		{"the machine", one(func(r *result.Run) string { return r.Environment.Host })},
		{"the kernel", one(func(r *result.Run) string { return r.Environment.Kernel })},
		{"the CPU", one(func(r *result.Run) string { return fmt.Sprintf("%s, %d cores", r.Environment.CPU, r.Environment.Cores) })},
		{"the governor", one(func(r *result.Run) string { return r.Environment.Governor })},
		{"the memory", one(func(r *result.Run) string { return fmt.Sprintf("%d bytes", r.Environment.Memory) })},
		{"the file system of the data", one(func(r *result.Run) string { return r.Environment.FileSystem })},
		{"a host", hosts},
		{"kvscen", one(func(r *result.Run) string { return r.Kvscen })},
		{"the scenario", one(func(r *result.Run) string { return r.Scenario.Name })},
		{"the plan", one(func(r *result.Run) string { return short(r.Scenario.Hash) })},
		{"a parameter", params},
		{"the version of a store", versions},
	}
}

// short is enough of a hash to tell two apart.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// hosts tells what the members' machines are. Their names do not count: those of
// one kind may stand for each other.
func hosts(r *result.Run) []string {
	var list []string
	for _, m := range r.Machines() {
		list = append(list, m.String())
	}
	return list
}

func params(r *result.Run) []string {
	var list []string
	for _, p := range r.Scenario.Params {
		list = append(list, p.Name+" = "+p.Value)
	}
	return list
}

func versions(r *result.Run) []string {
	var list []string
	for i := range r.Clusters {
		c := &r.Clusters[i]
		list = append(list, c.Label+" "+c.Version)
	}
	return list
}

// seen collects what the runs of a side say, each once.
func seen(s Side, of func(*result.Run) []string) []string {
	var list []string
	for _, r := range s.Runs {
		list = append(list, of(r)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// without leaves out of a what b says too.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(text string) bool { return slices.Contains(b, text) })
}

// words joins what is seen; an empty text is one that could not be read.
func words(list []string) string {
	switch {
	case len(list) == 0:
		return "nothing else"
	case len(list) == 1 && list[0] == "":
		return "unknown"
	}
	return strings.Join(list, ", ")
}
