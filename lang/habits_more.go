package lang

import (
	"fmt"
	"strings"
)

// reservedWords can't be used as names; most are statements that there are not.
var reservedWords = map[string]string{
	"as":       "there is no as: load takes new names as load(file, new = \"old\")",
	"async":    "there is no async: a script runs from top to bottom",
	"await":    "there is no await: a script runs from top to bottom",
	"class":    "there are no classes: write functions that return struct(…) or dict(…)",
	"del":      "there is no del: write d.pop(key)",
	"except":   "errors can't be caught: check beforehand",
	"finally":  "errors can't be caught: check beforehand",
	"from":     "there is no import: write load(\"file.star\", \"name\")",
	"global":   "there is no global: pass values as arguments and return them",
	"import":   "there is no import: write load(\"file.star\", \"name\")",
	"is":       "there is no is: write == (x == None)",
	"nonlocal": "there is no nonlocal: pass values as arguments and return them",
	"raise":    "there are no exceptions: write fail(\"…\")",
	"try":      "errors can't be caught: check beforehand",
	"with":     "there is no with: a script opens nothing",
	"yield":    "there is no yield: return a list",
}

func reservedWord(v view) (token, string) {
	if v.tok.kind == 'n' {
		return v.tok, reservedWords[v.tok.text]
	}
	return v.tok, ""
}

func setLiteral(v view) (token, string) {
	open, inside := v.open()
	wantsColon := strings.HasSuffix(v.msg, "want ':'")
	if inside && open.text == "{" && wantsColon && (v.tok.text == "," || v.tok.text == "}" || v.tok.text == "for") {
		return open, "braces make a dict: write set([…]) for a set"
	}
	return v.tok, ""
}

func starred(v view) (token, string) {
	if v.tok.text == "*" && strings.HasSuffix(v.msg, "want primary expression") && v.next(1).kind != '$' {
		return v.tok, "a * before a value stands in a call only: write list + other to join lists"
	}
	return v.tok, ""
}

func underscoreNumber(v view) (token, string) {
	if p := v.prev(1); p.kind == '0' && touches(p, v.tok) && strings.HasPrefix(v.tok.text, "_") {
		return p, fmt.Sprintf("no underscores in numbers: write %s", p.text+strings.ReplaceAll(v.tok.text, "_", ""))
	}
	return v.tok, ""
}

func unitNumber(v view) (token, string) {
	if p := v.prev(1); p.kind == '0' && touches(p, v.tok) && v.tok.kind == 'n' {
		return p, fmt.Sprintf("a number ends before %s: write %s * %s if a unit was meant", v.tok.text, p.text, v.tok.text)
	}
	return v.tok, ""
}

func walrus(v view) (token, string) {
	if v.tok.text == ":" && v.next(1).text == "=" && touches(v.tok, v.next(1)) {
		return v.tok, "there is no :=, assign on a line of its own"
	}
	return v.tok, ""
}

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
