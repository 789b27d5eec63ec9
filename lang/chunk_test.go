package lang

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.starlark.net/syntax"
)

// chunkMarker stands on the line that must fail: ### "regexp".
var chunkMarker = regexp.MustCompile(`\s*### "(.*)"$`)

// TestChunks evaluates each chunk of testdata/*.star on its own and compares
// what is reported with the markers: the same lines, and each message matched.
func TestChunks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no chunk files: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for chunk := range strings.SplitSeq(string(data), "---\n") {
			text, want := unmark(chunk)
			name := filepath.Base(file) + ":" + firstMarked(chunk, line)
			t.Run(name, func(t *testing.T) { runChunk(t, text, want) })
			line += strings.Count(chunk, "\n") + 1
		}
	}
}

// unmark takes the markers off; want is by line.
func unmark(chunk string) (text string, want map[int]*regexp.Regexp) {
	want = map[int]*regexp.Regexp{}
	lines := strings.Split(chunk, "\n")
	for i, l := range lines {
		if m := chunkMarker.FindStringSubmatch(l); m != nil {
			want[i+1] = regexp.MustCompile(m[1])
			lines[i] = chunkMarker.ReplaceAllString(l, "")
		}
	}
	return strings.Join(lines, "\n"), want
}

func firstMarked(chunk string, line int) string {
	for i, l := range strings.Split(chunk, "\n") {
		if chunkMarker.MatchString(l) {
			return strconv.Itoa(line + i)
		}
	}
	return strconv.Itoa(line)
}

func runChunk(t *testing.T, text string, want map[int]*regexp.Regexp) {
	v, err := evaluate(script(t, text), testConfig())
	if err == nil {
		t.Fatalf("no error, main() = %v:\n%s", v, text)
	}
	ds := diagnostics(t, err)
	if len(ds) != len(want) {
		t.Errorf("%d diagnostics, want %d", len(ds), len(want))
	}
	for _, d := range ds {
		re := want[d.Line]
		if re == nil || filepath.Base(d.File) != "main.star" || !re.MatchString(d.Msg) {
			t.Errorf("got\n%v\nwant line and message as marked: %v", d, want)
		}
		if d.Col < 1 || d.Width < 1 {
			t.Errorf("column %d, width %d: %v", d.Col, d.Width, d)
		}
	}
	if os.Getenv("LANG_SHOW") != "" {
		t.Log("\n" + err.Error())
	}
}

// TestEveryHabitHasAChunk: a detector that no chunk of syntax.star reaches may
// as well be wrong.
func TestEveryHabitHasAChunk(t *testing.T) {
	data, err := os.ReadFile("testdata/syntax.star")
	if err != nil {
		t.Fatal(err)
	}
	reached := map[string]bool{}
	for chunk := range strings.SplitSeq(string(data), "---\n") {
		text, _ := unmark(chunk)
		s := newSource("main.star", "main.star", []byte(text))
		_, err := s.parse()
		e, ok := errors.AsType[syntax.Error](err)
		if !ok {
			continue // resolved only: names.star is the place for it
		}
		v := s.view(e)
		for _, h := range habits {
			if _, answer := h.detect(v); answer != "" {
				reached[h.name] = true
				break
			}
		}
	}
	for _, h := range habits {
		if !reached[h.name] {
			t.Errorf("no chunk for the habit %q", h.name)
		}
	}
}
