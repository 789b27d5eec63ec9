package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

func TestFormats(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{seconds(351.602), "351.6020 sec"},
		{seconds(12345.67891), "12,345.6789 sec"},
		{whole(1e6), "1,000,000"},
		{whole(999), "999"},
		{whole(1000), "1,000"},
		{whole(31450244), "31,450,244"},
		{whole(-1234567), "-1,234,567"},
		{whole(0), "0"},
		{throughput(2844.4), "2,844 req/sec"},
		{throughput(38664), "38,664 req/sec"},
		{throughput(0.42), "0.42 req/sec"},
		{throughput(3), "3 req/sec"},
		{milliseconds(2402266), "2.402266 ms"},
		{milliseconds(1234567890), "1,234.567890 ms"},
		{shortMilliseconds(1025600), "1.0256 ms"},
		{shortMilliseconds(1025649), "1.0256 ms"},
		{shortMilliseconds(187), "0.000187 ms"},
		{cellMilliseconds(2402266), "2.402"},
		{cellMilliseconds(24022), "0.0240"},
		{cellMilliseconds(187), "0.000187"},
		{percent(378.67), "378.67 %"},
		{percent(1378.666), "1,378.67 %"},
		{size(4.9e9), "4.9 GB"},
		{size(270e6), "270 MB"},
		{size(1.44e9), "1.4 GB"},
		{size(999), "999 B"},
		{size(999.6), "1.0 kB"},
		{size(9.96e6), "10 MB"},
		{size(999.6e6), "1.0 GB"},
		{size(0), "0 B"},
		{size(1.8e19), "18,000 PB"},
		{megabytes(1234567890), "1,234.6 MB/sec"},
		{megabytes(40_000), "0.0 MB/sec"},
		{ratio(1677.354), "1,677.35"},
		{span(1234567890), "1.235s"},
		{span(9*time.Minute + 12*time.Second + 345*time.Millisecond), "9m12s"},
		{plural(1, "step"), "1 step"},
		{plural(1234, "step"), "1,234 steps"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"  plain, ünï and 日本 ": "plain, ünï and 日本",
		"a\nb\tc":              `a\nb\tc`,
		"\x1b[31mred\x07":      `\x1b[31mred\a`,
		"\u202egnp":            `\u202egnp`,
		"a\x00b\u0085c":        `a\x00b\u0085c`,
		"\xff\xfe":             "\uFFFD\uFFFD",
		`"quotes" 'n' \`:       `"quotes" 'n' \`,
	} {
		if got := clean(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if got := clean(strings.Repeat("é", longest+1)); got != strings.Repeat("é", longest)+"..." {
		t.Errorf("a long text became %q", got)
	}
	if got := shorten("0123456789", 8); got != "01234..." {
		t.Errorf("shortened to %q", got)
	}
}

func TestParagraph(t *testing.T) {
	var b strings.Builder
	paragraph(&b, "  head", 8, strings.Repeat("seven77 ", 30))
	for i, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		if len(line) > lineWidth || (i == 0) != strings.HasPrefix(line, "  head") || !strings.HasPrefix(line[6:], "  seven77 seven77") {
			t.Errorf("line %d is %q", i, line)
		}
	}
	if n := strings.Count(b.String(), "seven77"); n != 30 {
		t.Errorf("%d words of 30", n)
	}
	b.Reset()
	paragraph(&b, "", 0, strings.Repeat("x", 200)+" y")
	if b.String() != strings.Repeat("x", 200)+"\ny\n" {
		t.Errorf("an endless word: %q", b.String())
	}
}

func TestNotes(t *testing.T) {
	n := &notes{room: 10}
	var got []string
	for _, reason := range []string{"short", "a reason that is too long", "17 samples", "123456 samples", "99999999 samples", "a reason that is too long"} {
		got = append(got, n.cell(result.NA(reason), whole))
	}
	if want := "n/a (short) n/a [1] n/a (17 samples) n/a [2] n/a [2] n/a [1]"; strings.Join(got, " ") != want {
		t.Errorf("cells %q, want %s", got, want)
	}
	if want := []string{"a reason that is too long", "a percentile needs 10 samples beyond it"}; !slices.Equal(n.list(), want) {
		t.Errorf("notes %q, want %q", n.list(), want)
	}
}
