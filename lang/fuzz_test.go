package lang

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzDiagnostics feeds any text: nothing panics, every error is a diagnostic
// with a place inside the file.
func FuzzDiagnostics(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.star")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for chunk := range strings.SplitSeq(string(data), "---\n") {
			text, _ := unmark(chunk)
			f.Add(text)
		}
	}
	for _, text := range []string{"", "\xef\xbb\xbfx = 1", "\\", "((((", "x = '''\n\n", "\t\n  x\n\ty", "def f(:", "=", "load(", "x = 1\r\r\ny", "\x80\xe7\x000"} {
		f.Add(text)
	}
	cfg := testConfig()
	cfg.MaxSteps, cfg.Timeout = 20_000, 2*time.Second
	path := filepath.Join(f.TempDir(), "main.star")
	f.Fuzz(func(t *testing.T, text string) {
		write(t, path, text)
		file, err := Load(context.Background(), path, cfg)
		if err == nil {
			if main := file.Main(); main != nil {
				_, err = file.Call(context.Background(), main, nil, nil)
			}
		}
		if err == nil {
			return
		}
		var ds *Diagnostics
		if !errors.As(err, &ds) || len(*ds) == 0 {
			t.Fatalf("error of type %T: %v", err, err)
		}
		for _, d := range *ds {
			if strings.Contains(d.Msg, "internal error") {
				t.Errorf("internal error: %v", d)
			}
			if d.File != path {
				continue // of the library
			}
			if d.Line < 1 || d.Col < 1 || d.Width < 1 || d.Col > utf8.RuneCountInString(d.SourceLine)+1 || d.Msg == "" {
				t.Errorf("no place: %+v", d)
			}
		}
	})
}
