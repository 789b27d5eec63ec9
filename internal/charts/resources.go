package charts

import (
	"math"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// resource is a chart of one sampled track over time.
type resource struct {
	name, title, unit string
	track             string
	sources           string // prefix of the sources: "member:", "host:", "client"
	scale             float64
	join              func([]float64) float64 // values of several sources at one time to one
}

func resources() []resource {
	const mega = 1e-6
	members, hosts := "member:", "host:"
	return []resource{
		{"server-cpu-mean", "CPU of servers, mean over members", "% of one core", "cpu_percent", members, 1, mean},
		{"server-cpu-max", "CPU of servers, the busiest member", "% of one core", "cpu_percent", members, 1, largest},
		{"server-rss", "Resident memory of servers, the largest member", "MB", "rss_bytes", members, mega, largest},
		{"server-voluntary-switches", "Voluntary context switches of servers, mean over members", "1/s", "voluntary_switches_per_second", members, 1, mean},
		{"server-involuntary-switches", "Involuntary context switches of servers, mean over members", "1/s", "involuntary_switches_per_second", members, 1, mean},
		{"server-read-bytes", "Bytes read from disk by servers, all members", "MB/s", "read_bytes_per_second", members, mega, total},
		{"server-written-bytes", "Bytes written to disk by servers, all members", "MB/s", "write_bytes_per_second", members, mega, total},
		{"disk-reads", "Reads completed by the data devices", "1/s", "disk_reads_per_second", hosts, 1, total},
		{"disk-writes", "Writes completed by the data devices", "1/s", "disk_writes_per_second", hosts, 1, total},
		{"sectors-read", "Sectors of 512 bytes read by the data devices", "1/s", "sectors_read_per_second", hosts, 1, total},
		{"sectors-written", "Sectors of 512 bytes written by the data devices", "1/s", "sectors_written_per_second", hosts, 1, total},
		{"network-received", "Received over the interfaces of hosts", "MB/s", "rx_bytes_per_second", hosts, mega, total},
		{"network-sent", "Sent over the interfaces of hosts", "MB/s", "tx_bytes_per_second", hosts, mega, total},
		{"client-cpu", "CPU of kvscen", "% of one core", "cpu_percent", "client", 1, largest},
		{"client-rss", "Resident memory of kvscen", "MB", "rss_bytes", "client", mega, largest},
	}
}

// resources are the charts of what was sampled, second by second.
func (p *phase) resources() []Chart {
	var list []Chart
	for _, res := range resources() {
		c := p.timed(Chart{
			Name: res.name, Title: res.title, Column: "samples.tracks[" + res.sources + "]." + res.track,
			Y: Axis{Label: res.unit, Scale: Linear},
		})
		for i := range p.runs {
			r := &p.runs[i]
			c.Lines = append(c.Lines, r.line(r.sampled(res)))
		}
		list = append(list, c)
	}
	return list
}

// sampled joins the tracks of a resource. At a time at which one source has no
// sample there is none: a sum without it would be another sum.
func (r *run) sampled(res resource) []XY {
	s := &r.phase.Samples
	var tracks []result.Values
	for _, t := range s.Tracks {
		if t.Name == res.track && strings.HasPrefix(t.Source, res.sources) {
			tracks = append(tracks, t.Values)
		}
	}
	if len(tracks) == 0 {
		return nil
	}
	n := 0
	for _, t := range tracks {
		n = max(n, len(t))
	}
	step := max(s.Step, time.Second)
	list := make([]XY, n)
	values := make([]float64, len(tracks))
	for i := range list {
		for j, t := range tracks {
			values[j] = math.NaN()
			if i < len(t) {
				values[j] = t[i]
			}
		}
		list[i] = point((s.Start + time.Duration(i)*step).Seconds(), res.join(values)*res.scale)
	}
	return list
}

func total(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

func mean(values []float64) float64 { return total(values) / float64(len(values)) }

func largest(values []float64) float64 {
	most := math.Inf(-1)
	for _, v := range values {
		most = max(most, v) // NaN where one is
	}
	return most
}
