package charts

import (
	"math"

	"github.com/kvscen/kvscen/internal/result"
)

// maxBars is how many error bars a line has at most: more can't be told apart.
const maxBars = 60

// byKey are the charts over the number of requests rather than time: how a store
// fares as it fills. Points are means, with bars from the least to the most.
func (p *phase) byKey() []Chart {
	var list []Chart
	ops := p.ops()
	for op, name := range ops {
		file, of := "latency-by-key", ""
		if len(ops) > 1 {
			file, of = file+"-"+name, " of "+name
		}
		list = append(list, p.keyChart(Chart{
			Name: file, Title: "Latency" + of + " by key: mean, least and most", Column: "steps[].series[].ranges",
			Y: Axis{Label: "latency (ms)", Scale: Log},
		}, 1/ms, func(r *run) []result.KeyRange { return r.phase.LatencyByKey(op) }))
	}
	const mega = 1e-6
	for _, f := range []struct{ name, title, unit, track string }{
		{"server-rss-by-key", "Resident memory of members by key: mean, least and most", "MB", "rss_bytes"},
		{"server-read-bytes-by-key", "Bytes read from disk by members by key: mean, least and most", "MB/s", "read_bytes_per_second"},
		{"server-written-bytes-by-key", "Bytes written to disk by members by key: mean, least and most", "MB/s", "write_bytes_per_second"},
	} {
		list = append(list, p.keyChart(Chart{
			Name: f.name, Title: f.title, Column: "samples.tracks[member:]." + f.track, Y: Axis{Label: f.unit, Scale: Linear},
		}, mega, func(r *run) []result.KeyRange { return r.phase.TrackByKey("member:", f.track) }))
	}
	return list
}

func (p *phase) keyChart(c Chart, scale float64, of func(*run) []result.KeyRange) Chart {
	c.X = Axis{Label: "requests so far (keys, if taken in sequence)", Scale: Linear}
	for i := range p.runs {
		r := &p.runs[i]
		var xy []XY
		last := uint64(0)
		for _, k := range result.JoinRanges(of(r), maxBars) {
			if k.From > last {
				xy = append(xy, point(float64(k.From), math.NaN()))
			}
			last = k.To
			xy = append(xy, XY{X: float64(k.To), Y: k.Mean * scale, Low: k.Min * scale, High: k.Max * scale})
		}
		c.Lines = append(c.Lines, Line{Label: r.label(), Color: r.color, Dash: r.dash(), XY: xy})
	}
	return c
}
