package bbolt

import (
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers/drivertest"
)

func TestConformance(t *testing.T) {
	for name, options := range map[string]map[string]any{
		"defaults": nil,
		"others":   {"batch": int64(100), "batch_delay": time.Millisecond, "freelist": "hashmap", "sync": false},
	} {
		t.Run(name, func(t *testing.T) {
			drivertest.Run(t, drivertest.InProcess(New(), options, count))
		})
	}
}

// What is out of range is told all at once.
func TestBadOptions(t *testing.T) {
	_, _, err := New().Open(t.Context(), t.TempDir(), map[string]any{"freelist": "tree", "fill": 0.05})
	if err == nil || !strings.Contains(err.Error(), "freelist") || !strings.Contains(err.Error(), "fill") {
		t.Errorf("error %v, want one that names freelist and fill", err)
	}
}
