package dist

import (
	"bytes"
	"strings"
	"testing"
)

func TestSeal(t *testing.T) {
	s := NewStream(1, "seal")
	for _, size := range []int{SealBytes, SealBytes + 1, 100, 5000} {
		value, again, key := make([]byte, size), make([]byte, size), []byte("key 1")
		Fill(value, s, 7, 0)
		Fill(again, s, 7, 0)
		Seal(value, key)
		Seal(again, key)
		if err := Unsealed(value, key); err != nil || !bytes.Equal(value, again) {
			t.Errorf("%d bytes: %v, the same again: %v", size, err, bytes.Equal(value, again))
		}
		if err := Unsealed(value, []byte("key 2")); err == nil || !strings.Contains(err.Error(), "of another key") {
			t.Errorf("%d bytes at another key: %v", size, err)
		}
		for i := range min(size, 300) {
			for bit := range 8 {
				value[i] ^= 1 << bit
				if Unsealed(value, key) == nil {
					t.Fatalf("%d bytes: bit %d of byte %d was changed, and it passes", size, bit, i)
				}
				value[i] ^= 1 << bit
			}
		}
		if err := Unsealed(value[:size-1], key); err == nil {
			t.Errorf("%d bytes cut short pass", size)
		}
	}
	if err := Unsealed(nil, nil); err == nil || !strings.Contains(err.Error(), "0 bytes holds no checksum") {
		t.Errorf("no value: %v", err)
	}
	if Unsealed(make([]byte, 64), []byte("k")) == nil {
		t.Error("zeros pass")
	}
}

func TestSealDoesNotAllocate(t *testing.T) {
	value, key := make([]byte, 1024), []byte("key")
	if n := testing.AllocsPerRun(100, func() {
		Seal(value, key)
		if Unsealed(value, key) != nil {
			t.Error("a sealed value does not pass")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
