package mem

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// TestIndex compares the skip list with a sorted slice over random insertions
// and removals.
func TestIndex(t *testing.T) {
	x := newIndex()
	var model []string
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		key := fmt.Sprintf("%03d", r.IntN(400))
		at, there := slices.BinarySearch(model, key)
		switch {
		case !there:
			x.insert(key)
			model = slices.Insert(model, at, key)
		case r.IntN(2) == 0:
			x.remove(key)
			model = slices.Delete(model, at, at+1)
		}
	}
	x.remove("not there")
	var got []string
	for n := x.seek(""); n != nil; n = n.next[0] {
		got = append(got, n.key)
	}
	if !slices.Equal(got, model) {
		t.Errorf("the index holds %d keys, want %d", len(got), len(model))
	}
	if n := x.seek(model[7]); n == nil || n.key != model[7] {
		t.Errorf("seek(%q) finds %v", model[7], n)
	}
}

// TestExpiry: what has expired is gone for every operation, and from memory
// once it was met.
func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTable()
		put := &drivers.OpSpec{Kind: drivers.Put, TTL: time.Minute}
		for i := range 10 {
			b.apply(put, &drivers.Op{Key: fmt.Appendf(nil, "k/%d", i)})
		}
		b.apply(&drivers.OpSpec{Kind: drivers.Put}, &drivers.Op{Key: []byte("k/5")}) // for ever now
		scan := func() int {
			var op drivers.Op
			b.apply(&drivers.OpSpec{Kind: drivers.Scan}, &op)
			return op.Count
		}
		time.Sleep(time.Minute - time.Nanosecond)
		if n := scan(); n != 10 {
			t.Errorf("%d keys before their time, want 10", n)
		}
		time.Sleep(time.Nanosecond)
		get := drivers.Op{Key: []byte("k/1")}
		b.apply(&drivers.OpSpec{Kind: drivers.Get}, &get)
		create := drivers.Op{Key: []byte("k/2"), Expected: drivers.ExpectAbsent}
		b.apply(&drivers.OpSpec{Kind: drivers.CAS}, &create)
		if get.Found || !create.Found {
			t.Errorf("after its time: get %v, cas that creates %v", get.Found, create.Found)
		}
		if n := scan(); n != 2 {
			t.Errorf("%d keys after their time, want 2", n)
		}
		left := 0
		for i := range b.shards {
			left += len(b.shards[i].entries)
		}
		if left != 2 {
			t.Errorf("%d entries stay in memory, want 2", left)
		}
	})
}
