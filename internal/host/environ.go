package host

import (
	"maps"
	"os"
	"slices"
)

// environ is the environment of a program: the variables that say where this
// machine keeps things, then those of env. Nothing else gets through: stores
// take settings from their environment, and a run must not depend on what
// happens to be set in the shell that started it.
func environ(env map[string]string) []string {
	var vars []string
	for _, name := range passedVariables() {
		if v, ok := os.LookupEnv(name); ok {
			vars = append(vars, name+"="+v)
		}
	}
	// Of two settings of one name the later counts.
	for _, name := range slices.Sorted(maps.Keys(env)) {
		vars = append(vars, name+"="+env[name])
	}
	return vars
}

// passedVariables are those that say where a machine keeps things.
func passedVariables() []string {
	return []string{
		"HOME", "JAVA_HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER",
	}
}
