// Package progress tells a person how a run stands: on a terminal in one line
// that is drawn anew, elsewhere in plain lines that suit a log.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kvscen/kvscen/engine"
)

// quiet is how long a plain progress line keeps the next one of its step away.
const quiet = 10 * time.Second

// Printer prints what an engine reports. Errors of writing are passed over: a
// closed terminal is no reason to lose a run. It implements engine.Observer, and
// like any is called from one goroutine at a time.
type Printer struct {
	w      io.Writer
	tty    bool
	width  func() int
	active []status // steps under way, in the order in which they began
	drawn  bool     // the last line of the terminal is ours
}

// status is a step under way and its latest report.
type status struct {
	last    engine.Event
	printed time.Time // of the last plain line
}

var _ engine.Observer = (*Printer)(nil)

// New makes a Printer. With tty, w is a terminal as wide as width says each time
// it is asked; 0 or less is not known.
func New(w io.Writer, tty bool, width func() int) *Printer {
	return &Printer{w: w, tty: tty, width: width}
}

// Observe prints one event.
func (p *Printer) Observe(e engine.Event) {
	switch e.Kind {
	case engine.KindStepStart:
		p.start(e)
	case engine.KindProgress:
		p.progress(e)
	case engine.KindStepEnd:
		p.end(e)
	case engine.KindWarning:
		p.say("warning: "+where(e), e.Text)
	case engine.KindSetup:
		p.say(where(e), cmp.Or(e.Text, "starting"))
	case engine.KindReady:
		p.say(where(e), cmp.Or(e.Text, "ready"))
	case engine.KindStop:
		p.active = nil
		p.say(where(e), cmp.Or(e.Text, "stopping"))
	case engine.KindDone:
		p.active = nil
		p.say("results", e.Text)
	}
}

func (p *Printer) start(e engine.Event) {
	p.active = append(p.active, status{last: e, printed: e.At})
	if p.tty {
		p.draw()
		return
	}
	p.say(where(e), strings.TrimSpace(clients(e)+" "+e.Text))
}

func (p *Printer) progress(e engine.Event) {
	i := p.find(e)
	if i < 0 {
		p.active = append(p.active, status{printed: e.At})
		i = len(p.active) - 1
	}
	s := &p.active[i]
	s.last = e
	switch {
	case p.tty:
		p.draw()
	case e.At.Sub(s.printed) >= quiet:
		s.printed = e.At
		p.say(where(e), strings.Join(figures(e), ", "))
	}
}

func (p *Printer) end(e engine.Event) {
	if i := p.find(e); i >= 0 {
		p.active = slices.Delete(p.active, i, i+1)
	}
	p.say(where(e), summary(e))
}

// find gives the index in active of the step that e is about, or -1.
func (p *Printer) find(e engine.Event) int {
	return slices.IndexFunc(p.active, func(s status) bool {
		return s.last.Cluster == e.Cluster && s.last.Repetition == e.Repetition && s.last.Phase == e.Phase && s.last.Step == e.Step
	})
}

// say prints a line that stays, above the one that is drawn anew. Further lines
// of text are indented under it.
func (p *Printer) say(head, text string) {
	p.clear()
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		switch {
		case i > 0:
			fmt.Fprintf(p.w, "    %s\n", printable(line))
		case line == "":
			fmt.Fprintln(p.w, printable(head))
		default:
			fmt.Fprintf(p.w, "%s: %s\n", printable(head), printable(line))
		}
	}
	if p.tty && len(p.active) > 0 {
		p.draw()
	}
}
