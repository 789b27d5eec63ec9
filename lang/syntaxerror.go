package lang

import (
	"errors"
	"regexp"
	"strings"

	"go.starlark.net/syntax"
)

// syntaxError turns the parser's error into a diagnostic. The parser tells
// tersely what it got and what it wanted; what the author meant is found by
// looking at the words around the place.
func (s *source) syntaxError(err error) Diagnostic {
	e, ok := errors.AsType[syntax.Error](err)
	if !ok {
		return s.whole(plainPathError(err).Error())
	}
	v := s.view(e)
	for _, h := range habits {
		if at, msg := h.detect(v); msg != "" {
			return s.at(s.spanAt(at), msg)
		}
	}
	return s.at(s.spanAt(v.tok), "syntax error: "+plainWords(e.Msg))
}

// view is a syntax error and the tokens around it.
type view struct {
	src    *source
	msg    string  // the parser's
	tok    token   // the one that it stumbled over
	before []token // all before it, the nearest last
	after  []token // all after it, the nearest first
}

// atEnd matches the errors whose position is the end of the offending token
// rather than its start.
var atEnd = regexp.MustCompile(`^got .*, want [^p]|^got .*after expression|does not associate|^not an identifier|^keyword argument must|^load operand|^first operand|^original name|^obsolete form`)

// view finds the offending token by the position of the error.
func (s *source) view(e syntax.Error) view {
	tokens := scan(s.text)
	off := s.offset(int(e.Pos.Line), int(e.Pos.Col))
	i := 0
	if atEnd.MatchString(e.Msg) && !strings.HasSuffix(e.Msg, "want primary expression") {
		// Indents have no text: the first token from the position on is it.
		for i < len(tokens)-1 && tokens[i].end < off {
			i++
		}
		if got, _, _ := strings.Cut(e.Msg, ","); got == "got indent" || got == "got outdent" || got == "got end of file" {
			for i < len(tokens)-1 && tokens[i].start < off {
				i++
			}
		}
	} else {
		for i < len(tokens)-1 && tokens[i].end <= off {
			i++
		}
	}
	return view{src: s, msg: e.Msg, tok: tokens[i], before: tokens[:i], after: tokens[i+1:]}
}

// prev is the n-th token before the offending one, from 1.
func (v view) prev(n int) token {
	if n > len(v.before) {
		return token{kind: '$'}
	}
	return v.before[len(v.before)-n]
}

// next is the n-th token after the offending one, from 1.
func (v view) next(n int) token {
	if n > len(v.after) {
		return token{kind: '$'}
	}
	return v.after[n-1]
}

// lineStart is the first token of the line on which the offending one stands,
// counting lines as the language does, over brackets.
func (v view) lineStart() token {
	for i := len(v.before) - 1; i >= 0; i-- {
		if v.before[i].kind == '\n' {
			return append(v.before[i+1:len(v.before):len(v.before)], v.tok)[0]
		}
	}
	return append(v.before[:len(v.before):len(v.before)], v.tok)[0]
}

// open is the innermost bracket that is not closed before the offending token.
func (v view) open() (token, bool) {
	depth := 0
	for i := len(v.before) - 1; i >= 0; i-- {
		switch v.before[i].text {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth == 0 {
				return v.before[i], true
			}
			depth--
		}
	}
	return token{}, false
}

// touches reports that nothing stands between two tokens.
func touches(a, b token) bool { return a.end == b.start && a.kind != '$' }

// plainWords puts the parser's names of tokens into words.
func plainWords(msg string) string {
	return strings.NewReplacer(
		"want primary expression", "want a value",
		"newline", "the end of the line",
		"got indent", "got an indented line",
		"got outdent", "got a line indented less",
		"want indent", "want an indented line",
	).Replace(msg)
}
