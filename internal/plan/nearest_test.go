package plan

import "testing"

func TestDidYouMean(t *testing.T) {
	names := []string{"connections", "clients", "rate", "p99", "p90"}
	for name, want := range map[string]string{
		"conections": "; did you mean connections?",
		"cleints":    "; did you mean clients?", // neighbours swapped
		"Rate":       "; did you mean rate?",
		"p98":        "; did you mean p99?",
		"throughput": "",
		"":           "",
	} {
		if got := DidYouMean(name, names); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
