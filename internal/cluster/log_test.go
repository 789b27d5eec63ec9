package cluster

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/plan"
)

func TestCountMarkers(t *testing.T) {
	text := "elected m1\nslow\n" + strings.Repeat("x", lineLimit+10) + "slow\nslow apply\nelec"
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	size := int64(len(text))
	markers := []plan.Marker{{Regexp: "^elected", Label: "leader"}, {Regexp: "slow", Label: "slow"}, {Regexp: "apply$", Label: "slow"}}
	tests := []struct {
		from, to     int64
		leader, slow int
	}{
		{0, size, 1, 3},
		{0, 10, 0, 0},   // the newline is missing
		{0, 11, 1, 0},   //
		{3, size, 1, 3}, // in the middle of a line: it ends behind
		{11, size, 0, 3},
		{11, 16, 0, 1},
		{16, size, 0, 2}, // of the long line only the beginning counts
		{size, size, 0, 0},
		{size + 5, size + 9, 0, 0},
		{9, 3, 0, 0},
	}
	for _, test := range tests {
		got, err := CountMarkers(path, test.from, test.to, markers)
		want := map[string]int{"leader": test.leader, "slow": test.slow}
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("from %d to %d: %v, %v; want %v", test.from, test.to, got, err, want)
		}
	}
	if got, err := CountMarkers(path+".none", 0, 99, markers); err != nil || got["leader"] != 0 {
		t.Errorf("a log that is missing: %v, %v", got, err)
	}
	if _, err := CountMarkers(path, 0, size, []plan.Marker{{Regexp: "(", Label: "bad"}}); err == nil {
		t.Error("no error for a bad expression")
	}
}

func TestEachLineGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	look, err := probeLog(&unit{at: place{machine: host.Local{}}, log: path}, 0, "^ready$")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		add   string
		ready bool
	}{{"", false}, {"not rea", false}, {"dy\nrea", false}, {"dy\nmore\n", true}, {"after\n", false}} {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(step.add)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := look(t.Context()); (err == nil) != step.ready {
			t.Errorf("after %q: %v", step.add, err)
		}
	}
}

func TestLastMarked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	text := "refused a\nelected m1\nrefused b\nrefused c"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	markers := []plan.Marker{{Regexp: "^refused", Label: "refused"}, {Regexp: "^elected", Label: "elections"}}
	for _, test := range []struct {
		from, to int64
		want     map[string]string
	}{
		{0, -1, map[string]string{"refused": "refused b", "elections": "elected m1"}}, // c has no newline yet
		{-99, 12, map[string]string{"refused": "refused a"}},
		{10, 21, map[string]string{"elections": "elected m1"}},
		{30, 30, map[string]string{}},
	} {
		if got, err := LastMarked(path, test.from, test.to, markers); err != nil || !maps.Equal(got, test.want) {
			t.Errorf("from %d to %d: %v, %v; want %v", test.from, test.to, got, err, test.want)
		}
	}
	if _, err := LastMarked(path, 0, -1, []plan.Marker{{Regexp: "(", Label: "bad"}}); err == nil {
		t.Error("no error for a bad expression")
	}
}
