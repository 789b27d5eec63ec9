package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// longest is how many characters of a foreign text are shown.
const longest = 300

// clean makes a text that came from a store, a log or a scenario safe to print
// on a terminal: what is not printable is escaped, what is long is cut.
func clean(s string) string { return cleanLine(strings.TrimSpace(s)) }

// cleanLine is clean, with the spaces that the line begins with.
func cleanLine(s string) string { return printable(s, longest) }

// cleanWhole is clean, however long the text is.
func cleanWhole(s string) string { return printable(s, len(s)) }

// printable escapes what is not, and cuts after so many characters.
func printable(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.TrimRightFunc(s, unicode.IsSpace) {
		if n++; n > most {
			b.WriteString("...")
			break
		}
		if unicode.IsPrint(r) { // U+FFFD is: bytes that are no text read the same after JSON
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return b.String()
}

// shorten is clean, cut to n characters for a cell.
func shorten(s string, n int) string {
	r := []rune(clean(s))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-3]) + "..."
}

// lineWidth is where paragraphs are wrapped.
const lineWidth = 110

// paragraph writes a heading and, from column indent on, words wrapped to the
// width of a line.
func paragraph(w io.Writer, heading string, indent int, text string) {
	line := fmt.Sprintf("%-*s", indent, heading)
	filled := false // line holds a word
	for _, word := range strings.Fields(text) {
		if filled && len(line)+1+len(word) > lineWidth {
			fmt.Fprintln(w, line)
			line, filled = strings.Repeat(" ", indent), false
		}
		if filled || (line != "" && !strings.HasSuffix(line, " ")) {
			line += " "
		}
		line, filled = line+word, true
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}
