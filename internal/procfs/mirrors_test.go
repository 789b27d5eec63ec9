package procfs

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLeftMirrorsAreRemoved leaves one folder as a process that was killed does,
// and keeps one in use.
func TestLeftMirrorsAreRemoved(t *testing.T) {
	used, err := NewMirror(io.Discard, strings.NewReader(""), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.MkdirTemp(mirrorBase(), mirrorName)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(left)
	if err := os.MkdirAll(filepath.Join(left, "1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if list, err := LeftMirrors(false); err != nil || slices.Contains(list, left) {
		t.Errorf("left over are %v, %v: a folder of now may not be locked yet", list, err)
	}
	old := time.Now().Add(-2 * leftAfter)
	for _, dir := range []string{left, used.Root()} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := LeftMirrors(false); err != nil || !slices.Contains(list, left) || slices.Contains(list, used.Root()) {
		t.Errorf("left over are %v, %v; want %s among them, and not %s", list, err, left, used.Root())
	}
	next, err := NewMirror(io.Discard, strings.NewReader(""), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Errorf("%s is still there", left)
	}
	for _, m := range []*Mirror{used, next} {
		if _, err := os.Stat(m.Root()); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(m.Root()); err == nil {
			t.Errorf("%s is still there", m.Root())
		}
	}
}
