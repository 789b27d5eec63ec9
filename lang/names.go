package lang

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// foreignNames answers names of other languages that no script has, sorted.
var foreignNames = map[string]string{
	"NULL":       "write None",
	"Null":       "write None",
	"datetime":   "a script has no clock",
	"eval":       "a script can't evaluate text",
	"exec":       "a script can't evaluate text",
	"false":      "write False",
	"filter":     "write a comprehension: [x for x in list if condition]",
	"input":      "a script reads nothing but what it loads",
	"isinstance": `compare type(x) with a name: type(x) == "string"`,
	"map":        "write a comprehension: [f(x) for x in list]",
	"math":       "there are no modules beside the files given to load",
	"nil":        "write None",
	"null":       "write None",
	"object":     "there are no classes",
	"open":       "a script reads nothing but what it loads",
	"os":         "a script has no environment",
	"pow":        "there is no power operator: multiply",
	"random":     "a script has no randomness",
	"super":      "there are no classes",
	"sys":        "a script has no environment",
	"time":       "a script has no clock",
	"true":       "write True",
	"undefined":  "write None",
}

// resolverAnswers words what the resolver says tersely. $1 is the group.
var resolverAnswers = []struct {
	saying *regexp.Regexp
	answer string
}{
	{regexp.MustCompile(`^cannot reassign (?:global|local|top-level) (\w+) declared at (?:.*):(\d+):\d+$`),
		"$1 is defined already, on line $2: outside a function a name is given one value only"},
	{regexp.MustCompile(`^cannot reassign top-level (\w+)$`),
		"$1 is defined already: outside a function a name is given one value only"},
	{regexp.MustCompile(`^if statement not within a function$`),
		"if outside a function: put it into a function, or write a if condition else b"},
	{regexp.MustCompile(`^for loop not within a function$`),
		"for outside a function: put it into a function, or write a comprehension: [x for x in list]"},
	{regexp.MustCompile(`^(?:this Starlark dialect does not support while loops|while loop not within a function)$`),
		"there is no while: write for i in range(n), and leave the loop with break"},
	{regexp.MustCompile(`^return statement not within a function$`),
		"return outside a function"},
	{regexp.MustCompile(`^load statement within a (?:function|loop|conditional)$`),
		"load stands at the top of a file, outside any function"},
	{regexp.MustCompile(`^load: names with leading underscores are not exported: (\w+)$`),
		"$1 is private to its file: names that begin with an underscore can't be loaded"},
	{regexp.MustCompile(`^can't assign to (\w+)$`),
		"this can't be assigned to ($1): the left side of = is a name, an element or a field"},
}

var undefinedName = regexp.MustCompile(`^undefined: (\w+)(?: \(did you mean (\w+)\?\))?$`)

// nameErrors turns what the resolver found into diagnostics, one a place, in
// the order of the file.
func (h *host) nameErrors(s *source, list resolve.ErrorList) *Diagnostics {
	var ds Diagnostics
	for _, e := range list {
		d := s.at(h.nameSpan(s, e.Pos), h.nameMessage(s, e.Msg))
		if !slices.ContainsFunc(ds, func(o Diagnostic) bool { return o.Line == d.Line && o.Col == d.Col }) {
			ds = append(ds, d)
		}
	}
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return &ds
}

// nameSpan marks the whole word at a position.
func (h *host) nameSpan(s *source, pos syntax.Position) span {
	t := word(s.text, s.offset(int(pos.Line), int(pos.Col)))
	return span{int(pos.Line), int(pos.Col), max(1, s.spanAt(t).width)}
}

func (h *host) nameMessage(s *source, msg string) string {
	if m := undefinedName.FindStringSubmatch(msg); m != nil {
		name, local := m[1], m[2]
		if answer := foreignNames[name]; answer != "" {
			return fmt.Sprintf("there is no %s: %s", name, answer)
		}
		if slices.Contains(h.stdNames(), name+".star") {
			return fmt.Sprintf("undefined: %s (write load(\"%s%s.star\", \"%s\") at the top of the file)", name, stdPrefix, name, name)
		}
		candidates := slices.Concat(h.visibleNames(s), []string{local})
		return "undefined: " + name + didYouMean(name, candidates)
	}
	for _, r := range resolverAnswers {
		if r.saying.MatchString(msg) {
			return r.saying.ReplaceAllString(msg, r.answer)
		}
	}
	return msg
}

// visibleNames are the names that any function of a file can use.
func (h *host) visibleNames(s *source) []string {
	names := slices.Concat(h.predeclared.Keys(), starlark.Universe.Keys())
	for _, stmt := range s.syntaxTree().Stmts {
		switch stmt := stmt.(type) {
		case *syntax.DefStmt:
			names = append(names, stmt.Name.Name)
		case *syntax.AssignStmt:
			if id, ok := stmt.LHS.(*syntax.Ident); ok {
				names = append(names, id.Name)
			}
		case *syntax.LoadStmt:
			for _, id := range stmt.To {
				names = append(names, id.Name)
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "_") || n == measureName })
}

// isBuiltin reports whether a name means something without being defined.
func (h *host) isBuiltin(name string) bool {
	return h.predeclared.Has(name) || starlark.Universe.Has(name)
}
