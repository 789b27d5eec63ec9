package leveldb

import (
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// count counts the keys with a prefix in a folder, by the library alone.
func count(t *testing.T, dir string, prefix []byte) int {
	t.Helper()
	db, err := leveldb.OpenFile(dir, &opt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	i := db.NewIterator(util.BytesPrefix(prefix), nil)
	defer i.Release()
	n := 0
	for i.Next() {
		n++
	}
	if err := i.Error(); err != nil {
		t.Fatal(err)
	}
	return n
}
