// Package promtext reads the page of metrics that a member publishes in the text
// format of Prometheus.
package promtext

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/kvscen/kvscen/drivers"
)

// maxPage bounds the page that is read, in bytes; etcd's is about 100 KB.
const maxPage = 16 << 20

// Page is the metrics of a member, by the names that it gives them.
type Page map[string]*dto.MetricFamily

// Fetch reads the page at a URL.
func Fetch(ctx context.Context, client *http.Client, url string) (Page, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	reply, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, reply.Status)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	return parser.TextToMetricFamilies(io.LimitReader(reply.Body, maxPage))
}

// Name is a metric by the member's name and by ours.
type Name struct{ Theirs, Ours string }

// Figures are the metrics named, by our names; one that the page lacks is left
// out. A histogram, of seconds, yields several figures, with the unit at their
// end. Where a metric has labels its series are added up.
func (p Page) Figures(names []Name) map[string]drivers.Metric {
	figures := map[string]drivers.Metric{}
	for _, n := range names {
		if f := p[n.Theirs]; f != nil {
			add(figures, n.Ours, f)
		}
	}
	return figures
}

// add puts the figures of one metric under our name.
func add(figures map[string]drivers.Metric, name string, f *dto.MetricFamily) {
	sum := func(name string, v float64, counter bool) {
		figures[name] = drivers.Metric{Value: figures[name].Value + v, Counter: counter}
	}
	for _, m := range f.Metric {
		h := m.Histogram
		if h == nil {
			sum(name, m.GetCounter().GetValue()+m.GetGauge().GetValue()+m.GetUntyped().GetValue(), m.Counter != nil)
			continue
		}
		sum(name+"_count", float64(h.GetSampleCount()), true)
		sum(name+"_sum_seconds", h.GetSampleSum(), true)
		for _, b := range h.Bucket {
			le := strconv.FormatFloat(b.GetUpperBound(), 'g', -1, 64)
			sum(name+"_bucket_"+le, float64(b.GetCumulativeCount()), true)
		}
	}
}
