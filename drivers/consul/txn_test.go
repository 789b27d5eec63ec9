package consul

import (
	"slices"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

func TestTxnBinding(t *testing.T) {
	put, get, scan := drivers.OpSpec{Kind: drivers.Put}, drivers.OpSpec{Kind: drivers.Get}, drivers.OpSpec{Kind: drivers.Scan}
	lazy := drivers.OpSpec{Kind: drivers.Get, Consistency: names[stale]}
	agent := &conn{spec: spec()}
	for name, c := range map[string]struct {
		ops  []drivers.OpSpec
		want string // empty: it can be bound
	}{
		"writes and reads":     {[]drivers.OpSpec{put, get}, ""},
		"stale reads":          {[]drivers.OpSpec{lazy, lazy}, ""},
		"several scans":        {[]drivers.OpSpec{scan, scan}, ""},
		"a scan beside writes": {[]drivers.OpSpec{put, scan, put}, ""},
		"scans beside writes":  {[]drivers.OpSpec{scan, put, scan}, "several scans"},
		"two consistencies":    {[]drivers.OpSpec{lazy, get}, "one for all"},
		"stale beside writes":  {[]drivers.OpSpec{put, lazy}, "stale"},
		"names below a key":    {[]drivers.OpSpec{{Kind: drivers.ListChildren}}, "list_children"},
		"a txn in a txn":       {[]drivers.OpSpec{{Kind: drivers.Txn}}, "txn"},
		"too many":             {slices.Repeat([]drivers.OpSpec{{Kind: drivers.Delete}}, maxTxnOps/2+1), "66 operations, the servers take 64"},
		"keys alone":           {[]drivers.OpSpec{{Kind: drivers.Scan, KeysOnly: true}}, "scan"},
		"existence":            {[]drivers.OpSpec{{Kind: drivers.Exists}}, "exists"},
		"a ttl":                {[]drivers.OpSpec{{Kind: drivers.Put, TTL: 1}}, "ttl"},
	} {
		_, err := agent.newTxn(&drivers.OpSpec{Kind: drivers.Txn, Ops: c.ops})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestTxnScans checks that each scan is given the entries that are its own.
func TestTxnScans(t *testing.T) {
	t.Parallel()
	c := dial(t, startMember(t).target())
	write(t, c, "s/a", "s/b", "s/b/c", "u")
	scan, get, put := drivers.OpSpec{Kind: drivers.Scan}, drivers.OpSpec{Kind: drivers.Get}, drivers.OpSpec{Kind: drivers.Put}
	for name, x := range map[string]struct {
		parts []drivers.OpSpec
		keys  []string
		want  []int // entries of each
	}{
		"apart":       {[]drivers.OpSpec{scan, scan}, []string{"s/", "u"}, []int{3, 1}},
		"the same":    {[]drivers.OpSpec{scan, scan}, []string{"s/", "s/"}, []int{3, 3}},
		"one wider":   {[]drivers.OpSpec{scan, scan, scan}, []string{"s/b", "s/", "s/b"}, []int{2, 3, 2}},
		"some empty":  {[]drivers.OpSpec{scan, scan, scan}, []string{"none", "s/b/", "t"}, []int{0, 1, 0}},
		"with others": {[]drivers.OpSpec{get, scan, put, get}, []string{"u", "s/", "z", "u"}, []int{1, 3, 0, 1}},
	} {
		op := drivers.Op{Sub: make([]drivers.Op, len(x.keys))}
		for i, key := range x.keys {
			op.Sub[i].Key = []byte(key)
		}
		if err := do(t, c, drivers.OpSpec{Kind: drivers.Txn, Ops: x.parts}, &op); err != nil || !op.Found {
			t.Errorf("%s: committed %v, %v", name, op.Found, err)
			continue
		}
		for i, want := range x.want {
			if got := op.Sub[i].Count; got != want {
				t.Errorf("%s: part %d, %q: %d entries, want %d", name, i, x.keys[i], got, want)
			}
		}
	}
}

// TestTxnRolledBack tells what is an outcome from what is an error.
func TestTxnRolledBack(t *testing.T) {
	t.Parallel()
	target := startMember(t).target()
	target.Options = map[string]any{txnOps: int64(maxTxnOps + 1)} // that it takes them is not true
	c := dial(t, target)
	txn := drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{{Kind: drivers.Put}, {Kind: drivers.Delete}}}
	op := drivers.Op{Sub: []drivers.Op{{Key: []byte("kept")}, {Key: []byte("missing")}}}
	if err := do(t, c, txn, &op); err != nil || op.Found {
		t.Errorf("a txn that deletes a missing key: committed %v, %v", op.Found, err)
	}
	kept := drivers.Op{Key: []byte("kept")}
	if err := do(t, c, drivers.OpSpec{Kind: drivers.Get}, &kept); err != nil || kept.Found {
		t.Errorf("what it has put is there: %v, %v", kept.Found, err)
	}
	odd := drivers.Op{Key: []byte("\xff")}
	if err := do(t, c, drivers.OpSpec{Kind: drivers.Delete}, &odd); drivers.ClassOf(err) != drivers.Refused {
		t.Errorf("delete of a key that is no UTF-8: %v, want class refused", err)
	}
	var many drivers.OpSpec
	many.Kind = drivers.Txn
	op = drivers.Op{Sub: make([]drivers.Op, maxTxnOps+1)}
	for i := range op.Sub {
		many.Ops = append(many.Ops, drivers.OpSpec{Kind: drivers.Put})
		op.Sub[i].Key = []byte{'k', byte('0' + i)}
	}
	if err := do(t, c, many, &op); drivers.ClassOf(err) != drivers.TooLarge {
		t.Errorf("a txn of %d operations: %v, want class too large", len(many.Ops), err)
	}
}
