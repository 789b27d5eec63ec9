package host

import (
	"io"
	"os"
	"strings"
)

const (
	tailBytes = 64 << 10 // of the file's end that Tail looks at
	tailLine  = 1 << 10  // bytes that it gives of a line
)

// Tail reads the last n lines of a text file, as far as they lie in its last
// 64 KiB. Lines longer than 1 KiB are cut.
func (Local) Tail(path string, n int) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-tailBytes)
	text, err := io.ReadAll(io.NewSectionReader(f, from, tailBytes))
	if err != nil {
		return nil, err
	}
	return lastLines(string(text), n, from > 0), nil
}

// lastLines splits text and keeps the last n lines; the first line is dropped
// where it is but the rest of one.
func lastLines(text string, n int, partial bool) []string {
	text = strings.TrimRight(text, "\r\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	if partial && len(lines) > 1 {
		lines = lines[1:]
	}
	lines = lines[max(0, len(lines)-n):]
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		if len(line) > tailLine {
			line = line[:tailLine] + "…"
		}
		lines[i] = strings.ToValidUTF8(line, "�")
	}
	return lines
}
