package scenario

import (
	"context"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/lang"
)

// ParamInfo describes a parameter of main. Values are printed as Starlark.
type ParamInfo struct {
	Name    string `json:"name"`
	Type    string `json:"type"`    // of the default; empty: there is none
	Default string `json:"default"` // empty: there is none
	Doc     string `json:"doc"`
	Small   string `json:"small,omitempty"` // value of a small run; empty: the default
}

// Params reads the parameters and the docstring of a scenario without calling
// its main.
func Params(ctx context.Context, path string, o Options) (params []ParamInfo, doc string, err error) {
	f, err := load(ctx, path, o)
	if err != nil {
		return nil, "", err
	}
	if err := hasMain(f); err != nil {
		return nil, "", err
	}
	for _, p := range f.Params {
		info := ParamInfo{Name: p.Name, Doc: p.Doc, Small: smallValue(f, p.Name)}
		if p.Default != nil {
			info.Type, info.Default = p.Default.Type(), p.Default.String()
		}
		params = append(params, info)
	}
	return params, f.Doc, nil
}

// smallValue prints what the global small gives a parameter.
func smallValue(f *lang.File, name string) string {
	small, ok := f.Globals["small"].(*starlark.Dict)
	if !ok {
		return ""
	}
	if v, found, _ := small.Get(starlark.String(name)); found {
		return v.String()
	}
	return ""
}
