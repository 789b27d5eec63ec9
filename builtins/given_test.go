package builtins_test

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/drivers"
)

// fussy is a store whose options change what it can do, and whose transactions
// hold writes alone.
func fussy() drivers.Spec {
	spec := drivers.Spec{
		Name: "fussy",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 put"}, {Kind: drivers.Get, RPCs: "1 get"},
			{Kind: drivers.Scan, RPCs: "1 scan", Refused: "keys have no order"},
			{Kind: drivers.Txn, RPCs: "1 batch", Parts: []drivers.Kind{drivers.Put}},
		},
		Options: []drivers.Option{{Name: "ordered", Default: false}, {Name: "largest", Default: int64(1000)}},
		Limits:  drivers.Limits{Value: 1000},
	}
	spec.Given = func(options map[string]any) drivers.Spec {
		given := spec
		given.Limits.Value = drivers.OptionOf[int64](&spec, options, "largest")
		if drivers.OptionOf[bool](&spec, options, "ordered") {
			given.Ops = append([]drivers.OpInfo{}, spec.Ops...)
			given.Op(drivers.Scan).Refused = ""
		}
		return given
	}
	return spec
}

func TestOptionsChangeTheStore(t *testing.T) {
	for name, x := range map[string]struct{ options, op, want string }{
		"refused":     {`{}`, `scan(k.one())`, "fussy can't do it as it is set up: keys have no order"},
		"not refused": {`{"ordered": True}`, `scan(k.one())`, ""},
		"too large":   {`{}`, `put(k.one(), value(2000))`, "above the limit of fussy, 1000 bytes"},
		"larger":      {`{"largest": 5000}`, `put(k.one(), value(2000))`, ""},
		"part":        {`{}`, `txn([put(k.one(), value(1)), get(k.one())])`, "fussy can't do it in a txn, which can hold: put"},
		"parts":       {`{}`, `txn([put(k.one(), value(1)), put(k.one(), value(1))])`, ""},
	} {
		text := "k = keys(10)\ndef main():\n    return scenario([cluster(\"fussy\", endpoints = [\"a:1\"], options = " + x.options + ")], [phase(\"p\", " + x.op + ", requests = 1)])\n"
		globals, thread, err := exec("given.star", text, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		v, err := starlark.Call(thread, globals["main"], nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, problems, err := builtins.Build(v, []drivers.Spec{fussy()})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var found []string
		for _, p := range problems {
			found = append(found, p.Text)
		}
		if got := strings.Join(found, "; "); got != x.want && (x.want == "" || !strings.Contains(got, x.want)) {
			t.Errorf("%s: problems %q, want %q", name, got, x.want)
		}
	}
}
