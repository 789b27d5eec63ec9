package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	parser "golang.org/x/net/html"

	"github.com/kvscen/kvscen/internal/result"
)

// hostile is a result whose texts are meant for the reader's browser.
func hostile(t *testing.T) *result.Run {
	t.Helper()
	r := oddRun(t)
	evil := `<script>alert(1)</script>|*a*"'`
	r.Scenario.Title, r.Reason = evil, evil
	r.Scenario.Params = append(r.Scenario.Params, result.Param{Name: evil, Value: evil})
	r.Clusters[0].Error = evil
	r.Clusters[0].Events = append(r.Clusters[0].Events, result.Event{At: r.Clusters[0].Phases[0].Start, Kind: evil, Text: evil})
	r.Verdicts = append(r.Verdicts, result.Verdict{Kind: "check", Name: evil, Status: result.Fail, Where: evil, Text: evil, Line: evil})
	return r
}

// page parses HTML and gives the text of every element of a kind.
func pageOf(t *testing.T, r *result.Run, sources ...result.SourceText) (text string, scripts []string) {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r, sources); err != nil {
		t.Fatal(err)
	}
	inScript := false
	for z := parser.NewTokenizer(&b); ; {
		switch z.Next() {
		case parser.ErrorToken:
			if z.Err() != io.EOF {
				t.Fatal(z.Err())
			}
			return text, scripts
		case parser.StartTagToken:
			inScript = z.Token().Data == "script"
		case parser.EndTagToken:
			inScript = false
		case parser.TextToken:
			if s := z.Token().Data; inScript {
				scripts = append(scripts, s)
			} else {
				text += s
			}
		}
	}
}

func TestHTMLSaysWhatTheTableSays(t *testing.T) {
	r := oddRun(t)
	text, scripts := pageOf(t, r, result.SourceText{Name: "a.star", Text: "x = 1 < 2"})
	for _, want := range []string{"TOTAL-REQUEST-NUMBER", "What one operation became", "Errors", "Marks of trust", "Environment", "x = 1 < 2", r.Scenario.Title} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if len(scripts) != 3 {
		t.Fatalf("%d scripts, want the figures, the library and ours", len(scripts))
	}
	var list []struct {
		Name  string
		Lines []struct{ XY [][2]*float64 }
	}
	if err := json.Unmarshal([]byte(scripts[0]), &list); err != nil || len(list) == 0 || len(list[0].Lines) == 0 {
		t.Errorf("%d charts, %v; want some with lines", len(list), err)
	}
}

// What is asked first stands first.
func TestOrderOfThePage(t *testing.T) {
	r := oddRun(t)
	r.Verdicts = []result.Verdict{{Kind: "expect", Name: "fast enough", Status: result.Pass}}
	var b strings.Builder
	if err := HTML(&b, r, []result.SourceText{{Name: "a.star", Text: "x"}}); err != nil {
		t.Fatal(err)
	}
	page, at := b.String(), 0
	for _, part := range []string{"Status ", "Verdicts: ", "TOTAL-REQUEST-NUMBER", `class="charts"`, "<h3>Errors", "<h3>Marks of trust", "<h2>Environment", "a.star"} {
		next := strings.Index(page[at:], part)
		if next < 0 {
			t.Fatalf("%q does not come after what should stand above it", part)
		}
		at += next
	}
}

func TestHTMLRunsNothingForeign(t *testing.T) {
	text, scripts := pageOf(t, hostile(t), result.SourceText{Name: "</script>", Text: "</pre><script>alert(2)</script>"})
	if len(scripts) != 3 {
		t.Errorf("%d scripts, want the figures, the library and ours", len(scripts))
	}
	if strings.Contains(scripts[0], "<script") || !strings.Contains(text, "<script>alert(1)</script>") || !strings.Contains(text, "<script>alert(2)</script>") {
		t.Error("what is foreign is not shown as text")
	}
}

func TestHTMLFetchesNothing(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, oddRun(t), nil); err != nil {
		t.Fatal(err)
	}
	for z := parser.NewTokenizer(&b); z.Next() != parser.ErrorToken; {
		for _, a := range z.Token().Attr {
			if a.Key == "src" || a.Key == "href" {
				t.Errorf("an element refers to %s", a.Val)
			}
		}
	}
}

func TestMarkdownIsEscaped(t *testing.T) {
	var b strings.Builder
	if err := Markdown(&b, hostile(t), map[string][]string{"mixed": {"plots/mixed throughput.svg"}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script") {
		t.Error("foreign HTML stands in the page")
	}
	for _, want := range []string{"# write-1m", "\n| mixed |", "&lt;script&gt;", "**FAIL** check", "(plots/mixed%20throughput.svg)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%.3000s", want, b.String())
		}
	}
	cells := 0
	for line := range strings.Lines(b.String()) {
		n := strings.Count(line, "|") - strings.Count(line, `\|`)
		if strings.HasPrefix(line, "| ") && cells > 0 && n != cells {
			t.Errorf("a row of another length: %s", line)
		}
		cells = 0
		if strings.HasPrefix(line, "|") {
			cells = n
		}
	}
}
