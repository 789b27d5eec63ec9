package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/engine"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/scenario"
)

const liveScenario = `
def main():
    k = keys(100)
    return scenario([stores["mem"](service = 2 * ms)], [
        phase("write", put(k.sequential(), value(10)), requests = 400, clients = steps([1, 4])),
        phase("paced", mix([(1, put(k.uniform(), value(10))), (1, get(k.uniform()))]), rate = 500, duration = 3 * second, warmup = 100, clients = 8),
    ], repeat = 2)
`

// A run is scraped while it goes on, and after its end the page agrees with its
// result.
func TestMetricsOfARun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "live.star")
	if err := os.WriteFile(file, []byte(liveScenario), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Open(t.Context(), file, scenario.Options{Specs: specs()})
	if err != nil {
		t.Fatal(err)
	}
	flags := runFlags{quiet: true, metricsAddr: "0"}
	closeMetrics, err := flags.listen(&cobra.Command{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeMetrics()
	observer, err := flags.observers(&cobra.Command{}, s.Plan.Name)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	watching := &scraper{t: t, url: flags.live.URL(), next: observer, seen: map[string]bool{}}
	run, err := engine.Run(t.Context(), s.Plan, engine.Config{
		Drivers: driversByName(), Out: out, Data: t.TempDir(), Observer: watching,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kvscen_info", "kvscen_phase_info", "kvscen_clients", "kvscen_target_requests_per_second",
		"kvscen_step_done_ratio", "kvscen_client_cpu_ratio", "process_resident_memory_bytes"} {
		if !watching.seen[name] {
			t.Errorf("%s was never on the page", name)
		}
	}
	agrees(t, run, scrape(t, flags.live.URL()))
}

// scraper fetches the page while the load is on, each time that the engine tells
// of progress.
type scraper struct {
	t    *testing.T
	url  string
	next engine.Observer
	seen map[string]bool // names of metrics
}

func (s *scraper) Observe(e engine.Event) {
	s.next.Observe(e)
	if e.Kind == engine.KindProgress || e.Kind == engine.KindUse {
		for name := range scrape(s.t, s.url) {
			s.seen[name] = true
		}
	}
}

// scrape fetches the page and parses it. It is called from several goroutines.
func scrape(t *testing.T, url string) map[string]*dto.MetricFamily {
	t.Helper()
	reply, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer reply.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	page, err := parser.TextToMetricFamilies(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Errorf("%s: %v", reply.Status, err)
	}
	return page
}

// agrees compares the page with the result, over steps and repetitions.
func agrees(t *testing.T, run *result.Run, page map[string]*dto.MetricFamily) {
	t.Helper()
	type series struct{ phase, op string }
	ok, warm, lags := map[series]uint64{}, map[series]uint64{}, map[series]uint64{}
	sums := map[series]uint64{}
	for _, c := range run.Clusters {
		for _, p := range c.Phases {
			for _, step := range p.Steps {
				warm[series{phase: p.Name}] += step.Warmup.OK
				if step.Lag != nil {
					lags[series{phase: p.Name}] += step.Lag.N
				}
				for _, one := range step.Series {
					at := series{p.Name, one.Op}
					ok[at] += one.OK
					if step.Open {
						sums[at] += one.Response.Sum
					} else {
						sums[at] += one.Service.Sum
					}
				}
			}
		}
	}
	check := func(name string, want map[series]uint64, value func(*dto.Metric) float64) {
		found := map[series]bool{}
		for _, m := range page[name].GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if labels["result"] == "failed" {
				continue
			}
			at := series{labels["phase"], labels["op"]}
			found[at] = true
			if got := value(m); got != float64(want[at]) || labels["cluster"] != "mem" || labels["scenario"] != "live" {
				t.Errorf("%s %v: %v, want %d", name, labels, got, want[at])
			}
		}
		for at, n := range want {
			if n > 0 && !found[at] {
				t.Errorf("%s: nothing of %v", name, at)
			}
		}
	}
	if ok[series{"write", "put"}] != 800 || len(ok) != 3 {
		t.Fatalf("the result itself is not as expected: %v", ok)
	}
	check("kvscen_requests_total", ok, func(m *dto.Metric) float64 { return m.GetCounter().GetValue() })
	check("kvscen_warmup_requests_total", warm, func(m *dto.Metric) float64 { return m.GetCounter().GetValue() })
	check("kvscen_request_duration_seconds", ok, func(m *dto.Metric) float64 { return float64(m.GetHistogram().GetSampleCount()) })
	check("kvscen_request_duration_seconds", sums, func(m *dto.Metric) float64 { return round9(m.GetHistogram().GetSampleSum()) })
	check("kvscen_start_lag_seconds", lags, func(m *dto.Metric) float64 { return float64(m.GetSummary().GetSampleCount()) })
}

// round9 turns seconds to whole nanoseconds.
func round9(seconds float64) float64 { return float64(time.Duration(seconds*1e9 + 0.5)) }
