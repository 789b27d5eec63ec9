package lang

import (
	"fmt"
	"strings"
)

// Diagnostic is one thing wrong with a script, and where.
type Diagnostic struct {
	File       string  // as shown to the user
	Line, Col  int     // from 1, Col in characters; Line 0: the file as a whole
	Width      int     // characters to mark from Col on; at least 1 where Line is set
	Msg        string  // lower case, without position
	SourceLine string  // text of Line
	Chain      []Frame // the calls around it, innermost first
}

// Frame is a call on the way to an error.
type Frame struct {
	Func      string // name of the function in which the position lies
	File      string
	Line, Col int
	Inner     bool // inside the blamed call (library code) rather than around it
}

// String is file:line:col: message, the source line, a caret, the chain.
func (d Diagnostic) String() string {
	var b strings.Builder
	b.WriteString(d.position())
	b.WriteString(": ")
	b.WriteString(d.Msg)
	if d.Line > 0 {
		fmt.Fprintf(&b, "\n    %s\n    %s", d.SourceLine, d.marker())
	}
	for _, f := range d.Chain {
		b.WriteString("\n  ")
		b.WriteString(f.String())
	}
	return b.String()
}

// String says where the call is and in which function.
func (f Frame) String() string {
	verb := "called from"
	if f.Inner {
		verb = "in"
	}
	return fmt.Sprintf("%s %s:%d:%d (%s)", verb, f.File, f.Line, f.Col, f.Func)
}

func (d Diagnostic) position() string {
	switch {
	case d.Line == 0:
		return d.File
	case d.Col == 0:
		return fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	return fmt.Sprintf("%s:%d:%d", d.File, d.Line, d.Col)
}

// marker is the line of the caret. Tabs of the source line are kept, so that
// the caret stands right whatever the width of a tab.
func (d Diagnostic) marker() string {
	var b strings.Builder
	col := 1
	for _, r := range d.SourceLine {
		if col >= d.Col {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
		col++
	}
	b.WriteByte('^')
	if d.Width > 1 {
		b.WriteString(strings.Repeat("~", d.Width-1))
	}
	return b.String()
}

// Diagnostics is an error: everything found wrong at once, in the order of the
// file. It is never empty.
type Diagnostics []Diagnostic

// Error prints the diagnostics one below the other.
func (ds Diagnostics) Error() string {
	texts := make([]string, len(ds))
	for i, d := range ds {
		texts[i] = d.String()
	}
	return strings.Join(texts, "\n")
}
