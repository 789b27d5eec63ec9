package builtins

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Keys is a set of keys. It has an identity: phases that draw in sequence from
// the same value go on where the last one ended.
type Keys struct {
	object
	plan plan.Keys
}

func keysBuiltin() builtin {
	return builtin{
		signature: `keys(count, size=, prefix=, encoding="decimal", parent=None)`,
		doc:       `A set of count keys of size bytes: prefix and a number, as "decimal", "hex" or "random" letters. Draw from it with sequential(), uniform(), zipfian(), latest(), hotspot() or one().`,
		make:      makeKeys,
		methods:   draws(),
		defers:    true,
	}
}

var encodings = [...]string{"decimal", "hex", "random"}

const defaultKeySize = 16

func makeKeys(c *call) (starlark.Value, error) {
	k := plan.Keys{
		Count:    c.count("count"),
		Size:     int(c.integer("size", defaultKeySize)),
		Prefix:   c.str("prefix", ""),
		Encoding: c.str("encoding", encodings[0]),
		Parent:   c.str("parent", ""),
		Pos:      c.site.pos,
	}
	if c.arg("count") == nil {
		c.fail("count", "want a number of keys")
	}
	c.oneOf("encoding", k.Encoding, encodings[:])
	return &Keys{object: c.object(), plan: k}, nil
}

// Attr reads a field or binds a draw.
func (k *Keys) Attr(name string) (starlark.Value, error) { return k.attr(k, name) }

// oneOf refuses a word that is not among those allowed.
func (c *call) oneOf(name, word string, allowed []string) {
	if !slices.Contains(allowed, word) {
		c.fail(name, "want %s, got %q%s", orList(allowed), word, plan.DidYouMean(word, allowed))
	}
}

// orList is `"a", "b" or "c"`.
func orList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `"` + w + `"`
	}
	last := len(quoted) - 1
	if last <= 0 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
