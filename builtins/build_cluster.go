package builtins

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
)

// spec finds what the cluster's driver can do; nil: there is no such driver.
func (b *builder) spec(k *Cluster) *drivers.Spec {
	var names []string
	for i := range b.specs {
		if b.specs[i].Name == k.plan.Driver {
			return &b.specs[i]
		}
		names = append(names, b.specs[i].Name)
	}
	b.problem(&k.object, "driver", "driver: no driver %q in this version; there are: %s%s", k.plan.Driver, strings.Join(names, ", "), plan.DidYouMean(k.plan.Driver, names))
	return nil
}

// security refuses credentials that the driver would not use.
func (b *builder) security(k *Cluster, spec *drivers.Spec) {
	if spec.Secure {
		return
	}
	if k.plan.TLS != nil {
		b.problem(&k.object, "tls", "tls: %s knows no TLS", spec.Name)
	}
	if k.plan.User != "" {
		b.problem(&k.object, "user", "user: %s knows no users", spec.Name)
	}
}

// options checks the options against those declared, and gives each its
// declared type.
func (b *builder) options(k *Cluster, spec *drivers.Spec) map[string]any {
	out := maps.Clone(k.plan.Options)
	for _, name := range slices.Sorted(maps.Keys(out)) {
		declared := spec.Option(name)
		if declared == nil {
			b.problem(&k.object, optionArg(k, name), "options: %s has no option %q; it has: %s%s", spec.Name, name, strings.Join(optionNames(spec), ", "), plan.DidYouMean(name, optionNames(spec)))
			continue
		}
		v, err := convert(out[name], declared.Default)
		if err != nil {
			b.problem(&k.object, optionArg(k, name), "options: %s of %s: %v", name, spec.Name, err)
			continue
		}
		if err := declared.Check(v); err != nil {
			b.problem(&k.object, optionArg(k, name), "options: %s of %s: %v", name, spec.Name, err)
		}
		out[name] = v
	}
	return out
}

// endpoints refuses those that are not host:port. A store in our own process
// has names of its own for its members.
func (b *builder) endpoints(k *Cluster, spec *drivers.Spec) {
	if spec.InProcess {
		return
	}
	for _, e := range k.plan.Endpoints {
		if err := checkEndpoint(e); err != nil {
			b.problem(&k.object, "endpoints", "endpoints: want host:port, got %q%v", e, err)
		}
	}
}

// optionArg is the argument to blame for an option. A recipe takes it as an
// argument of the same name.
func optionArg(k *Cluster, name string) string {
	if k.site.library {
		return name
	}
	return "options"
}

func optionNames(spec *drivers.Spec) []string {
	var names []string
	for _, o := range spec.Options {
		names = append(names, o.Name)
	}
	return names
}

// convert gives v the type of def: whole floats pass for integers, integers for
// floats, texts for durations.
func convert(v, def any) (any, error) {
	switch def := def.(type) {
	case int64:
		if f, ok := v.(float64); ok && f == float64(int64(f)) {
			return int64(f), nil
		}
	case float64:
		if n, ok := v.(int64); ok {
			return float64(n), nil
		}
	case time.Duration:
		if s, ok := v.(string); ok {
			d, err := time.ParseDuration(s)
			if err != nil {
				return nil, fmt.Errorf("want a duration such as %v, got %q", def, s)
			}
			return d, nil
		}
	}
	if fmt.Sprintf("%T", v) != fmt.Sprintf("%T", def) {
		return nil, fmt.Errorf("want a value such as %v, got %v", def, v)
	}
	return v, nil
}

// quota refuses data that is certain not to fit.
func (b *builder) quota(k *Cluster, run *plan.Run) {
	if k.plan.Quota == 0 {
		return
	}
	for i, held := range b.plan.Held(run) {
		if held > float64(k.plan.Quota) {
			phases := run.Groups[i].Phases
			b.problem(&k.object, "quota", "quota: the phases up to %s write %s of data, the cluster %s takes %s", phases[len(phases)-1].Name,
				humanize.Bytes(uint64(held)), k.plan.Label, humanize.Bytes(uint64(k.plan.Quota)))
			return
		}
	}
}
