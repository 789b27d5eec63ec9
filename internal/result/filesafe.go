package result

import "strings"

// longestName is how many bytes of a name a file's keeps.
const longestName = 150

// FileSafe makes a name one that a file can have in any folder: what is not a
// letter of ASCII, a digit, a dot, a dash or an underscore becomes an underscore,
// and so does a dot at the start. Names of scenarios stay as they are; those of a
// foreign result may be anything.
func FileSafe(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, name)
	if safe == "" || safe[0] == '.' {
		safe = "_" + strings.TrimPrefix(safe, ".")
	}
	return safe[:min(len(safe), longestName)]
}
