package builtins

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/kvscen/kvscen/internal/result"
)

// A recorder keeps what a check reads of a result, so that a failure can show
// every value that the function looked at.
type recorder struct {
	run     *result.Run
	reads   []result.Read
	unknown []string // figures that were read and are not known, with the reason
}

// root is the r of a check.
func (rec *recorder) root() starlark.Value {
	return &Result{rec: rec, sel: result.Selection{Repetition: result.Merged, Step: result.Merged}}
}

// read gives a metric of a part of the result and notes that it was read.
func (rec *recorder) read(sel result.Selection, m result.MetricInfo) (starlark.Value, error) {
	sel, err := rec.complete(sel)
	if err != nil {
		return nil, err
	}
	view, err := rec.run.View(sel)
	if err != nil {
		return nil, err
	}
	n := view.Metric(m.Name)
	read := result.Read{Path: path(sel) + "." + m.Name, Value: numberText(n, m.Unit)}
	if rec.note(read) && !n.OK() {
		rec.unknown = append(rec.unknown, read.Path+" is not known: "+n.Reason)
	}
	switch {
	case !n.OK():
		return notKnown{n.Reason}, nil
	case m.Unit == result.UnitNanoseconds:
		return Duration(math.Round(n.V)), nil
	case n.V == math.Trunc(n.V) && (m.Unit == result.UnitCount || m.Unit == result.UnitBytes):
		return starlark.MakeInt64(int64(n.V)), nil
	}
	return starlark.Float(n.V), nil
}

// note remembers what was read, and reports whether it is new.
func (rec *recorder) note(read result.Read) bool {
	if slices.Contains(rec.reads, read) {
		return false
	}
	rec.reads = append(rec.reads, read)
	return true
}

// complete fills in the levels that were left out, where there is just one to
// choose from.
func (rec *recorder) complete(sel result.Selection) (result.Selection, error) {
	labels := rec.labels()
	if sel.Cluster == "" {
		if len(labels) != 1 {
			return sel, fmt.Errorf("say which cluster is meant, as r.cluster(label); there are: %s", strings.Join(labels, ", "))
		}
		sel.Cluster = labels[0]
	}
	if sel.Phase == "" {
		phases := rec.phases(sel.Cluster)
		if len(phases) != 1 {
			return sel, fmt.Errorf("say which phase is meant, as .phase(name); there are: %s", strings.Join(phases, ", "))
		}
		sel.Phase = phases[0]
	}
	return sel, nil
}

func (rec *recorder) labels() []string {
	var out []string
	for _, c := range rec.run.Clusters {
		if !slices.Contains(out, c.Label) {
			out = append(out, c.Label)
		}
	}
	return out
}

// phases lists the phases of a cluster, or of all clusters where label is empty.
func (rec *recorder) phases(label string) []string {
	var out []string
	for _, c := range rec.run.Clusters {
		for _, p := range c.Phases {
			if (label == "" || c.Label == label) && !slices.Contains(out, p.Name) {
				out = append(out, p.Name)
			}
		}
	}
	return out
}

// repetitions counts those of a cluster.
func (rec *recorder) repetitions(label string) int {
	n := 0
	for _, c := range rec.run.Clusters {
		if c.Label == label {
			n = max(n, c.Repetition+1)
		}
	}
	return n
}

// path prints a selection as a check writes it.
func path(s result.Selection) string {
	out := fmt.Sprintf("cluster(%q).phase(%q)", s.Cluster, s.Phase)
	if s.Step >= 0 {
		out += fmt.Sprintf(".step(%d)", s.Step+1)
	}
	if s.Op != "" {
		out += fmt.Sprintf(".op(%q)", s.Op)
	}
	if s.Repetition >= 0 {
		out += fmt.Sprintf(".runs[%d]", s.Repetition)
	}
	return out
}

// notKnown is a figure that can't be known. Whatever is done with it ends the
// check; the verdict gives the reason.
type notKnown struct{ reason string }

var _ starlark.HasBinary = notKnown{}

func (n notKnown) String() string        { return "n/a (" + n.reason + ")" }
func (n notKnown) Type() string          { return "n/a" }
func (n notKnown) Freeze()               {}
func (n notKnown) Truth() starlark.Bool  { return false }
func (n notKnown) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: n/a") }

// Binary refuses to reckon with what is not known.
func (n notKnown) Binary(syntax.Token, starlark.Value, starlark.Side) (starlark.Value, error) {
	return nil, fmt.Errorf("the figure is %v", n)
}
