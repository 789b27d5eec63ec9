package builtins

import (
	"fmt"
	"maps"

	"go.starlark.net/lib/json"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

const maxJSON = 1 << 20 // bytes of a text to decode

// jsonModule is the interpreter's module of JSON, bounded in depth.
func jsonModule() *starlarkstruct.Module {
	members := maps.Clone(json.Module.Members)
	for _, name := range []string{"encode", "encode_indent"} {
		members[name] = bounded(members[name].(*starlark.Builtin))
	}
	members["decode"] = boundedDecode(members["decode"].(*starlark.Builtin))
	return &starlarkstruct.Module{Name: json.Module.Name, Members: members}
}

// boundedDecode refuses texts that are too long or nested too deeply, also
// where a default is given: they are no invalid JSON.
func boundedDecode(plain *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(plain.Name(), func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 0 {
			if text, ok := starlark.AsString(args[0]); ok {
				if err := checkJSON(text); err != nil {
					return nil, fmt.Errorf("%s: %w", plain.Name(), err)
				}
			}
		}
		return plain.CallInternal(t, args, kwargs)
	})
}

// checkJSON looks at a text, which need not be valid, before it is decoded.
func checkJSON(text string) error {
	if len(text) > maxJSON {
		return fmt.Errorf("a text of %d bytes is too long (at most %d MiB)", len(text), maxJSON>>20)
	}
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++ // what follows is no end of the string
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[', c == '{':
			if depth++; depth > maxNesting {
				return fmt.Errorf("the text is nested more than %d deep", maxNesting)
			}
		case c == ']', c == '}':
			depth--
		}
	}
	return nil
}
