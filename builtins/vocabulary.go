// Package builtins is the vocabulary of a scenario: pure constructors from
// Starlark arguments to values that are immutable and have readable fields,
// the plan that is built of them, and the judgement of a result afterwards.
package builtins

import (
	"regexp"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/plan"
)

var namePattern = regexp.MustCompile(plan.NamePattern)

// table lists the words, sorted by what they are for.
func table() []builtin {
	return []builtin{
		scenarioBuiltin(), phaseBuiltin(), parallelBuiltin(),
		keysBuiltin(), valueBuiltin(), uniformBuiltin(), normalBuiltin(), histogramBuiltin(),
		putBuiltin(), getBuiltin(), deleteBuiltin(), scanBuiltin(), existsBuiltin(), listChildrenBuiltin(), casBuiltin(), txnBuiltin(), mixBuiltin(),
		stepsBuiltin(), rampBuiltin(), geometricBuiltin(), perClusterBuiltin(),
		expectBuiltin(), belowBuiltin(), aboveBuiltin(), checkBuiltin(), compareBuiltin(), reportBuiltin(), tableBuiltin(),
		clusterBuiltin(), nodeBuiltin(), processBuiltin(), tcpReadyBuiltin(), httpReadyBuiltin(), logReadyBuiltin(), execReadyBuiltin(),
		signalBuiltin(), markerBuiltin(), hostBuiltin(), tlsBuiltin(), findBuiltin(), globBuiltin(), requiresBuiltin(),
		humanBuiltin(), roundBuiltin(), sumBuiltin(),
	}
}

// Vocabulary gives every predeclared name. stores is the mapping of recipes,
// see Stores. The words are the same whatever specs say: what a store can do is
// checked by Build, so that all problems of a file are reported at once.
func Vocabulary(_ []drivers.Spec, stores starlark.Value) starlark.StringDict {
	words := units()
	words["stores"] = stores
	words["struct"] = starlark.NewBuiltin("struct", starlarkstruct.Make)
	words["json"] = jsonModule()
	for _, name := range []string{"str", "repr", "print", "fail"} {
		words[name] = universal(name)
	}
	for _, b := range table() {
		words[b.name()] = b.value(nil)
	}
	return words
}

// A Word is an entry of the reference.
type Word struct {
	Signature string // "value(size, compressible=0)"
	Doc       string
	Methods   []Word
}

// Reference lists the constructors with their documentation, in the order in
// which they are explained.
func Reference() []Word { return words(table()) }

func words(builtins []builtin) []Word {
	var out []Word
	for _, b := range builtins {
		out = append(out, Word{b.signature, b.doc, words(b.methods)})
	}
	return out
}
