package drivertest

import (
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// testSpec checks that what a driver declares makes sense.
func testSpec(t *testing.T, spec drivers.Spec) {
	if spec.Name == "" || spec.Doc == "" || len(spec.Ops) == 0 {
		t.Errorf("name %q, doc %q, %d operations: none may be missing", spec.Name, spec.Doc, len(spec.Ops))
	}
	for i, info := range spec.Ops {
		if i > 0 && info.Kind <= spec.Ops[i-1].Kind {
			t.Errorf("%v stands after %v", info.Kind, spec.Ops[i-1].Kind)
		}
		checkOp(t, &info)
	}
	for _, o := range spec.Options {
		switch o.Default.(type) {
		case bool, int64, float64, string, time.Duration:
		default:
			t.Errorf("option %s: the default is a %T", o.Name, o.Default)
		}
		if o.Name == "" || o.Doc == "" {
			t.Errorf("option %q has the text %q", o.Name, o.Doc)
		}
	}
}

func checkOp(t *testing.T, info *drivers.OpInfo) {
	strong := 0
	for _, c := range info.Consistencies {
		if c.Name == "" || c.RPCs == "" {
			t.Errorf("%v, consistency %q: what a request becomes is %q", info.Kind, c.Name, c.RPCs)
		}
		if c.Strong {
			strong++
		}
	}
	switch {
	case len(info.Consistencies) == 0 && info.RPCs == "":
		t.Errorf("%v: what a request becomes is not said", info.Kind)
	case len(info.Consistencies) > 0 && strong != 1:
		t.Errorf("%v: %d consistencies are the strong one, want 1", info.Kind, strong)
	}
	if info.Limit && info.Kind != drivers.Scan && info.Kind != drivers.ListChildren {
		t.Errorf("%v takes a limit", info.Kind)
	}
	if (info.KeysOnly || info.Entries) && info.Kind != drivers.Scan {
		t.Errorf("%v reads keys alone: %v, gives entries: %v", info.Kind, info.KeysOnly, info.Entries)
	}
	if info.TTL && info.Kind != drivers.Put {
		t.Errorf("%v takes a ttl", info.Kind)
	}
	if info.TTLRPCs != "" && !info.TTL {
		t.Errorf("%v takes no ttl, and yet sends %q for it", info.Kind, info.TTLRPCs)
	}
	if info.CurrentRPCs != "" && info.Kind != drivers.CAS {
		t.Errorf("%v has no use for a revision, and yet sends %q for it", info.Kind, info.CurrentRPCs)
	}
}
