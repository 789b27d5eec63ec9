package progress

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kvscen/kvscen/engine"
)

// at is an event of the first step of eight of phase write.
func at(second int, kind engine.EventKind, p *engine.Progress) engine.Event {
	return engine.Event{
		At: time.Unix(int64(second), 0), Kind: kind, Cluster: "etcd", Phase: "write", Steps: 8, Clients: 50, Progress: p,
	}
}

func halfway() *engine.Progress {
	return &engine.Progress{
		Elapsed: 12 * time.Second, Remaining: 75 * time.Second, Done: 62_500, Total: 125_000, Fraction: 0.5,
		Rate: 10_123.7, P99: 2_402_266, Errors: 3,
	}
}

func show(tty bool, width int, events ...engine.Event) string {
	var b strings.Builder
	p := New(&b, tty, func() int { return width })
	for _, e := range events {
		p.Observe(e)
	}
	return b.String()
}

func TestPlainLines(t *testing.T) {
	events := []engine.Event{
		{Kind: engine.KindSetup, Cluster: "etcd", Text: "starting 3 members"},
		{Kind: engine.KindReady, Cluster: "etcd", Text: "3 members ready in 1.2s, leader m2"},
		at(0, engine.KindStepStart, nil),
	}
	for s := range 25 {
		events = append(events, at(s+1, engine.KindProgress, halfway()))
	}
	events = append(events,
		engine.Event{Kind: engine.KindWarning, Cluster: "etcd", Repetition: 1, Text: "m2 died: exit status 137\nlast line\x1b[31m of its log\n"},
		at(30, engine.KindStepEnd, halfway()),
		engine.Event{Kind: engine.KindStop, Cluster: "etcd"},
		engine.Event{Kind: engine.KindDone, Text: "results/write-1m"},
	)
	want := `etcd: starting 3 members
etcd: 3 members ready in 1.2s, leader m2
etcd write step 1/8: 50 clients
etcd write step 1/8: 50%, 10,124 req/s, p99 2.4ms, 3 errors, ETA 1m15s
etcd write step 1/8: 50%, 10,124 req/s, p99 2.4ms, 3 errors, ETA 1m15s
warning: etcd run 2: m2 died: exit status 137
    last line` + "\uFFFD" + `[31m of its log
etcd write step 1/8: 50 clients, 62,500 requests in 12s, 10,124 req/s, p99 2.4ms, 3 errors
etcd: stopping
results: results/write-1m
`
	if got := show(false, 0, events...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// screen plays what a terminal of a width makes of the output: its lines, the
// last one being that of the cursor.
func screen(t *testing.T, output string, width int) []string {
	t.Helper()
	lines, column := []string{""}, 0
	for output != "" {
		last := &lines[len(lines)-1]
		switch {
		case strings.HasPrefix(output, "\x1b[K"):
			*last = string([]rune(*last)[:column])
			output = output[3:]
			continue
		case output[0] == '\r':
			column = 0
		case output[0] == '\n':
			lines, column = append(lines, ""), 0
		default:
			r, _ := utf8.DecodeRuneInString(output)
			text := []rune(*last)
			*last = string(append(text[:column:column], append([]rune{r}, text[min(column+1, len(text)):]...)...))
			if column++; column >= width && len(lines) > 0 {
				t.Fatalf("the line wraps: %q", *last)
			}
		}
		_, n := utf8.DecodeRuneInString(output)
		output = output[n:]
	}
	return lines
}

func TestTerminalRedrawsOneLine(t *testing.T) {
	late := halfway()
	late.Fraction, late.Remaining, late.Rate = 0.99, 900*time.Millisecond, 7
	events := []engine.Event{at(0, engine.KindStepStart, nil), at(1, engine.KindProgress, halfway()), at(2, engine.KindProgress, late)}
	got := screen(t, show(true, 120, events...), 120)
	want := "etcd write step 1/8, 50 clients  [#############################-]  99%  7 req/s  p99 2.4ms  3 errors  ETA 900ms"
	if len(got) != 1 || got[0] != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	events = append(events, engine.Event{Kind: engine.KindWarning, Cluster: "etcd", Text: "leader changed"})
	got = screen(t, show(true, 120, events...), 120)
	if len(got) != 2 || got[0] != "warning: etcd: leader changed" || got[1] != want {
		t.Errorf("after a warning the screen shows\n%s", strings.Join(got, "\n"))
	}
	events = append(events, at(3, engine.KindStepEnd, late))
	got = screen(t, show(true, 120, events...), 120)
	if len(got) != 3 || !strings.HasPrefix(got[1], "etcd write step 1/8: 50 clients, 62,500 requests") || got[2] != "" {
		t.Errorf("after the step the screen shows\n%s", strings.Join(got, "\n"))
	}
}

func TestTerminalFitsTheWidth(t *testing.T) {
	other := at(1, engine.KindProgress, halfway())
	other.Phase = "read"
	for width := range 140 {
		for _, events := range [][]engine.Event{
			{at(0, engine.KindStepStart, nil), at(1, engine.KindProgress, halfway())},
			{at(1, engine.KindProgress, halfway()), other},
		} {
			out := show(true, width, events...)
			wide := width
			if width == 0 {
				wide = fallbackWidth
			}
			lines := screen(t, out, wide)
			if len(lines) != 1 || events[1].Phase == "read" && strings.Contains(lines[0], "[") {
				t.Errorf("width %d: %q", width, lines)
			}
		}
	}
}

func TestParallelPhasesShareTheLine(t *testing.T) {
	read, write := at(1, engine.KindProgress, halfway()), at(1, engine.KindProgress, halfway())
	read.Phase, read.Steps = "read", 1
	got := screen(t, show(true, 200, write, read, write), 200)
	want := "etcd write step 1/8 50% 10,124 req/s p99 2.4ms 3 errors ETA 1m15s | etcd read 50% 10,124 req/s p99 2.4ms 3 errors ETA 1m15s"
	if len(got) != 1 || got[0] != want {
		t.Errorf("the screen shows %q", got)
	}
}

func TestUnknownFigures(t *testing.T) {
	e := at(0, engine.KindProgress, &engine.Progress{Elapsed: 3 * time.Second, Remaining: -1, Fraction: -1, Warmup: true})
	if got := strings.Join(figures(e), " "); got != "warm-up 3s 0 req/s p99 n/a 0 errors" {
		t.Errorf("got %q", got)
	}
	if got := bar(e, 100); got != "" {
		t.Errorf("bar %q of an unknown fraction", got)
	}
	e.Progress.Fraction = 7
	if got := bar(e, 12); got != "[##########]" {
		t.Errorf("bar %q beyond the end", got)
	}
}

// broken is a terminal that went away.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestBrokenTerminal(t *testing.T) {
	p := New(broken{}, true, func() int { return 80 })
	p.Observe(at(0, engine.KindStepStart, nil))
	p.Observe(at(1, engine.KindStepEnd, halfway()))
	if len(p.active) != 0 {
		t.Errorf("%d steps under way", len(p.active))
	}
}
