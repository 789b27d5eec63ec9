package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Draw is an order in which keys are taken from a set.
type Draw struct {
	object
	keys *Keys
	plan plan.Draw // without Keys, which Build numbers
}

// draws are the methods of keys.
func draws() []builtin {
	return []builtin{
		{signature: "sequential()", doc: "One key after the other, over steps and phases, from the start again after the last.", make: makeSequential, defers: true},
		{signature: "uniform()", doc: "Each key equally likely.", make: makeUniform, defers: true},
		{signature: "zipfian(constant=0.99, scrambled=True)", doc: "Few keys often, most rarely; scrambled scatters the hot ones.", make: makeZipfian, defers: true},
		{signature: "latest(constant=0.99)", doc: "Zipfian, the key written last being the likeliest.", make: makeLatest, defers: true},
		{signature: "hotspot(keys=0.2, ops=0.8)", doc: "The share ops of the requests go to the share keys of the keys.", make: makeHotspot, defers: true},
		{signature: "one()", doc: "The first key, always.", make: makeOne, defers: true},
	}
}

func makeSequential(c *call) (starlark.Value, error) { return c.draw(plan.OrderSequential) }
func makeUniform(c *call) (starlark.Value, error)    { return c.draw(plan.OrderUniform) }
func makeOne(c *call) (starlark.Value, error)        { return c.draw(plan.OrderOne) }

func makeZipfian(c *call) (starlark.Value, error) {
	d, err := c.draw(plan.OrderZipfian)
	d.plan.Constant = c.zipfConstant()
	d.plan.Scrambled = c.boolean("scrambled", true)
	return d, err
}

func makeLatest(c *call) (starlark.Value, error) {
	d, err := c.draw(plan.OrderLatest)
	d.plan.Constant = c.zipfConstant()
	return d, err
}

func makeHotspot(c *call) (starlark.Value, error) {
	d, err := c.draw(plan.OrderHotspot)
	d.plan.HotKeys = c.share("keys", 0.2)
	d.plan.HotOps = c.share("ops", 0.8)
	return d, err
}

func (c *call) draw(order string) (*Draw, error) {
	return &Draw{object: c.object(), keys: c.recv.(*Keys), plan: plan.Draw{Order: order}}, nil
}

func (c *call) zipfConstant() float64 {
	f := c.number("constant", 0.99)
	if f <= 0 || f > 10 {
		c.fail("constant", "must lie above 0, at most at 10, got %v", f)
	}
	return f
}

func (c *call) share(name string, def float64) float64 {
	f := c.number(name, def)
	if f < 0 || f > 1 {
		c.fail(name, "is a share and must lie between 0 and 1, got %v", f)
	}
	return f
}

// Attr reads a field.
func (d *Draw) Attr(name string) (starlark.Value, error) { return d.attr(d, name) }
