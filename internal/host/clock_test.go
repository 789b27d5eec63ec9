package host

import (
	"testing"
	"time"
)

func TestParseDate(t *testing.T) {
	if got, err := parseDate("1700000000.012345678\n"); err != nil || !got.Equal(time.Unix(1700000000, 12345678)) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, text := range []string{"", "1700000000", "1700000000.N", "1700000000.123", "x.123456789", "1.-12345678"} {
		if got, err := parseDate(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
