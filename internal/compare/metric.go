package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// metric is a figure to compare.
type metric struct {
	name   string
	unit   string
	higher bool // more is better
	// percentile is the share, 0 to 100, of a percentile of latency, which is taken
	// from merged histograms; 0: the metric is none, or one of another group.
	percentile float64
}

// find looks metrics up by name.
func find(names []string) ([]metric, error) {
	if len(names) == 0 {
		names = DefaultMetrics()
	}
	known := result.Metrics()
	var found []metric
	for _, name := range names {
		i := slices.IndexFunc(known, func(m result.MetricInfo) bool { return m.Name == name })
		m := metric{name: name, unit: result.UnitNanoseconds, percentile: percentileOf(name)}
		switch {
		case i >= 0:
			m.unit = known[i].Unit
		case m.percentile == 0:
			return nil, fmt.Errorf("comparing: there is no metric %q; `kvscen doc` lists them", name)
		}
		m.higher = higherIsBetter(name, m.unit)
		found = append(found, m)
	}
	return found, nil
}

var percentileName = regexp.MustCompile(`^p([0-9]{1,2}(?:\.[0-9]{1,4})?)$`)

// percentileOf reads "p99.9"; 0: the name is of no percentile.
func percentileOf(name string) float64 {
	digits := percentileName.FindStringSubmatch(name)
	if digits == nil {
		return 0
	}
	var p float64
	if _, err := fmt.Sscan(digits[1], &p); err != nil {
		return 0
	}
	return p
}

// higherIsBetter is true of what is done, false of what it costs.
func higherIsBetter(name, unit string) bool {
	return strings.Contains(name, "throughput") || unit == result.UnitRate ||
		slices.Contains([]string{"requests_per_cpu_second", "ok", "requests", "found", "entries", "written_bytes", "read_bytes"}, name)
}
