package builtins

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// PerCluster is a value that differs from cluster to cluster: it is looked up
// by label, then by driver, when the plan is built.
type PerCluster struct {
	object
	choices *starlark.Dict
}

func perClusterBuiltin() builtin {
	return builtin{
		signature: "per_cluster(choices)",
		doc:       "A value for each cluster, by label or driver; allowed wherever a phase, its keys, operations or values take one.",
		make:      makePerCluster,
	}
}

func makePerCluster(c *call) (starlark.Value, error) {
	d := one[*starlark.Dict](c, "choices", "a dict from label or driver to value")
	if d == nil {
		c.fail("choices", "want a dict from label or driver to value")
		return nil, nil
	}
	for _, k := range d.Keys() {
		if _, ok := k.(starlark.String); !ok {
			c.fail("choices", "want labels or drivers as keys, got %s", describe(k))
		}
	}
	return &PerCluster{object: c.object(), choices: d}, nil
}

// Attr reads a field.
func (p *PerCluster) Attr(name string) (starlark.Value, error) { return p.attr(p, name) }

// choose finds the value for a cluster.
func (p *PerCluster) choose(label, driver string) (starlark.Value, error) {
	for _, key := range []string{label, driver} {
		if v, ok, err := p.choices.Get(starlark.String(key)); ok && err == nil {
			return v, nil
		}
	}
	var have []string
	for _, k := range p.choices.Keys() {
		have = append(have, string(k.(starlark.String)))
	}
	slices.Sort(have)
	text := fmt.Sprintf("per_cluster: no value for cluster %q (driver %s); there are: %s", label, driver, strings.Join(have, ", "))
	return nil, &ArgError{Pos: p.site.pos, Name: "choices", Index: slices.Index(p.site.positional, "choices"), Text: text}
}
