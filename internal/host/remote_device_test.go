package host

import "testing"

func TestParseDevice(t *testing.T) {
	for text, want := range map[string]string{
		"41ed 64768 0 0\n":        "253:0",
		"61b0 5 fd 2\n":           "253:2",
		"41ed 66306 0 0":          "259:2",
		"41ed 17592187092992 0 0": "4096:256",
		"":                        "",
		"41ed x 0 0":              "",
	} {
		if got, err := parseDevice(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
		}
	}
}
