package lang

import (
	"fmt"
	"regexp"
	"strings"

	"go.starlark.net/syntax"
)

// runtimeAnswer explains one saying of the interpreter: it may reword f.msg,
// move f.depth to another frame, and returns what to mark there.
type runtimeAnswer struct {
	saying  *regexp.Regexp
	explain func(f *failure, match []string) (span, bool)
}

// runtimeAnswers, sorted by what explains.
var runtimeAnswers = []runtimeAnswer{
	{regexp.MustCompile(`^function (\S+) (?:missing \d+ arguments? \((.*)\)|accepts .* positional arguments? .*|accepts no arguments .*|got multiple values for parameter "?(\w+)"?)$`), explainArguments},
	{regexp.MustCompile(`^(\S+) (?:<|>|<=|>=) (\S+) not implemented$`), explainComparison},
	{regexp.MustCompile(`has no (?:field )?\.(\w+)`), explainField},
	{regexp.MustCompile(`^(?:format: )?(?:format spec features not supported in replacement fields|unknown conversion %[-+ #0-9.])`), explainFormat},
	{regexp.MustCompile(`cannot .* frozen `), explainFrozen},
	{regexp.MustCompile(`^(?:local|global) variable (\w+) referenced before assignment$`), explainHidden},
	{regexp.MustCompile(`^function (\S+) got an unexpected keyword argument "?(\w+)"?$`), explainKeyword},
	{regexp.MustCompile(`^cannot load `), explainLoad},
	{regexp.MustCompile(`^load: name (\w+) not found in module (.*?)(?: \(did you mean (\w+)\?\))?$`), explainLoadName},
	{regexp.MustCompile(`^invalid call of non-function \((\w+)\)$`), explainNotCallable},
	{regexp.MustCompile(`^unknown binary op: (\S+) (\S+) (\S+)$`), explainOperator},
	{regexp.MustCompile(`^function (\S+) called recursively$`), explainRecursion},
}

// here is the place of the blamed frame.
func (f *failure) here() (fr frame, line, col int) {
	fr = f.frames[f.depth]
	return fr, int(fr.pos.Line), int(fr.pos.Col)
}

// r.foo: mark the field. The interpreter adds a hint of its own to a value's.
func explainField(f *failure, m []string) (span, bool) {
	if before, _, doubled := strings.Cut(f.msg, " (did you mean "); doubled && strings.Contains(before, "did you mean ") {
		f.msg = before
	}
	fr, line, col := f.here()
	dot, ok := find(fr.src.syntaxTree(), func(d *syntax.DotExpr) bool {
		return same(d.Dot, line, col) && d.Name.Name == m[1]
	})
	if !ok {
		return span{}, false
	}
	return spanOf(dot.Name), true
}

// "{:.2f}".format(x), "%.2f" % x
func explainFormat(f *failure, _ []string) (span, bool) {
	f.msg = "a format has no width and no precision: write {} or %s"
	if f.host.isBuiltin("round") {
		f.msg += ", with round(x, 2) for two digits"
	}
	fr, line, col := f.here()
	if call := callAt(fr.src.syntaxTree(), line, col); call != nil {
		if dot, ok := call.Fn.(*syntax.DotExpr); ok {
			return spanOf(dot.X), true
		}
	}
	return operatorSpan(fr.src, line, col), true
}

// A list of a loaded file, or a global changed by a later call.
func explainFrozen(f *failure, _ []string) (span, bool) {
	f.msg += ": what a file defines can't be changed once the file has been read; make a copy with list(x) or dict(x)"
	return span{}, false
}

// value = value(1): the name is the function's own from its first line on.
func explainHidden(f *failure, m []string) (span, bool) {
	name := m[1]
	fr, line, col := f.here()
	sp := operatorSpan(fr.src, line, col)
	switch {
	case f.host.isBuiltin(name) && strings.HasPrefix(m[0], "local"):
		f.msg = fmt.Sprintf("%s is assigned in this function, so that everywhere in it %s means that variable and hides the builtin: give the variable another name", name, name)
	case f.host.isBuiltin(name):
		f.msg = fmt.Sprintf("%s is assigned in this file, so that everywhere in it %s means that global and hides the builtin: give the global another name", name, name)
	case strings.HasPrefix(m[0], "global"):
		f.msg = fmt.Sprintf("%s is used before the line that defines it", name)
	default:
		f.msg = fmt.Sprintf("%s has no value yet: it is assigned in this function, but not before this line", name)
	}
	return sp, true
}

// def main(value): value(10)
func explainNotCallable(f *failure, m []string) (span, bool) {
	fr, line, col := f.here()
	call := callAt(fr.src.syntaxTree(), line, col)
	if call == nil {
		return span{}, false
	}
	f.msg = fmt.Sprintf("a value of type %s can't be called", m[1])
	if id, ok := call.Fn.(*syntax.Ident); ok && f.host.isBuiltin(id.Name) {
		f.msg = fmt.Sprintf("%s is a parameter or variable of type %s here and hides the builtin %s: give it another name", id.Name, m[1], id.Name)
	}
	return calleeSpan(call), true
}

// 1 + "a", and what nobody would guess about None.
func explainOperator(f *failure, m []string) (span, bool) {
	x, op, y := m[1], m[2], m[3]
	f.msg = fmt.Sprintf("%s %s %s: there is no such operation", x, op, y)
	switch {
	case op == "+" && (x == "string") != (y == "string"):
		f.msg += "; make a string of the other with str(x), or write \"{}\".format(x)"
	case x == "NoneType" || y == "NoneType":
		f.msg += "; one side is None, as a function without return gives"
	}
	return span{}, false
}

// timeout < 3
func explainComparison(f *failure, m []string) (span, bool) {
	x, y := m[1], m[2]
	f.msg = fmt.Sprintf("%s can't be compared with %s", indefinite(x), indefinite(y))
	for _, t := range []string{x, y} {
		if written := f.host.cfg.Written[t]; written != "" && x != y {
			f.msg += fmt.Sprintf(" (%s is written %s)", indefinite(t), written)
		}
	}
	return span{}, false
}

// indefinite puts the article before the name of a type.
func indefinite(noun string) string {
	switch {
	case noun == "NoneType":
		return "None"
	case strings.ContainsRune("aeiou", rune(noun[0])):
		return "an " + noun
	}
	return "a " + noun
}

// A function that reaches itself.
func explainRecursion(f *failure, m []string) (span, bool) {
	f.msg = fmt.Sprintf("%s calls itself: there is no recursion, write a for loop", m[1])
	if f.depth+1 >= len(f.frames) || f.frames[f.depth].src.std {
		return span{}, false
	}
	f.depth++ // the call rather than the function's first line
	return span{}, false
}
