package lang

import (
	"fmt"
	"strings"
)

// Indentation, brackets and what stands between.

func indentation(v view) (token, string) {
	line := v.src.line(v.src.spanAt(v.tok).line)
	blanks := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	answer := ""
	switch {
	case strings.HasPrefix(v.msg, "unindent does not match"):
		answer = "this line is indented like none of the lines above that it could belong to"
	case strings.HasPrefix(v.msg, "got indent"):
		answer = "this line is indented more than the one above, but nothing above begins a block"
	case strings.HasSuffix(v.msg, "want indent"):
		if v.tok.kind == '$' {
			return lastWord(v), "the block after this ':' is empty: indent its lines, or write pass"
		}
		answer = "this line must be indented, as the line above begins a block"
	default:
		return v.tok, ""
	}
	if strings.Contains(blanks, "\t") {
		answer += "; it begins with a tab, which counts up to the next multiple of 8: use spaces alone"
	}
	return v.tok, answer
}

func openString(v view) (token, string) {
	switch v.msg {
	case "unexpected newline in string":
		return v.tok, `the string is not closed on its line: close it, or use """ for text of several lines`
	case "unexpected EOF in string":
		return v.tok, "the string is never closed"
	}
	return v.tok, ""
}

func openBracket(v view) (token, string) {
	open, inside := v.open()
	if !inside {
		return v.tok, ""
	}
	closing := map[string]string{"(": ")", "[": "]", "{": "}"}[open.text]
	switch {
	case v.tok.kind == '$':
		return open, fmt.Sprintf("%s is never closed", open.text)
	case strings.ContainsAny(v.tok.text, ")]}") && v.tok.kind == 'p' && v.tok.text != closing:
		return v.tok, fmt.Sprintf("%s does not close the %s of line %d", v.tok.text, open.text, v.src.spanAt(open).line)
	}
	return v.tok, ""
}

func strayBracket(v view) (token, string) {
	if _, inside := v.open(); !inside && v.tok.kind == 'p' && strings.Contains(")]}", v.tok.text) {
		return v.tok, fmt.Sprintf("%s closes nothing", v.tok.text)
	}
	return v.tok, ""
}

func missingColon(v view) (token, string) {
	if _, inside := v.open(); !inside && v.tok.kind == '\n' && strings.HasSuffix(v.msg, "want ':'") {
		return v.tok, fmt.Sprintf("a ':' is missing at the end of this %s", v.lineStart().text)
	}
	return v.tok, ""
}

func missingComma(v view) (token, string) {
	_, inside := v.open()
	wants := strings.HasSuffix(v.msg, "want ','") || strings.HasSuffix(v.msg, "want ')'") ||
		strings.HasSuffix(v.msg, "want ']'") || strings.HasSuffix(v.msg, "want '}'")
	if !inside || !wants || v.tok.kind == 'p' && !strings.Contains("([{-", v.tok.text) {
		return v.tok, ""
	}
	at := lastWord(v)
	at.start, at.text = at.end, "" // just behind it
	return at, "a ',' seems to be missing here"
}

// lastWord is the last token before the offending one that is no line end.
func lastWord(v view) token {
	for n := 1; n <= len(v.before); n++ {
		if t := v.prev(n); t.kind != '\n' {
			return t
		}
	}
	return v.tok
}
