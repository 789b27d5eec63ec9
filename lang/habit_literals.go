package lang

import (
	"fmt"
	"strings"
)

// Strings and numbers.

func fString(v view) (token, string) {
	p := v.prev(1)
	if v.tok.kind != '"' || !touches(p, v.tok) {
		return v.tok, ""
	}
	switch strings.ToLower(p.text) {
	case "f", "fr", "rf":
		return p, `there are no f-strings: write "… {} …".format(x)`
	case "u":
		return p, "leave out the u: every string is Unicode"
	}
	return v.tok, ""
}

func concatenation(v view) (token, string) {
	if v.tok.kind == '"' && v.prev(1).kind == '"' {
		return v.tok, "strings side by side are not joined: put a + between them, or a comma if two were meant"
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
