package result

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestSaveAndLoad(t *testing.T) {
	r := usedRun(t)
	r.Start = time.Date(2026, 11, 30, 1, 2, 3, 4, time.UTC)
	r.Scenario.Title = "a <b> & c"
	p := &r.Clusters[0].Phases[0]
	p.Metrics = []MemberMetrics{{Member: "a", Values: map[string]float64{"gauge": math.NaN(), "counter": 1e300}}}
	p.Samples = Samples{Step: time.Second, Tracks: []Track{{Source: "client", Name: "cpu_percent", Values: Values{1, math.NaN(), 3}}}}
	dir := t.TempDir()
	if err := Save(dir, r); err != nil {
		t.Fatal(err)
	}
	first := read(t, dir)
	if !bytes.Contains(first, []byte("a <b> & c")) {
		t.Error("the title is escaped as for HTML")
	}
	for _, path := range []string{dir, filepath.Join(dir, FileName)} {
		got, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := Save(dir, got); err != nil { // over the old file
			t.Fatal(err)
		}
		if again := read(t, dir); !bytes.Equal(again, first) {
			t.Errorf("saved again it reads\n%s\nwas\n%s", again, first)
		}
		if !reflect.DeepEqual(view(t, got, all()).Used, view(t, r, all()).Used) {
			t.Error("what was used differs after loading")
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

// A run that was killed has left its log of latencies and no result.
func TestLoadUnfinished(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); err == nil || strings.Contains(err.Error(), LogName) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, LogName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "or was killed; what it had measured is in latency.hlog") {
		t.Errorf("a log without a result: %v", err)
	}
}

func read(t *testing.T, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSaveWhereItCannot(t *testing.T) {
	err := Save(filepath.Join(t.TempDir(), "missing"), &Run{})
	if err == nil || !strings.HasPrefix(err.Error(), "saving the result: ") {
		t.Errorf("error %v", err)
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	whole, err := json.Marshal(testRun())
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"the file is empty":    " \n",
		"cut off after 50 byt": string(whole[:50]),
		"not JSON at byte 1":   "# a README",
		"not a result of kvscen: it has no schema and version":                      `{"name": "other", "version": 3}`,
		"not a result of kvscen: it is a JSON array":                                `[1, 2]`,
		"not a result of kvscen: schema is a JSON string":                           `{"schema": "https://example.com/schema", "kvscen": "1"}`,
		"not a result of kvscen: clusters is a JSON number":                         `{"schema": 1, "kvscen": "1", "clusters": 7}`,
		"written by a newer kvscen (9.1, schema 99); this one reads up to schema 1": `{"schema": 99, "kvscen": "9.1"}`,
	} {
		path := filepath.Join(t.TempDir(), "some.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), path+": "+want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	empty := t.TempDir()
	if _, err := Load(empty); err == nil || !strings.Contains(err.Error(), "there is no "+filepath.Join(empty, FileName)) {
		t.Errorf("of an empty folder: %v", err)
	}
	if _, err := Load(os.DevNull); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("of a device: %v", err)
	}
}

// Whatever a file holds, it is refused or can be viewed without a panic, and no
// figure is more than a number.
func FuzzLoad(f *testing.F) {
	whole, err := json.Marshal(testRun([]Step{{From: 1, To: 3e9, Open: true, Series: []Series{{Op: "put", OK: 3, Seconds: Seconds{Step: 1e9, OK: []uint32{1, 2}}}}}}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(bytes.Replace(whole, []byte("1000000000"), []byte("-1"), 1))
	f.Add(bytes.Replace(whole, []byte("3000000000"), []byte("9223372036854775807"), 1))
	f.Add([]byte(`{"schema":1,"kvscen":"x","clusters":[{"label":"etcd","phases":[{"name":"write"}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := decode(text)
		if err != nil {
			return
		}
		for _, label := range r.Labels() {
			for _, phase := range r.PhaseNames() {
				v, err := r.View(Selection{Cluster: label, Phase: phase, Repetition: Merged, Step: Merged})
				if err != nil {
					continue
				}
				for _, m := range Metrics() {
					if n := v.Metric(m.Name); n.OK() && (math.IsNaN(n.V) || math.IsInf(n.V, 0)) {
						t.Errorf("%s is %v", m.Name, n.V)
					}
				}
			}
		}
	})
}
