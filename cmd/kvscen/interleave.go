package main

import (
	"fmt"
	"io"

	"github.com/kvscen/kvscen/internal/plan"
)

// interleave makes a plan take its clusters in turn, as --interleave asks. Where
// that changes nothing it says so: who asks for it expects repetitions.
func interleave(p *plan.Plan, stderr io.Writer) {
	p.Order = plan.Interleaved
	switch {
	case p.Repeat < 2:
		fmt.Fprintf(stderr, "warning: %s: --interleave changes nothing: each cluster is run once; give scenario(...) a repeat=\n", p.Name)
	case len(p.Runs) < 2:
		fmt.Fprintf(stderr, "warning: %s: --interleave changes nothing: there is one cluster\n", p.Name)
	}
}
