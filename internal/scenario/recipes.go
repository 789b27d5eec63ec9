package scenario

import (
	"cmp"
	"context"
	"fmt"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/lang"
	"github.com/kvscen/kvscen/stdlib"
)

// Recipe is a recipe of the library and what it needs. Requires.Driver is given.
type Recipe struct {
	Name     string
	Requires plan.Requires
}

// needs is the global by which a recipe says what it needs. A test of the library
// sees that each does.
const needs = "needs"

// Recipes lists the recipes of the library in alphabetical order.
func Recipes(ctx context.Context, o Options) ([]Recipe, error) {
	var list []Recipe
	for _, name := range stdlib.Recipes() {
		globals, err := lang.LoadStd(ctx, name+".star", config(o))
		if err != nil {
			return nil, fmt.Errorf("loading the recipe of %s: %w", name, err)
		}
		r := Recipe{Name: name}
		if declared, ok := globals[needs].(*builtins.Requires); ok {
			r.Requires = declared.Plan()
		}
		r.Requires.Driver = cmp.Or(r.Requires.Driver, name)
		list = append(list, r)
	}
	return list, nil
}
