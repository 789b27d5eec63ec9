// Package stdlib holds the Starlark files that a scenario can load as
// @std//NAME.star: a recipe for each store, and loads that many scenarios
// share.
package stdlib

import (
	"embed"
	"io/fs"
	"slices"
)

//go:embed *.star
var files embed.FS

// Files gives the library; @std//NAME.star is NAME.star in it.
func Files() fs.FS { return files }

// Recipes names the stores that can be set up, in alphabetical order. The
// recipe NAME is the function NAME in NAME.star.
func Recipes() []string {
	return slices.Clone([]string{"bbolt", "etcd", "etcdv2", "leveldb", "mem", "pebble"})
}
