package drivers

import (
	"math"
	"testing"
	"time"
)

func TestOptionRange(t *testing.T) {
	share := Option{Name: "share", Default: 0.0, Max: 1}
	size := Option{Name: "size", Default: int64(5), Min: 2, Max: 1 << 30}
	pause := Option{Name: "pause", Default: time.Second, Max: math.Inf(1)}
	step := Option{Name: "step", Default: time.Second, Min: 1e6, Max: 1e9}
	free := Option{Name: "free", Default: int64(0)}
	for _, c := range []struct {
		option Option
		v      any
		want   string
	}{
		{share, 0.0, ""},
		{share, 1.0, ""},
		{share, 1.5, "want 0 to 1, got 1.5"},
		{share, math.NaN(), "want 0 to 1, got NaN"},
		{size, int64(2), ""},
		{size, int64(1), "want 2 to 1073741824, got 1"},
		{pause, time.Hour, ""},
		{pause, -time.Second, "want at least 0s, got -1s"},
		{step, 2 * time.Second, "want 1ms to 1s, got 2s"},
		{free, int64(-5), ""},
		{share, nil, ""},
		{share, "text", ""},
	} {
		got := ""
		if err := c.option.Check(c.v); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s = %v: %q, want %q", c.option.Name, c.v, got, c.want)
		}
	}
	s := Spec{Options: []Option{free, share}}
	err := s.CheckOptions(map[string]any{"free": int64(-1), "share": 2.0})
	if err == nil || err.Error() != "option share: want 0 to 1, got 2" {
		t.Errorf("options: %v", err)
	}
}
