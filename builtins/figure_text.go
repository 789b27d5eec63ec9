package builtins

import (
	"fmt"
	"math"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/internal/result"
)

// numberText prints a figure in its unit.
func numberText(n result.Number, unit string) string {
	switch {
	case !n.OK():
		return "n/a (" + n.Reason + ")"
	case unit == result.UnitNanoseconds:
		d := time.Duration(n.V)
		return d.Round(roundingOf(d)).String()
	case unit == result.UnitBytes && n.V >= 0:
		return humanize.Bytes(uint64(n.V))
	case unit == result.UnitByteRate && n.V >= 0:
		return humanize.Bytes(uint64(n.V)) + "/s"
	case unit == result.UnitCount:
		return humanize.Comma(int64(n.V))
	case unit == result.UnitShare:
		return fmt.Sprintf("%.4g", n.V)
	}
	return humanize.Commaf(math.Round(n.V*100)/100) + unitSuffix(unit)
}

func unitSuffix(unit string) string {
	switch unit {
	case result.UnitRate:
		return "/s"
	case result.UnitPercent:
		return " %"
	case result.UnitSeconds:
		return " s"
	}
	return ""
}
