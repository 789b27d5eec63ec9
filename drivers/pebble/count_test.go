package pebble

import (
	"bytes"
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

// count counts the keys with a prefix in a folder, by the library alone.
func count(t *testing.T, dir string, prefix []byte) int {
	t.Helper()
	db, err := pebble.Open(dir, &pebble.Options{ReadOnly: true, Logger: logger{func(error) {}}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	i, err := db.NewIter(&pebble.IterOptions{LowerBound: prefix})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ok := i.First(); ok && bytes.HasPrefix(i.Key(), prefix); ok = i.Next() {
		n++
	}
	if err := i.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}
