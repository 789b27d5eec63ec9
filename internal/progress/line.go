package progress

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/kvscen/kvscen/engine"
)

// The control sequences of a terminal that are used.
const (
	lineStart = "\r"
	eraseLine = "\x1b[K"
)

// fallbackWidth is that of a terminal that does not say.
const fallbackWidth = 80

// Bars shorter than minBar say nothing, longer than maxBar no more.
const (
	minBar = 8
	maxBar = 30
)

// draw puts the line of the steps under way in the place of the last one.
func (p *Printer) draw() {
	width := p.width()
	if width <= 0 {
		width = fallbackWidth
	}
	fmt.Fprint(p.w, lineStart, fit(p.line(width-1), width-1), eraseLine) // the last column would wrap
	p.drawn = true
}

// clear takes the drawn line away.
func (p *Printer) clear() {
	if p.drawn {
		fmt.Fprint(p.w, lineStart, eraseLine)
	}
	p.drawn = false
}

// line says how the steps under way stand: a lone one with a bar where there is
// room for it.
func (p *Printer) line(width int) string {
	if len(p.active) == 1 {
		e := p.active[0].last
		head, tail := where(e)+", "+clients(e), strings.Join(figures(e), "  ")
		if b := bar(e, width-len(head)-len(tail)-4); b != "" {
			return head + "  " + b + "  " + tail
		}
		return head + "  " + tail
	}
	var parts []string
	for _, s := range p.active {
		parts = append(parts, where(s.last)+" "+strings.Join(figures(s.last), " "))
	}
	return strings.Join(parts, " | ")
}

// bar draws how much is done in at most room characters.
func bar(e engine.Event, room int) string {
	inner := min(room-2, maxBar)
	if e.Progress == nil || e.Progress.Fraction < 0 || inner < minBar {
		return ""
	}
	done := min(int(e.Progress.Fraction*float64(inner)), inner)
	return "[" + strings.Repeat("#", done) + strings.Repeat("-", inner-done) + "]"
}

// fit cuts a line to the width of the terminal.
func fit(line string, width int) string {
	r := []rune(printable(line))
	return string(r[:max(0, min(len(r), width))])
}

// where names what an event is about: "etcd", "etcd run 2 write step 3/8".
func where(e engine.Event) string {
	name := e.Cluster
	if e.Repetition > 0 {
		name += fmt.Sprintf(" run %d", e.Repetition+1)
	}
	if e.Phase != "" {
		name += " " + e.Phase
	}
	if e.Phase != "" && e.Steps > 1 {
		name += fmt.Sprintf(" step %d/%d", e.Step+1, e.Steps)
	}
	return strings.TrimSpace(name)
}

func clients(e engine.Event) string {
	if e.Clients == 1 {
		return "1 client"
	}
	return grouped(uint64(max(0, e.Clients))) + " clients"
}

// figures are the parts of a line about a step under way.
func figures(e engine.Event) []string {
	g := e.Progress
	if g == nil {
		return nil
	}
	var parts []string
	if g.Warmup {
		parts = append(parts, "warm-up")
	}
	if g.Fraction >= 0 {
		parts = append(parts, fmt.Sprintf("%.0f%%", 100*min(g.Fraction, 1)))
	} else {
		parts = append(parts, round(g.Elapsed))
	}
	parts = append(parts, grouped(uint64(math.Round(max(0, g.Rate))))+" req/s", "p99 "+latency(g.P99), failures(g.Errors))
	if g.Remaining >= 0 {
		parts = append(parts, "ETA "+round(g.Remaining))
	}
	return parts
}

// summary is the line that stays when a step has ended.
func summary(e engine.Event) string {
	text := clients(e)
	if g := e.Progress; g != nil {
		text += fmt.Sprintf(", %s requests in %s, %s req/s, p99 %s, %s",
			grouped(g.Done), round(g.Elapsed), grouped(uint64(math.Round(max(0, g.Rate)))), latency(g.P99), failures(g.Errors))
	}
	if e.Text != "" {
		text += ", " + e.Text
	}
	return text
}

func failures(n uint64) string {
	if n == 1 {
		return "1 error"
	}
	return grouped(n) + " errors"
}

func latency(d time.Duration) string {
	switch {
	case d <= 0:
		return "n/a"
	case d < time.Millisecond:
		return d.Round(100 * time.Nanosecond).String()
	case d < time.Second:
		return d.Round(10 * time.Microsecond).String()
	default:
		return d.Round(time.Millisecond).String()
	}
}

func round(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// grouped prints a count with commas.
func grouped(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// printable takes out what would move the cursor or colour the terminal: texts
// come from stores and their logs.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
