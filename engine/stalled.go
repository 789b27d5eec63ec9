package engine

import (
	"fmt"
	"math"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// longStall is how long kvscen may have been unable to look at itself before what
// it timed meanwhile is in doubt.
const longStall = 3 * time.Second

// stalledMark says that kvscen itself stood still: it samples itself each second,
// and a machine without memory, or one that is suspended, leaves a gap there.
// Requests under way then took that long, whatever their timeout.
func stalledMark(s *result.Samples) *result.Mark {
	for _, t := range s.Tracks {
		if t.Source == "client" && t.Name == "cpu_percent" {
			gap := time.Duration(longestGap(t.Values)) * s.Step
			if gap < longStall {
				return nil
			}
			return &result.Mark{Kind: "stalled", Step: -1, Bad: true,
				Text: fmt.Sprintf("kvscen did not come to sample itself for %v: the machine stood still, or lacked memory; times of requests under way then are wrong", gap)}
		}
	}
	return nil
}

// longestGap counts the most values in a row that are missing between two others.
func longestGap(values result.Values) int {
	longest, now, began := 0, 0, false
	for _, v := range values {
		if math.IsNaN(v) {
			now++
			continue
		}
		if began {
			longest = max(longest, now)
		}
		began, now = true, 0
	}
	return longest
}
