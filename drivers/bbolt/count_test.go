package bbolt

import (
	"bytes"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"
)

// count counts the keys with a prefix in a folder, by the library alone.
func count(t *testing.T, dir string, prefix []byte) int {
	t.Helper()
	db, err := bbolt.Open(filepath.Join(dir, fileName), 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n := 0
	err = db.View(func(tx *bbolt.Tx) error {
		c := tx.Bucket([]byte(bucketName)).Cursor()
		for key, _ := c.Seek(prefix); key != nil && bytes.HasPrefix(key, prefix); key, _ = c.Next() {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
