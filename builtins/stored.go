package builtins

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"go.starlark.net/starlark"
)

// ParseStored reads a value as a result keeps the parameters of main: printed as
// Starlark, with durations as 1m30s.
func ParseStored(text string) (starlark.Value, error) {
	var out strings.Builder
	for rest := text; rest != ""; {
		quote := strings.IndexByte(rest, '"')
		if quote < 0 {
			out.WriteString(withUnits(rest))
			break
		}
		end := quote + 1 + endOfText(rest[quote+1:])
		out.WriteString(withUnits(rest[:quote]) + rest[quote:end])
		rest = rest[end:]
	}
	return parseLiteral(out.String())
}

// endOfText is how far a quoted text goes, its closing quote taken in.
func endOfText(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

var printedDuration = regexp.MustCompile(`-?\b(?:[0-9]+(?:\.[0-9]+)?(?:h|ms|m|s|µs|ns))+`)

// withUnits writes durations as products, as a script does.
func withUnits(text string) string {
	return printedDuration.ReplaceAllStringFunc(text, func(word string) string {
		d, err := time.ParseDuration(word)
		if err != nil {
			return word
		}
		return fmt.Sprintf("%g * us", float64(d)/float64(time.Microsecond))
	})
}
