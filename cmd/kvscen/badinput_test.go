package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// said is what a command printed, and its exit status.
type said struct {
	out, err string
	status   int
}

// kvscenIn runs kvscen in a folder.
func kvscenIn(t *testing.T, dir string, args ...string) said {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "kvscen", args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	return said{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// readers are the commands that read the result in folder r.
func readers() [][]string {
	list := [][]string{
		{"report", "--explain", "r"}, {"csv", "--out", "made/csv", "r"}, {"plot", "--kind", "svg", "--out", "made/plots", "r"}, {"runs", "."}, {"runs", "--json", "."},
		{"compare", "r", "r"}, {"rescue", "r"}, {"rescue", "--json", "r"},
	}
	for _, f := range formats() {
		list = append(list, []string{"report", "--format", f.name, "r"})
	}
	return list
}

// honest runs every reader on folder r and holds it to the same: no panic, no NaN,
// an exit status of those given, and nothing written but below "made".
func honest(t *testing.T, dir string, statuses ...int) {
	t.Helper()
	before := tree(t, filepath.Dir(dir))
	for _, args := range readers() {
		s := kvscenIn(t, dir, args...)
		if !slices.Contains(statuses, s.status) || strings.Contains(s.err, "panic") || strings.Contains(s.err, "goroutine ") {
			t.Errorf("%q: status %d\n%s", args, s.status, s.err)
		}
		if text := s.out + s.err; !strings.Contains(strings.Join(args, " "), "html") && lies(text) {
			t.Errorf("%q prints what is no figure:\n%s", args, text)
		}
	}
	for path, text := range tree(t, filepath.Dir(dir)) {
		if _, ok := before[path]; ok {
			continue
		}
		if !strings.HasPrefix(path, filepath.Join(dir, "made")+string(filepath.Separator)) {
			t.Errorf("%s was written", path)
		}
		if lies(text) {
			t.Errorf("%s holds what is no figure", path)
		}
	}
}

func lies(text string) bool {
	return slices.ContainsFunc([]string{"NaN", "+Inf", "-Inf", "9223372036854775807"}, func(bad string) bool { return strings.Contains(text, bad) })
}

// tree gives the regular files below a folder with their texts.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// measured runs a scenario of one phase on mem with the result in folder r.
func measured(t *testing.T, options, phase string, status int) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "work")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	script := `def main():
    return scenario([stores["mem"](` + options + `)], [phase("w", put(keys(9).sequential(), value(10)), ` + phase + `)])
`
	if err := os.WriteFile(filepath.Join(dir, "s.star"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	if s := kvscenIn(t, dir, "run", "-q", "--plots", "--out", "r", "s.star"); s.status != status {
		t.Fatalf("status %d, want %d\n%s%s", s.status, status, s.out, s.err)
	}
	return dir
}

func TestNothingSucceeded(t *testing.T) {
	dir := measured(t, "error_rate = 1.0", "requests = 50", 4)
	honest(t, dir, 0)
	if out := kvscenIn(t, dir, "report", "r").out; !strings.Contains(out, "n/a (nothing ok)") {
		t.Errorf("no n/a in\n%s", out)
	}
	for path := range tree(t, filepath.Join(dir, "made", "plots")) {
		if strings.Contains(path, "latency") {
			t.Errorf("%s is drawn of nothing", path)
		}
	}
}

func TestOneSample(t *testing.T) {
	dir := measured(t, "", "requests = 1", 0)
	honest(t, dir, 0)
	if out := kvscenIn(t, dir, "report", "r").out; !strings.Contains(out, "Latency p50                           |       n/a (1 sample)") {
		t.Errorf("no n/a in\n%s", out)
	}
}

// TestSecondsWithoutARequest has two requests four seconds apart.
func TestSecondsWithoutARequest(t *testing.T) {
	dir := measured(t, "", "requests = 2, rate = 0.25", 0)
	honest(t, dir, 0)
	text, err := os.ReadFile(filepath.Join(dir, "r", "csv", "w", "mem-client-latency-throughput-timeseries.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), ",1,,,,0,,,,,0,put,") {
		t.Errorf("no second without a request in\n%s", text)
	}
}

// TestDifferentScenarios compares runs that have no phase in common.
func TestDifferentScenarios(t *testing.T) {
	a, b := measured(t, "", "requests = 30", 0), measured(t, `label = "other"`, "requests = 30", 0)
	s := kvscenIn(t, a, "compare", "r", filepath.Join(b, "r"))
	if s.status == 0 && !strings.Contains(s.out, "warning") || strings.Contains(s.err, "panic") || lies(s.out) {
		t.Errorf("status %d\n%s%s", s.status, s.out, s.err)
	}
}

// TestHostileNames has names in a result that no scenario could give.
func TestHostileNames(t *testing.T) {
	dir := measured(t, "", "requests = 3000, clients = steps([1, 2])", 0)
	path := filepath.Join(dir, "r", result.FileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../../../<script>alert(1)</script>", "=\x1b[31m</script>\x00<img src=x onerror=alert(1)>", strings.Repeat("x", 5000)} {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := text
		for _, was := range []string{`"mem"`, `"w"`, `"put"`} {
			changed = bytes.ReplaceAll(changed, []byte(was), quoted)
		}
		if err := os.WriteFile(path, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, "made")); err != nil {
			t.Fatal(err)
		}
		honest(t, dir, 0)
		page := kvscenIn(t, dir, "report", "--format", "html", "r").out
		for _, bad := range []string{"<script>alert", "<img src"} {
			if strings.Contains(page, bad) {
				t.Errorf("%q stands in the page as it is", bad)
			}
		}
		for _, format := range []string{"table", "md", "csv"} {
			if out := kvscenIn(t, dir, "report", "--format", format, "r").out; strings.ContainsAny(out, "\x1b\x00") {
				t.Errorf("%s: control characters are printed", format)
			}
		}
	}
}

// TestDamagedResults cuts and spoils a result in many places.
func TestDamagedResults(t *testing.T) {
	dir := measured(t, "", "requests = 300", 0)
	path := filepath.Join(dir, "r", result.FileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, changed := range map[string][]byte{
		"cut":            text[:len(text)*2/3],
		"a byte flipped": bytes.Replace(text, []byte(`"data":"HIST`), []byte(`"data":"HISX`), 1),
		"columns cut":    bytes.Replace(text, []byte(`"ok":[300]`), []byte(`"ok":[]`), -1),
		"times turned":   bytes.Replace(text, []byte(`"to":`), []byte(`"to":-`), 1),
		"foreign":        []byte(`{"schema": "http://json-schema.org", "kvscen": {}}`),
		"null":           []byte(`null`),
	} {
		if err := os.WriteFile(path, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, "made")); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { honest(t, dir, 0, 1, 2) })
	}
}

// TestManySeconds reads a result of more than a day.
func TestManySeconds(t *testing.T) {
	dir := measured(t, "", "requests = 300", 0)
	run, err := result.Load(filepath.Join(dir, "r"))
	if err != nil {
		t.Fatal(err)
	}
	const seconds = 100_000
	step := &run.Clusters[0].Phases[0].Steps[0]
	step.To = step.From + seconds*time.Second
	c := &step.Series[0].Seconds
	for i := range seconds {
		c.OK, c.Failed = append(c.OK, uint32(i%7)), append(c.Failed, 0)
		for _, column := range []*result.Values{&c.Min, &c.Mean, &c.P50, &c.P90, &c.P99, &c.P999, &c.Max} {
			*column = append(*column, float64(1e6+i))
		}
		c.Bins = append(c.Bins, [][2]uint32{{80, 3}})
	}
	if err := result.Save(filepath.Join(dir, "r"), run); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"report", "r"}, {"plot", "--kind", "png", "r"}, {"csv", "r"}} {
		if s := kvscenIn(t, dir, args...); s.status != 0 || lies(s.out) {
			t.Errorf("%q: status %d\n%s%s", args, s.status, s.out, s.err)
		}
	}
	if s := kvscenIn(t, dir, "report", "--format", "html", "r"); s.status != 0 || len(s.out) > 3<<20 {
		t.Errorf("status %d, a page of %d bytes\n%s", s.status, len(s.out), s.err)
	}
}
