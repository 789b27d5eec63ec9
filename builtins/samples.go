package builtins

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/result"
)

// samples gives the latency of each ok request of a part of the result, in the
// order in which the requests were numbered: response times where there is a
// schedule, else service times. Requests that failed have none, and are left
// out; failed counts them.
func (r *Result) samples() (starlark.Value, error) {
	rec := r.rec
	sel, err := rec.complete(r.sel)
	if err != nil {
		return nil, err
	}
	all, err := rec.run.Samples(sel)
	if err != nil {
		return nil, err
	}
	latencies := make([]starlark.Value, 0, len(all))
	for i := range all {
		if all[i].OK {
			latencies = append(latencies, Duration(all[i].Latency()))
		}
	}
	rec.note(result.Read{Path: path(sel) + ".samples", Value: fmt.Sprintf("%d durations", len(latencies))})
	list := starlark.NewList(latencies)
	list.Freeze()
	return list, nil
}
