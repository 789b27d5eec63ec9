package report

import (
	"math"

	"github.com/kvscen/kvscen/internal/result"
)

// inUnit prints a figure in a unit of package result. Negative ones, which are
// differences, keep their sign.
func inUnit(unit string, v float64) string {
	if v < 0 {
		return "-" + inUnit(unit, -v)
	}
	switch unit {
	case result.UnitNanoseconds:
		return shortMilliseconds(v)
	case result.UnitRate:
		return throughput(v)
	case result.UnitBytes:
		return size(v)
	case result.UnitByteRate:
		return size(v) + "/s"
	case result.UnitPercent:
		return percent(v)
	case result.UnitSeconds:
		return seconds(v)
	case result.UnitShare:
		return decimals(100*v, 4) + " %"
	case result.UnitCount:
		if v == math.Trunc(v) {
			return whole(v)
		}
	}
	return ratio(v)
}

// number prints a figure, or n/a and why it is not known.
func number(unit string, n result.Number) string {
	if !n.OK() {
		return "n/a (" + clean(n.Reason) + ")"
	}
	return inUnit(unit, n.V)
}
