package lang

import (
	"io"
	"io/fs"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Limits of an evaluation where Config gives none.
const (
	DefaultMaxSteps  = 50_000_000
	DefaultTimeout   = 10 * time.Second
	DefaultMaxMemory = 512 << 20 // bytes
)

// Config is what a script finds around it. The zero Config is usable.
type Config struct {
	Predeclared starlark.StringDict // names that need no load
	Written     map[string]string   // how a value of a type is written, for hints: "duration": "5 * second"
	Std         fs.FS               // @std//NAME.star is NAME.star in it; nil: there is none
	Root        string              // files outside of it can't be loaded; empty: the entry file's folder
	Print       io.Writer           // where print goes; nil: nowhere
	MaxSteps    uint64              // of each evaluation; 0: DefaultMaxSteps
	Timeout     time.Duration       // of each evaluation; 0: DefaultTimeout
	MaxMemory   uint64              // bytes that the heap may grow in an evaluation; 0: DefaultMaxMemory
}

// withDefaults fills in the limits that are not given.
func (c Config) withDefaults() Config {
	if c.MaxSteps == 0 {
		c.MaxSteps = DefaultMaxSteps
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxMemory == 0 {
		c.MaxMemory = DefaultMaxMemory
	}
	if c.Print == nil {
		c.Print = io.Discard
	}
	return c
}

// dialect is the one set of options that every file is read with.
func dialect() *syntax.FileOptions { return &syntax.FileOptions{Set: true} }
