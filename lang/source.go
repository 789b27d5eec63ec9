package lang

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// maxSource is the largest script read, in bytes.
const maxSource = 1 << 20

// Source is a file that the script was made of.
type Source struct {
	Name string // as given to load, relative to the entry file's folder; the entry's base name
	Hash string // SHA-256 of the file, hex
	Text string
}

// source is a script's text, and what finds places in it.
type source struct {
	Source
	shown string // name in positions
	std   bool   // of the library: users are not sent here
	text  string // Text with each line ended by \n and without a byte order mark
	lines []string
	tree  *syntax.File // as written; made when first asked for
}

func newSource(name, shown string, data []byte) *source {
	sum := sha256.Sum256(data)
	text := strings.TrimPrefix(string(data), "\ufeff")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	return &source{
		Source: Source{Name: name, Hash: hex.EncodeToString(sum[:]), Text: string(data)},
		shown:  shown,
		std:    strings.HasPrefix(shown, stdPrefix),
		text:   text,
		lines:  strings.Split(text, "\n"),
	}
}

// readAll reads a script, which may be a pipe, but no folder and nothing huge.
func readAll(f fs.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errors.New("this is a folder, not a script")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSource {
		return nil, fmt.Errorf("the file is larger than %d KiB: not a script", maxSource>>10)
	}
	return data, nil
}

// line gives the text of a line, empty outside the file.
func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// at makes a diagnostic at a place, forced into the file.
func (s *source) at(sp span, msg string) Diagnostic {
	sp.line = min(max(sp.line, 1), len(s.lines))
	text := s.line(sp.line)
	sp.col = min(max(sp.col, 1), utf8.RuneCountInString(text)+1)
	rest := utf8.RuneCountInString(text) - sp.col + 1
	return Diagnostic{
		File: s.shown, Line: sp.line, Col: sp.col, Width: max(1, min(sp.width, rest)),
		Msg: msg, SourceLine: text,
	}
}

// whole makes a diagnostic of the file as a whole.
func (s *source) whole(msg string) Diagnostic { return Diagnostic{File: s.shown, Msg: msg} }

// checkText refuses what the scanner would take for the end of the file or
// would quietly replace.
func (s *source) checkText() *Diagnostic {
	for i, line := range s.lines {
		if !strings.Contains(line, "\x00") && utf8.ValidString(line) {
			continue
		}
		runes := []rune(line) // each invalid byte becomes a RuneError
		at, msg := slices.Index(runes, 0), "a NUL byte: this is not a text file"
		if at < 0 {
			at, msg = slices.Index(runes, utf8.RuneError), "invalid UTF-8: save the file as UTF-8 text"
		}
		d := s.at(span{i + 1, at + 1, 1}, msg)
		d.SourceLine = strings.ReplaceAll(string(runes), "\x00", string(utf8.RuneError))
		return &d
	}
	return nil
}

// parse reads the text into a new syntax tree.
func (s *source) parse() (*syntax.File, error) {
	return dialect().Parse(s.shown, bytes.NewReader([]byte(s.text)), 0)
}

// syntaxTree is the tree as written, apart from the one that is evaluated; nil
// where the text can't be parsed.
func (s *source) syntaxTree() *syntax.File {
	if s.tree == nil {
		s.tree, _ = s.parse()
	}
	return s.tree
}
