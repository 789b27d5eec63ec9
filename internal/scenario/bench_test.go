package scenario

import (
	"context"
	"path/filepath"
	"testing"
)

// BenchmarkOpen is one of the files that kvscen check goes through.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(write(b, "a.star", good), "a.star")
	for b.Loop() {
		if _, err := Open(context.Background(), path, options()); err != nil {
			b.Fatal(err)
		}
	}
}
