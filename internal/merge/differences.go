package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// fact is something that ought to be the same in all results, so that their
// figures can stand side by side.
type fact struct {
	name string
	of   func(*result.Run) string
}

func facts() []fact {
	return []fact{
		{"machines", func(r *result.Run) string { return r.Environment.Host }},
		{"kernels", func(r *result.Run) string { return r.Environment.Kernel }},
		{"CPUs", func(r *result.Run) string { return fmt.Sprintf("%s, %d cores", r.Environment.CPU, r.Environment.Cores) }},
		{"file systems of the data", func(r *result.Run) string { return r.Environment.FileSystem }},
		{"versions of kvscen", func(r *result.Run) string { return r.Kvscen }},
	}
}

// differences says in what the results differ beside their figures.
func differences(runs []*result.Run) []string {
	var list []string
	for _, f := range facts() {
		if seen := distinct(runs, f.of); len(seen) > 1 {
			list = append(list, fmt.Sprintf("they are of different %s: %s", f.name, strings.Join(seen, "; ")))
		}
	}
	versions := map[string][]string{}
	var labels []string
	for _, r := range runs {
		for i := range r.Clusters {
			c := &r.Clusters[i]
			if !slices.Contains(labels, c.Label) {
				labels = append(labels, c.Label)
			}
			if c.Version != "" && !slices.Contains(versions[c.Label], c.Version) {
				versions[c.Label] = append(versions[c.Label], c.Version)
			}
		}
	}
	for _, label := range labels {
		if v := versions[label]; len(v) > 1 {
			list = append(list, fmt.Sprintf("%s is of different versions: %s", label, strings.Join(v, "; ")))
		}
	}
	return list
}

// distinct lists what the results say, each once.
func distinct(runs []*result.Run, of func(*result.Run) string) []string {
	var seen []string
	for _, r := range runs {
		if text := of(r); !slices.Contains(seen, text) {
			seen = append(seen, text)
		}
	}
	if len(seen) > mostNamed {
		seen = append(seen[:mostNamed:mostNamed], fmt.Sprintf("%d more", len(seen)-mostNamed))
	}
	return seen
}
