package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/kvscen/kvscen/internal/result"
)

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, oddRun(t)); err != nil {
		t.Fatal(err)
	}
	var d digest
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Phases) != 4 || d.Status != result.StatusRun || len(d.Verdicts) != 4 {
		t.Fatalf("%d phases, status %d, %d verdicts", len(d.Phases), d.Status, len(d.Verdicts))
	}
	mixed := d.Phases[1]
	if mixed.Phase != "mixed" || mixed.Cluster != "etcd" || mixed.Runs != 3 || len(mixed.Steps) != 1 || len(mixed.Ops) != 2 || len(mixed.Marks) != 6 {
		t.Fatalf("phase %+v", mixed)
	}
	for where, c := range map[string]struct {
		f    figures
		name string
		want result.Number
	}{
		"phase":     {mixed.Metrics, "ok", result.Known(33_000)},
		"step":      {mixed.Steps[0].Metrics, "missed", result.Known(2100)},
		"operation": {mixed.Ops["get"], "ok", result.Known(16_500)},
		"nothing":   {d.Phases[2].Metrics, "p99", result.NA("nothing ok")},
		"one":       {d.Phases[3].Metrics, "p50", result.NA("1 sample")},
	} {
		if got, ok := c.f[c.name]; !ok || got != c.want {
			t.Errorf("%s: %s is %+v, want %+v", where, c.name, got, c.want)
		}
	}
	if got := mixed.Errors; len(got) != 1 || got[0].Count != 9 {
		t.Errorf("errors %+v", got)
	}
}

func TestJSONOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, &result.Run{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"phases": []`, `"verdicts": []`} {
		if !bytes.Contains(b.Bytes(), []byte(want)) {
			t.Errorf("no %s in\n%s", want, b.Bytes())
		}
	}
}

// Whatever a result holds, its table is refused or printed: no panic, and no
// figure that is not one.
func FuzzTable(f *testing.F) {
	small := runOf(clusterOf("etcd", 0, phaseOf("write", []result.Op{put()}, result.Step{
		From: 1, To: 3e9, Open: true, Series: []result.Series{{Op: "put", OK: 3, Seconds: result.Seconds{Step: 1e9, OK: []uint32{1, 2}}}},
		Errors: []result.ErrorClass{{Class: "timeout", Count: 1, Sample: "\x1b"}},
	})))
	text, err := json.Marshal(small)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(bytes.ReplaceAll(text, []byte(`"etcd"`), []byte(`""`)))
	f.Add([]byte(`{"clusters":[{"label":"a","phases":[{"name":"w","steps":[{}]},{"name":"w","steps":[{},{}]}]},{"label":"a","repetition":-7,"phases":[{"name":"w"}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r result.Run
		if json.Unmarshal(text, &r) != nil {
			return
		}
		var b bytes.Buffer
		if err := Table(&b, &r); err != nil {
			return
		}
		if bytes.ContainsRune(b.Bytes(), '\x1b') || bytes.Contains(b.Bytes(), []byte("NaN")) && !bytes.Contains(text, []byte("NaN")) {
			t.Errorf("the table holds what it must not:\n%q", b.Bytes())
		}
	})
}
