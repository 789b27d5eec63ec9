package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// longestLabel is how much of a cluster's label the heading shows.
const longestLabel = 24

// heading says what was run, on what, and when.
func heading(to page, r *result.Run) {
	s := &r.Scenario
	title := clean(s.Name)
	if s.Title != "" && s.Title != s.Name {
		title += ": " + clean(s.Title)
	}
	var facts []fact
	part := func(name, text string) {
		if text != "" {
			facts = append(facts, fact{name: name, text: text})
		}
	}
	var params []string
	for _, p := range s.Params {
		params = append(params, clean(p.Name)+" = "+clean(p.Value))
	}
	part("parameters", strings.Join(params, "; "))
	plan := fmt.Sprintf("seed %d, hash %s", s.Seed, clean(s.Hash))
	if s.Repeat > 1 {
		plan += fmt.Sprintf(", %s in %s order", plural(s.Repeat, "repetition"), clean(s.Order))
	}
	part("plan", plan)
	part("run", fmt.Sprintf("%s, %s, kvscen %s", r.Start.UTC().Format("2006-01-02 15:04:05 UTC"), span(r.End.Sub(r.Start)), clean(r.Kvscen)))
	for _, text := range r.Notes {
		part("note", clean(text))
	}
	part("client", environment(&r.Environment, r.Clients))
	for _, m := range r.Machines() {
		facts = append(facts, fact{name: "host " + shorten(m.Name, longestLabel), text: machine(&m), label: true})
	}
	for _, label := range r.Labels() {
		facts = append(facts, fact{name: shorten(label, longestLabel), text: cluster(r, label), label: true})
	}
	to.heading(title, facts)
}

// environment is the client's machine in one paragraph; what could not be read
// is left out.
func environment(e *result.Environment, clients int) string {
	var parts []string
	add := func(value, text string) {
		if value != "" && value != "0" {
			parts = append(parts, fmt.Sprintf(text, clean(value)))
		}
	}
	add(e.Host, "%s")
	add(e.OS, "%s")
	add(e.Kernel, "kernel %s")
	add(e.CPU, "%s")
	add(fmt.Sprint(e.Cores), "%s cores")
	add(e.Governor, "governor %s")
	if e.Memory > 0 {
		add(size(float64(e.Memory)), "%s of memory")
	}
	add(whole(float64(max(0, e.OpenFiles))), "%s open files")
	add(e.FileSystem, "data on %s")
	add(e.Device, "device %s")
	add(e.Go, "%s")
	add(fmt.Sprint(e.GOMAXPROCS), "GOMAXPROCS %s")
	add(e.GOGC, "GOGC %s")
	if clients > 1 {
		parts = append(parts, plural(clients, "client machine"))
	}
	return strings.Join(parts, ", ")
}

// machine is a machine of members in one paragraph, as environment is of the
// client's.
func machine(m *result.Machine) string {
	return environment(&result.Environment{
		Host: m.System, OS: m.OS, Kernel: m.Kernel, CPU: m.CPU, Cores: m.Cores, Memory: m.Memory,
	}, 1)
}

// cluster is one cluster in one paragraph, its repetitions together.
func cluster(r *result.Run, label string) string {
	var setups, leaders, hosts []string
	var first *result.Cluster
	for i := range r.Clusters {
		c := &r.Clusters[i]
		if c.Label != label {
			continue
		}
		first = cmp.Or(first, c)
		if c.Setup > 0 {
			setups = append(setups, span(c.Setup))
		}
		for _, m := range c.Members {
			hosts = append(hosts, clean(m.Host))
			if m.Leader {
				leaders = append(leaders, clean(m.Name))
			}
		}
	}
	text := "driver " + clean(first.Driver)
	if first.Version != "" {
		text += ", version " + clean(first.Version)
	}
	switch {
	case first.InProcess:
		text += ", inside kvscen: server figures are the client's"
	case len(hosts) == 0:
		text += ", no member was set up"
	default:
		slices.Sort(hosts)
		text += fmt.Sprintf(", %s on %s", plural(len(first.Members), "member"), strings.Join(slices.Compact(hosts), ", "))
	}
	if len(setups) > 0 {
		text += ", ready in " + strings.Join(setups, ", ")
	}
	if len(leaders) > 0 {
		text += ", leader " + strings.Join(slices.Compact(leaders), ", ")
	}
	return text
}
