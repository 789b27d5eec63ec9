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
// 64 KiB; where a program crashed there with a stack trace, the lines from the
// one on that says why. Lines longer than 1 KiB are cut.
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
	lines = lines[min(max(0, len(lines)-n), crash(lines)):]
	lines = lines[:min(n, len(lines))]
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		if len(line) > tailLine {
			line = line[:tailLine] + "…"
		}
		lines[i] = strings.ToValidUTF8(line, "�")
	}
	return lines
}

// crash is the index of the line with which the first stack trace begins;
// len(lines) where there is none. etcd and consul are Go programs, zookeeper and
// cassandra run on Java.
func crash(lines []string) int {
	for i, line := range lines {
		for _, head := range []string{"panic: ", "fatal error: ", "Exception in thread "} {
			if strings.HasPrefix(line, head) {
				return i
			}
		}
	}
	return len(lines)
}
