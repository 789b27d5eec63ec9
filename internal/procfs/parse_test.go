package procfs

import (
	"errors"
	"math"
	"os"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	tail := " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n"
	tests := []struct {
		name, text string
		want       stat
		err        error
	}{
		{"plain", "42 (etcd) S 7 0 0 0 0 0 1 2 3 4 100 20 3 4 20 0 9 0 555" + tail,
			stat{parent: 7, own: 120, reaped: 7, start: 555}, nil},
		{"parentheses and blanks in the name", "42 (a) R 9 (b)) S 7 0 0 0 0 0 1 2 3 4 100 20 3 4 20 0 9 0 555" + tail,
			stat{parent: 7, own: 120, reaped: 7, start: 555}, nil},
		{"zombie", "42 (sh) Z 1 0 0 0 0 0 1 2 3 4 1 1 0 0 20 0 1 0 9" + tail,
			stat{zombie: true, parent: 1, own: 2, start: 9}, nil},
		{"ends early", "42 (etcd) S 7 0 0", stat{}, errStat},
		{"no name", "42 S 7", stat{}, errStat},
		{"empty", "", stat{}, errStat},
		{"words for numbers", "42 (etcd) S 7 0 0 0 0 0 1 2 3 4 x 20 3 4 20 0 9 0 555", stat{}, errStat},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseStat([]byte(tt.text))
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("parseStat = %+v, %v; want %+v, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestParseStatus(t *testing.T) {
	got, err := parseStatus([]byte("Name:\tx\nVmRSS:\t    1768 kB\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t34\n"))
	if want := (status{rss: 1768 * 1024, voluntary: 12, involuntary: 34}); got != want || err != nil {
		t.Errorf("parseStatus = %+v, %v; want %+v", got, err, want)
	}
	got, err = parseStatus([]byte("Name:\tzombie\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t2\n"))
	if want := (status{voluntary: 1, involuntary: 2}); got != want || err != nil {
		t.Errorf("parseStatus of a zombie = %+v, %v; want %+v", got, err, want)
	}
	if _, err := parseStatus([]byte("Name:\tx\nVmRSS:\t1 kB\n")); !errors.Is(err, errStatus) {
		t.Errorf("parseStatus without switches: error %v, want %v", err, errStatus)
	}
}

func TestParseIOAndUptime(t *testing.T) {
	got, err := parseIO([]byte("rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\ncancelled_write_bytes: 7\n"))
	if want := (transfer{5, 6}); got != want || err != nil {
		t.Errorf("parseIO = %+v, %v; want %+v", got, err, want)
	}
	if _, err := parseIO([]byte("rchar: 1\n")); !errors.Is(err, errIO) {
		t.Errorf("parseIO without bytes: error %v, want %v", err, errIO)
	}
	if up, err := parseUptime([]byte("750.86 1208.39\n")); up != 750_860*time.Millisecond || err != nil {
		t.Errorf("parseUptime = %v, %v; want 750.86s", up, err)
	}
	for _, bad := range []string{"", "NaN 1", "-1 1", "soon"} {
		if _, err := parseUptime([]byte(bad)); !errors.Is(err, errUptime) {
			t.Errorf("parseUptime(%q): error %v, want %v", bad, err, errUptime)
		}
	}
}

func TestRate(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name          string
		before, after float64
		passed        time.Duration
		want          float64
	}{
		{"by the time that passed", 100, 400, 1500 * time.Millisecond, 200},
		{"nothing happened", 5, 5, time.Second, 0},
		{"went back", 400, 100, time.Second, nan},
		{"gap before", nan, 100, time.Second, nan},
		{"gap after", 100, nan, time.Second, nan},
		{"no time", 1, 2, 0, nan},
		{"clock went back", 1, 2, -time.Second, nan},
	}
	for _, tt := range tests {
		got := Rate(tt.before, tt.after, tt.passed)
		if got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%s: Rate = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// FuzzParse: whatever a file holds, parsers return, and never with both a
// figure and an error.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"/proc/self/stat", "/proc/self/status", "/proc/self/io", "/proc/uptime"} {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	f.Add([]byte("1 ) Z 1"))
	f.Add([]byte("\nread_bytes:\nwrite_bytes:"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := parseStat(b); err != nil && s != (stat{}) {
			t.Errorf("parseStat gives %+v with %v", s, err)
		}
		if s, err := parseStatus(b); err != nil && s != (status{}) {
			t.Errorf("parseStatus gives %+v with %v", s, err)
		}
		if s, err := parseIO(b); err != nil && s != (transfer{}) {
			t.Errorf("parseIO gives %+v with %v", s, err)
		}
		if up, err := parseUptime(b); up < 0 || err != nil && up != 0 {
			t.Errorf("parseUptime gives %v with %v", up, err)
		}
		unescape(string(b))
	})
}
