package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
)

// Lookups finds the programs and files that a plan's members need here. Of what
// is missing the first recipe that needs it too says how to get it.
func Lookups(m Machine, programs, files []string, stores []Store) []Check {
	var checks []Check
	for _, name := range programs {
		if _, err := m.LookPath(name); err != nil {
			text := fmt.Sprintf("the program %q is not installed", name)
			if errors.Is(err, fs.ErrPermission) {
				text = fmt.Sprintf("the program %q can't be run: permission denied", name)
			}
			checks = append(checks, missing(text, stores,
				func(r *plan.Requires) bool { return slices.Contains(r.Programs, name) }))
		}
	}
	for _, pattern := range files {
		if len(m.glob(pattern)) == 0 {
			checks = append(checks, missing("no file is called "+pattern, stores,
				func(r *plan.Requires) bool { return slices.Contains(r.Files, pattern) }))
		}
	}
	return checks
}

func missing(text string, stores []Store, needed func(*plan.Requires) bool) Check {
	c := Check{Name: "programs", Status: Bad, Text: text, Advice: "install it, or name another one in the scenario"}
	for i := range stores {
		r := &stores[i].Requires
		if lines := Install(r); needed(r) && len(lines) > 0 {
			c.Advice = "to install it: " + strings.Join(lines, "; ")
			break
		}
	}
	return c
}
