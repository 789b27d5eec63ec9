package leveldb

import (
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers/drivertest"
)

func TestConformance(t *testing.T) {
	for name, options := range map[string]map[string]any{
		"defaults": nil,
		"others":   {"bloom_bits": int64(10), "compression": "none", "cache": int64(0), "sync": false},
	} {
		t.Run(name, func(t *testing.T) {
			drivertest.Run(t, drivertest.InProcess(New(), options, count))
		})
	}
}

// What is out of range is told all at once.
func TestBadOptions(t *testing.T) {
	_, _, err := New().Open(t.Context(), t.TempDir(), map[string]any{"compression": "zip", "block_size": int64(-1)})
	if err == nil || !strings.Contains(err.Error(), "compression") || !strings.Contains(err.Error(), "block_size") {
		t.Errorf("error %v, want one that names compression and block_size", err)
	}
}
