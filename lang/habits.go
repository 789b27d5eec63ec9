package lang

import (
	"fmt"
	"strings"
)

// habit recognises one thing that people write because other languages have
// it. It returns the token to mark and the answer; an empty answer is no match.
type habit struct {
	name   string
	detect func(v view) (token, string)
}

// habits, sorted by name but for the last, which are the most general.
var habits = []habit{
	{"annotation", annotation},
	{"arrow", arrow},
	{"assert", assert},
	{"assignment as condition", conditionAssign},
	{"augmented by one", plusPlus},
	{"chained comparison", chained},
	{"decorator", decorator},
	{"else if", elseIf},
	{"f-string", fString},
	{"generator", generator},
	{"implicit concatenation", concatenation},
	{"logic by signs", logicSigns},
	{"power", power},
	{"print statement", printStatement},
	{"question mark", questionMark},
	{"reserved word", reservedWord},
	{"set literal", setLiteral},
	{"starred element", starred},
	{"underscore in number", underscoreNumber},
	{"unit without *", unitNumber},
	{"walrus", walrus},

	{"indentation", indentation},
	{"string not closed", openString},
	{"bracket not closed", openBracket},
	{"bracket not opened", strayBracket},
	{"missing colon", missingColon},
	{"missing comma", missingComma},
}

func annotation(v view) (token, string) {
	if v.tok.text != ":" || v.prev(1).kind != 'n' || v.next(1).text == "=" {
		return v.tok, ""
	}
	open, inside := v.open()
	def := v.lineStart().text == "def"
	if (inside && open.text == "(" && def) || (!inside && v.lineStart() == v.prev(1)) {
		return v.tok, fmt.Sprintf("there are no annotations: leave out the type after %s", v.prev(1).text)
	}
	return v.tok, ""
}

func arrow(v view) (token, string) {
	if v.tok.text == "-" && v.next(1).text == ">" && v.lineStart().text == "def" {
		return v.tok, "there are no annotations: leave out -> and the type"
	}
	return v.tok, ""
}

func assert(v view) (token, string) {
	if v.prev(1).text == "assert" && v.lineStart() == v.prev(1) {
		return v.prev(1), "there is no assert: write if not condition: fail(\"…\")"
	}
	return v.tok, ""
}

func conditionAssign(v view) (token, string) {
	start := v.lineStart().text
	if v.tok.text == "=" && (start == "if" || start == "elif" || start == "while") {
		return v.tok, "= assigns: write == to compare"
	}
	return v.tok, ""
}

func plusPlus(v view) (token, string) {
	for _, op := range []string{"+", "-"} {
		if v.prev(1).text == op && v.prev(2).text == op && touches(v.prev(2), v.prev(1)) && v.tok.kind == '\n' {
			return v.prev(2), fmt.Sprintf("there is no %s%s: write %s= 1", op, op, op)
		}
	}
	return v.tok, ""
}

func chained(v view) (token, string) {
	if !strings.Contains(v.msg, "does not associate") {
		return v.tok, ""
	}
	return v.tok, "comparisons can't be chained: write a < b and b < c"
}

func decorator(v view) (token, string) {
	if v.tok.text == "@" {
		return v.tok, "there are no decorators: call the function yourself"
	}
	return v.tok, ""
}

func elseIf(v view) (token, string) {
	if v.tok.text == "if" && v.prev(1).text == "else" {
		return v.prev(1), "write elif instead of else if"
	}
	return v.tok, ""
}

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

func generator(v view) (token, string) {
	if open, inside := v.open(); v.tok.text == "for" && inside && open.text == "(" {
		return v.tok, "there are no generators: write a list, [x for x in list]"
	}
	return v.tok, ""
}

func concatenation(v view) (token, string) {
	if v.tok.kind == '"' && v.prev(1).kind == '"' {
		return v.tok, "strings side by side are not joined: put a + between them, or a comma if two were meant"
	}
	return v.tok, ""
}

func logicSigns(v view) (token, string) {
	for sign, word := range map[string]string{"&": "and", "|": "or"} {
		if v.tok.text == sign && v.prev(1).text == sign && touches(v.prev(1), v.tok) {
			return v.prev(1), fmt.Sprintf("write %s instead of %s%s", word, sign, sign)
		}
	}
	if v.tok.text == "!" {
		return v.tok, "write not instead of !"
	}
	if v.tok.text == ">" && v.prev(1).text == "<" && touches(v.prev(1), v.tok) {
		return v.prev(1), "write != instead of <>"
	}
	return v.tok, ""
}

func power(v view) (token, string) {
	if v.tok.text == "**" {
		return v.tok, "there is no power operator: multiply, or write 1 << n for a power of two"
	}
	return v.tok, ""
}

func printStatement(v view) (token, string) {
	if v.prev(1).text == "print" && (v.tok.kind == '"' || v.tok.kind == 'n' || v.tok.kind == '0') {
		return v.prev(1), "print is a function: write print(…)"
	}
	return v.tok, ""
}

func questionMark(v view) (token, string) {
	if v.tok.text == "?" {
		return v.tok, "write a if condition else b instead of condition ? a : b"
	}
	return v.tok, ""
}
