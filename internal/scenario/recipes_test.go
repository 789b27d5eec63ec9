package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/stdlib"
)

// TestRecipes reads what the recipes of the library need.
func TestRecipes(t *testing.T) {
	list, err := Recipes(t.Context(), options())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range list {
		names = append(names, r.Name)
		if r.Requires.Driver == "" {
			t.Errorf("%s has no driver", r.Name)
		}
		if r.Name == "consul" && (!slices.Equal(r.Requires.Programs, []string{"consul"}) || !strings.Contains(r.Requires.Debian, "apt-get install consul")) {
			t.Errorf("consul needs %+v", r.Requires)
		}
	}
	if !slices.Equal(names, stdlib.Recipes()) {
		t.Errorf("recipes %v, want %v", names, stdlib.Recipes())
	}
}
