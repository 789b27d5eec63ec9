package mem

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

func TestSpoiledAnswers(t *testing.T) {
	d := New()
	conn, err := d.Dial(t.Context(), open(t, d, map[string]any{"corrupt_rate": 0.25, "misread_rate": 0.25}))
	if err != nil {
		t.Fatal(err)
	}
	c, err := conn.Client([]drivers.OpSpec{{Kind: drivers.Put}, {Kind: drivers.Get, Keep: true}})
	if err != nil {
		t.Fatal(err)
	}
	const n = 400 // puts and gets each, so that half of the gets are wrong
	do := func(op drivers.Op) drivers.Op {
		t.Helper()
		if err := c.Do(t.Context(), &op); err != nil {
			t.Fatal(err)
		}
		return op
	}
	written := map[string]bool{}
	value := func(i int) string { return strings.Repeat(strconv.Itoa(i), 8) }
	for i := range n {
		written[value(i)] = true
		if op := do(drivers.Op{Key: fmt.Append(nil, i), Value: []byte(value(i))}); op.Found || op.Read != nil {
			t.Fatalf("a put was spoiled: %+v", op)
		}
	}
	right, damaged, others := 0, 0, 0
	for i := range n {
		read := string(do(drivers.Op{Spec: 1, Key: fmt.Append(nil, i)}).Read)
		switch {
		case read == value(i):
			right++
		case written[read]:
			others++
		case differ(read, value(i)) == 1:
			damaged++
		default:
			t.Errorf("key %d: read %q", i, read)
		}
	}
	if right != n/2 || damaged != n/4 || others != n/4 {
		t.Errorf("of %d reads %d were right, %d damaged, %d of another key", n, right, damaged, others)
	}
}

// differ counts the bits in which two texts of one length differ.
func differ(a, b string) int {
	n := 0
	for i := range min(len(a), len(b)) {
		n += bits.OnesCount8(a[i] ^ b[i])
	}
	return n
}

// A store of one key has no other value to give.
func TestNothingElseToRead(t *testing.T) {
	s := newTable()
	s.put([]byte("only"), []byte("v"), 0)
	if got := s.another([]byte("only")); got != nil {
		t.Errorf("another value than the only one: %q", got)
	}
	s.put([]byte("a"), []byte("first"), 0)
	if got := s.another([]byte("only")); string(got) != "first" {
		t.Errorf("after the last key: %q, want that of the first", got)
	}
}
