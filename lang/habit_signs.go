package lang

import (
	"fmt"
	"strings"
)

// Signs that mean something elsewhere.

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

func questionMark(v view) (token, string) {
	if v.tok.text == "?" {
		return v.tok, "write a if condition else b instead of condition ? a : b"
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

func walrus(v view) (token, string) {
	if v.tok.text == ":" && v.next(1).text == "=" && touches(v.tok, v.next(1)) {
		return v.tok, "there is no :=, assign on a line of its own"
	}
	return v.tok, ""
}
