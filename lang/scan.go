package lang

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// token is a word of the source, for looking around a syntax error. The
// language's own scanner keeps to itself what it has seen.
type token struct {
	kind       byte // 'n' name, '0' number, '"' string, '\n' line end, 'p' punctuation, '$' end of file
	text       string
	start, end int // offsets into the text
}

// words splits off one token at the start of the text.
var words = regexp.MustCompile(`(?s)^(?:` +
	`(?P<string>(?:[rb]|rb)?(?:"""(?:\\.|[^\\])*?(?:"""|$)|'''(?:\\.|[^\\])*?(?:'''|$)|"(?:\\.|[^\\"\n])*(?:"|$|\n)|'(?:\\.|[^\\'\n])*(?:'|$|\n)))` +
	`|(?P<name>[\p{L}_][\p{L}_0-9]*)` +
	`|(?P<number>(?:0[xX][0-9a-fA-F]*|[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?))` +
	`|(?P<punctuation>\*\*|//=|<<=|>>=|//|<<|>>|[-+*/%&|^<>=!]=|.)` +
	`)`)

// scan splits a script into tokens, without comments and blanks. Line ends
// inside brackets are left out, as the language leaves them out.
func scan(text string) []token {
	var tokens []token
	depth := 0
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\f':
			at++
			continue
		case c == '\\' && strings.HasPrefix(text[at:], "\\\n"):
			at += 2
			continue
		case c == '#':
			if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
				at += n
			} else {
				at = len(text)
			}
			continue
		case c == '\n':
			blank := len(tokens) == 0 || tokens[len(tokens)-1].kind == '\n'
			if depth == 0 && !blank {
				tokens = append(tokens, token{'\n', "\n", at, at + 1})
			}
			at++
			continue
		}
		t := word(text, at)
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth = max(0, depth-1)
		}
		tokens = append(tokens, t)
		at = t.end
	}
	return append(tokens, token{'$', "", len(text), len(text)})
}

// word reads the token at an offset where there is one.
func word(text string, at int) token {
	m := words.FindStringSubmatchIndex(text[at:])
	if m == nil {
		_, size := utf8.DecodeRuneInString(text[at:])
		return token{'p', text[at : at+size], at, at + size}
	}
	kinds := [...]byte{'"', 'n', '0', 'p'} // in the order of the groups
	for i, kind := range kinds {
		if m[2*i+2] >= 0 {
			return token{kind, text[at : at+m[1]], at, at + m[1]}
		}
	}
	return token{'p', text[at : at+m[1]], at, at + m[1]}
}

// offset is where a position lies in the text.
func (s *source) offset(line, col int) int {
	off := 0
	for _, l := range s.lines[:min(max(line-1, 0), len(s.lines))] {
		off += len(l) + 1
	}
	for range col - 1 {
		if off >= len(s.text) {
			return len(s.text)
		}
		_, size := utf8.DecodeRuneInString(s.text[off:])
		off += size
	}
	return min(off, len(s.text))
}

// spanAt is the place of a token.
func (s *source) spanAt(t token) span {
	before := s.text[:t.start]
	lineStart := strings.LastIndexByte(before, '\n') + 1
	return span{
		line:  strings.Count(before, "\n") + 1,
		col:   utf8.RuneCountInString(before[lineStart:]) + 1,
		width: utf8.RuneCountInString(strings.TrimRight(t.text, "\n")),
	}
}
