package lang

// Words that are statements elsewhere.

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

func assert(v view) (token, string) {
	if v.prev(1).text == "assert" && v.lineStart() == v.prev(1) {
		return v.prev(1), "there is no assert: write if not condition: fail(\"…\")"
	}
	return v.tok, ""
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

func generator(v view) (token, string) {
	if open, inside := v.open(); v.tok.text == "for" && inside && open.text == "(" {
		return v.tok, "there are no generators: write a list, [x for x in list]"
	}
	return v.tok, ""
}

func printStatement(v view) (token, string) {
	if v.prev(1).text == "print" && (v.tok.kind == '"' || v.tok.kind == 'n' || v.tok.kind == '0') {
		return v.prev(1), "print is a function: write print(…)"
	}
	return v.tok, ""
}

func reservedWord(v view) (token, string) {
	if v.tok.kind == 'n' {
		return v.tok, reservedWords[v.tok.text]
	}
	return v.tok, ""
}
