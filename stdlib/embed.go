// Package stdlib holds the Starlark files that a scenario can load as
// @std//NAME.star: a recipe for each store, and loads that many scenarios
// share.
package stdlib

import (
	"bytes"
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.star
var files embed.FS

// Files gives the library; @std//NAME.star is NAME.star in it.
func Files() fs.FS { return files }

// Recipes names the stores that can be set up, in alphabetical order: a file
// NAME.star with a function NAME is the recipe of NAME.
func Recipes() []string {
	paths, _ := fs.Glob(files, "*.star") // the pattern is sound
	var names []string
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".star")
		text, _ := files.ReadFile(path) // it is part of the binary
		if bytes.Contains(text, []byte("\ndef "+name+"(")) {
			names = append(names, name)
		}
	}
	return names
}
