package scenario

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/lang"
	"github.com/kvscen/kvscen/stdlib"
)

// load reads and evaluates a file with the vocabulary around it.
func load(ctx context.Context, path string, o Options) (*lang.File, error) {
	return lang.Load(ctx, path, config(o))
}

func config(o Options) lang.Config {
	return lang.Config{
		Predeclared: builtins.Vocabulary(o.Specs, builtins.Stores(stdlib.Recipes(), recipe)),
		Written:     map[string]string{"duration": "5 * second"},
		Std:         library(o),
		Root:        o.Root,
		Print:       printer(o),
	}
}

// recipe is the function that sets up a store: NAME in @std//NAME.star.
func recipe(thread *starlark.Thread, name string) (starlark.Value, error) {
	file := "@std//" + name + ".star"
	globals, err := thread.Load(thread, file)
	if err != nil {
		return nil, err
	}
	fn, ok := globals[name]
	if !ok {
		return nil, fmt.Errorf("%s defines no %s", file, name)
	}
	return fn, nil
}

func library(o Options) fs.FS {
	if o.Std == nil {
		return stdlib.Files()
	}
	return o.Std
}

func printer(o Options) io.Writer {
	if o.Print == nil {
		return os.Stderr
	}
	return o.Print
}

// hasMain refuses a file that is no scenario.
func hasMain(f *lang.File) error {
	if f.Main() != nil {
		return nil
	}
	msg := "this file is no scenario: it defines no function main"
	if v, ok := f.Globals["main"]; ok {
		msg = fmt.Sprintf("main must be a function that returns a scenario(...), not a %s", v.Type())
	}
	return &lang.Diagnostics{f.LocateGlobal("main", msg)}
}
