package lang

import (
	"context"

	"go.starlark.net/starlark"
)

// LoadStd reads and evaluates one file of the library, NAME.star in Config.Std,
// and gives what it defines, frozen. The limits and the error are those of Load.
func LoadStd(ctx context.Context, name string, cfg Config) (starlark.StringDict, error) {
	h := newHost(".", ".", cfg.withDefaults())
	entry := newSource(name, name, nil)
	h.add("", entry)
	var globals starlark.StringDict
	err := h.run(ctx, place{entry, span{1, 1, 1}}, func(t *starlark.Thread) error {
		var err error
		globals, err = h.load(t, stdPrefix+name)
		return err
	})
	if err != nil {
		return nil, h.explain(err, entry)
	}
	return globals, nil
}
