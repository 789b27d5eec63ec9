package reference

import "github.com/kvscen/kvscen/internal/result"

// metrics is the reference of what expectations and checks can ask for.
func metrics() []byte {
	p := newPage("Metrics", `The figures that `+"`expect`"+` can limit and a `+"`check`"+` can read. Any other percentile, such as
`+"`p97.5`"+` or `+"`lag.p90`"+`, is known too. An expectation on a figure marked * fails while requests were missed.`)
	p.table("Metric", "Unit", "Meaning")
	for _, m := range result.Metrics() {
		star := ""
		if m.FailsOnMissed {
			star = " *"
		}
		p.row(code(m.Name)+star, m.Unit, m.Doc)
	}
	return p.Bytes()
}
