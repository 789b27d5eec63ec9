package reference

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTracksAreAllNamed compares the page with the source of the sampler, which
// this package does not import.
func TestTracksAreAllNamed(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "engine", "sample", "history.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, figures, _ := strings.Cut(string(source), "processFigures = ")
	figures, _, _ = strings.Cut(figures, "\n)\n")
	names := regexp.MustCompile(`"([a-z0-9_]+)"`).FindAllStringSubmatch(figures, -1)
	var p page
	p.tracks()
	rows := strings.Count(p.String(), "\n| `")
	if len(names) == 0 || len(names) != rows {
		t.Errorf("%d figures in the sampler, %d rows on the page", len(names), rows)
	}
	for _, n := range names {
		contains(t, p.Bytes(), "| `"+n[1]+"` |")
	}
}
