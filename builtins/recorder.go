package builtins

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// A recorder keeps what a function reads of a result, so that a failed check can
// show every value that it looked at.
type recorder struct {
	run     *result.Run
	plan    *plan.Plan
	params  starlark.Value
	reads   []result.Read
	unknown []string // figures that were read and are not known, with the reason
}

// root is what the function is called with.
func (rec *recorder) root() starlark.Value {
	return &Result{rec: rec, sel: result.Selection{Repetition: result.Merged, Step: result.Merged}}
}

// read gives a metric of a part of the result and notes that it was read.
func (rec *recorder) read(sel result.Selection, m result.MetricInfo) (starlark.Value, error) {
	sel, err := rec.complete(sel)
	if err != nil {
		return nil, err
	}
	n, err := rec.figure(sel, m.Name)
	if err != nil {
		return nil, err
	}
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

// figure reads a metric. What was planned and never came to be run is unknown.
func (rec *recorder) figure(sel result.Selection, metric string) (result.Number, error) {
	view, err := rec.run.View(sel)
	switch {
	case err == nil:
		return view.Metric(metric), nil
	case rec.meant(sel) && !rec.ran(sel):
		return result.NA("did not run"), nil
	}
	return result.Number{}, err
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
	var err error
	if sel.Cluster, err = rec.onlyCluster(sel.Cluster); err != nil {
		return sel, err
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
