package consul

import (
	"testing"

	"github.com/kvscen/kvscen/drivers"
)

// TestExists looks for keys that an agent quotes in its answer.
func TestExists(t *testing.T) {
	t.Parallel()
	c := dial(t, startMember(t).target())
	keys := []string{"plain", "a/b c%", "//odd/../key", `q"uo\ted`, "Größe 🔑", "tab\t\x01"}
	write(t, c, keys...)
	for _, m := range names {
		for _, key := range keys {
			for look, want := range map[string]bool{key: true, key[:len(key)-1]: false, key + "x": false} {
				op := drivers.Op{Key: []byte(look)}
				err := do(t, c, drivers.OpSpec{Kind: drivers.Exists, Consistency: m}, &op)
				if look == "Größe \xf0\x9f\x94" && drivers.ClassOf(err) == drivers.Refused {
					continue // no UTF-8
				}
				if err != nil || op.Found != want || op.Bytes != 0 || op.Attempts != 1 {
					t.Errorf("%q, %s: found %v, %d bytes, %d attempts, %v; want %v", look, m, op.Found, op.Bytes, op.Attempts, err, want)
				}
			}
		}
	}
}

func TestScanKeys(t *testing.T) {
	t.Parallel()
	c := dial(t, startMember(t).target())
	write(t, c, "s/a", "s/b", "s/b/c", "u")
	for _, x := range []struct {
		key, end string
		want     int
	}{{"s/", "", 3}, {"s/b", "s/b/c", 1}, {"s/a", "v", 4}, {"t", "", 0}} {
		op := drivers.Op{Key: []byte(x.key), End: []byte(x.end)}
		if err := do(t, c, drivers.OpSpec{Kind: drivers.Scan, KeysOnly: true}, &op); err != nil || op.Count != x.want || op.Bytes > int64(5*x.want) {
			t.Errorf("keys from %q to %q: count %d, bytes %d, %v; want %d", x.key, x.end, op.Count, op.Bytes, err, x.want)
		}
	}
}
