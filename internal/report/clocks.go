package report

import (
	"fmt"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// clocks says how far the clocks of other machines were off, which the times of
// their logs depend on.
func clocks(to page, r *result.Run) {
	any := false
	for i := range r.Clusters {
		c := &r.Clusters[i]
		for _, clock := range c.Clocks {
			if !any {
				to.section(titleClocks)
			}
			any = true
			to.item(fmt.Sprintf("%s, %s, after %s", shorten(c.Label, 24), shorten(clock.Host, 40), span(clock.At.Sub(r.Start))),
				fmt.Sprintf("%s, give or take %s", offset(clock.Offset), clock.Bound.Round(10*time.Microsecond)))
		}
	}
}

// offset puts a sign before a difference to this machine's clock.
func offset(d time.Duration) string {
	text := d.Round(10 * time.Microsecond).String()
	if d > 0 {
		return "+" + text
	}
	return text
}
