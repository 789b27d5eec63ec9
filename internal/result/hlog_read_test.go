package result

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// logOf is a log of three seconds of two operations, the middle one without a
// request.
func logOf(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	base := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	l := NewHLog(&b, base)
	for i := range 3 {
		at := base.Add(time.Duration(i) * time.Second)
		for _, op := range []string{"put", "get"} {
			h := NewHDR()
			for _, v := range draw(uint64(i), 100*(1-i%2)) {
				if err := h.RecordValue(v); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.Interval(Tag("etcd", "write", op, 0, 1), at, at.Add(time.Second), h); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.String()
}

func TestReadHLog(t *testing.T) {
	text := logOf(t)
	l, err := ReadHLog(strings.NewReader(text))
	if err != nil || l.Cut || len(l.Series) != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	s := l.Series[0]
	if s.Tag != "etcd.write.put" || s.Seconds != 3 || s.To.Sub(s.From) != 3*time.Second || !s.From.Equal(l.Base) || s.Latencies.N != 200 || s.Most != 100 {
		t.Errorf("%+v", s)
	}
	if p := s.Latencies.Percentile(50); !p.OK() || p.V <= 0 {
		t.Errorf("p50 is %+v", p)
	}
}

// TestReadHLogCutAnywhere cuts a log at many places, as a writer that is
// killed may.
func TestReadHLogCutAnywhere(t *testing.T) {
	text := logOf(t)
	head := strings.Index(text, "\n")
	for n := head + 1; n < len(text); n += 31 {
		l, err := ReadHLog(strings.NewReader(text[:n]))
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
		whole := strings.Count(text[:n], "\nTag=")
		if text[n-1] != '\n' && strings.HasPrefix(text[strings.LastIndex(text[:n], "\n")+1:n], "Tag=") {
			whole--
		}
		seen := 0
		for _, s := range l.Series {
			seen += s.Seconds
		}
		if l.Cut != (text[n-1] != '\n') || seen != whole {
			t.Fatalf("cut after %d bytes: %d intervals of %d, cut %t", n, seen, whole, l.Cut)
		}
	}
}

func TestReadHLogErrors(t *testing.T) {
	text := logOf(t)
	for damaged, want := range map[string]string{
		"":                  "not a latency log",
		"{\"schema\": 1}\n": "not a latency log",
		strings.Replace(text, "0.000,", "NaN,", 1):                                "start and length",
		strings.Replace(text, ",HIST", ",XIST", 1):                                "decoding a histogram",
		strings.Replace(text, "1.000,", "", 1):                                    "it has 3 fields",
		strings.Replace(text, "#[BaseTime: ", "#[BaseTime: x", 1):                 "the base time",
		strings.Replace(text, "Tag=", "#"+strings.Repeat("x", 2<<20)+"\nTag=", 1): "bytes",
	} {
		if _, err := ReadHLog(strings.NewReader(damaged)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Whatever a log holds, it is refused, or its figures are numbers.
func FuzzReadHLog(f *testing.F) {
	text := logOf(f)
	f.Add(text)
	f.Add(text[:len(text)-20])
	f.Add("#[Histogram log format version 1.3]\n#[BaseTime: 1e10 (x)]\nTag=a.b.c,-1,2,3,\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ReadHLog(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, s := range l.Series {
			for _, n := range []Number{s.Latencies.Mean(), s.Latencies.Fastest(), s.Latencies.Percentile(50), s.Latencies.Slowest()} {
				if n.OK() && !(n.V >= 0 && n.V <= 2*HistHighest) {
					t.Errorf("%s: a figure is %v", s.Tag, n.V)
				}
			}
		}
	})
}
