package consul

import "testing"

func TestInPath(t *testing.T) {
	for key, want := range map[string]bool{
		"":         true,
		"a":        true,
		"a/":       true,
		"a/b c%/?": true,
		"a.b/..c":  true,
		".a/.b":    true,
		"Größe 🔑":  true,
		"\xff\xc3": true,
		"/":        false,
		"/a":       false,
		"a//b":     false,
		"a//":      false,
		".":        false,
		"../a":     false,
		"a/./b":    false,
		"a/..":     false,
		"a/../":    false,
		"a\nb":     false,
		"a\x00":    false,
		"a\u200b":  false,
	} {
		if got := inPath(key); got != want {
			t.Errorf("%q in a path: %v, want %v", key, got, want)
		}
	}
}
