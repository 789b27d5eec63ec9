package builtins

import (
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Phase is a load as the scenario describes it. Its steps are worked out when
// the plan is built.
type Phase struct {
	object
	ops         []*Op
	weights     []float64
	clients     []int64 // by step
	clientsEach extent
	rates       []plan.Rate // by step; empty: closed loop
	rateEach    extent
	connections int64 // 0: one for each client
	plan        plan.Phase
}

func phaseBuiltin() builtin {
	return builtin{
		signature: `phase(name, ops, clients=1, connections=None, rate=None, requests=None, duration=None, warmup=0, timeout=5*second, max_errors=None, role="measure", background=False, fresh=False, samples=False)`,
		doc:       "A load: operations (one, or a mix) sent by clients over connections (a total over the cluster), as fast as they are answered or at a rate, until requests or duration are through. With samples each request is kept (up to 1,000,000 of them; in phases of at most 10,000 in any case), for result.samples of a check and as CSV.",
		make:      makePhase,
		defers:    true,
	}
}

var roles = [...]string{plan.Measure, plan.Load}

func makePhase(c *call) (starlark.Value, error) {
	p := &Phase{plan: plan.Phase{
		Name:       c.str("name", ""),
		Requests:   c.count("requests"),
		Timeout:    c.duration("timeout", 5*time.Second),
		MaxErrors:  -1,
		Role:       c.str("role", plan.Measure),
		Background: c.boolean("background", false),
		Fresh:      c.boolean("fresh", false),
		Samples:    c.boolean("samples", false),
		Pos:        c.site.pos,
	}}
	c.oneOf("role", p.plan.Role, roles[:])
	if c.arg("duration") != nil {
		p.plan.Duration = c.duration("duration", 0)
		if p.plan.Duration <= 0 {
			c.fail("duration", "must be above zero, got %v", p.plan.Duration)
		}
	}
	if c.arg("max_errors") != nil {
		p.plan.MaxErrors = c.number("max_errors", -1)
		if p.plan.MaxErrors < 0 {
			c.fail("max_errors", "must not be negative, got %v", p.plan.MaxErrors)
		}
	}
	warmup := c.extent("warmup")
	p.plan.Warmup = plan.Warmup{Requests: warmup.requests, Duration: warmup.duration}
	p.readOps(c)
	p.readClients(c)
	p.readRate(c)
	p.object = c.object()
	return p, nil
}

func (p *Phase) readOps(c *call) {
	switch ops := c.arg("ops").(type) {
	case *Op:
		p.ops, p.weights = []*Op{ops}, []float64{1}
	case *Mix:
		p.ops, p.weights = ops.ops, ops.weights
	case *starlark.List, starlark.Tuple:
		c.fail("ops", "want one operation, or mix([(weight, operation), ...]), got a list")
	default:
		c.fail("ops", "want an operation or a mix, got %s", describeArg(ops))
	}
}

func (p *Phase) readClients(c *call) {
	if c.arg("connections") != nil {
		p.connections = int64(c.count("connections"))
	}
	switch clients := c.arg("clients").(type) {
	case nil:
		c.set("clients", starlark.MakeInt(1))
		p.clients = []int64{1}
	case *Steps:
		p.clientsEach = clients.each
		for i, level := range clients.levels {
			n, err := wholeNumber(level)
			if err != nil {
				c.fail("clients", "step %d: %v", i+1, err)
			}
			p.clients = append(p.clients, n)
		}
	case *starlark.List, starlark.Tuple:
		c.fail("clients", "a list of clients is steps([...])")
	default:
		p.clients = []int64{c.integer("clients", 1)}
	}
}

func (p *Phase) readRate(c *call) {
	switch rate := c.arg("rate").(type) {
	case nil:
	case *Steps:
		p.rateEach = rate.each
		for i, level := range rate.levels {
			r, err := toRate(level)
			if err != nil {
				c.fail("rate", "step %d: %v", i+1, err)
			}
			p.rates = append(p.rates, r)
		}
	case *starlark.List, starlark.Tuple:
		c.fail("rate", "a list of rates is steps([...])")
	default:
		r, err := toRate(rate)
		if err != nil {
			c.fail("rate", "%v", err)
		}
		p.rates = []plan.Rate{r}
	}
}

func toRate(v starlark.Value) (plan.Rate, error) {
	if r, ok := v.(*Ramp); ok {
		return r.rate, nil
	}
	f, err := realNumber(v)
	if err == nil && f <= 0 {
		err = fmt.Errorf("must be above zero, got %v; without a rate the loop is closed", f)
	}
	return plan.Rate{From: f, To: f}, err
}

// Attr reads a field.
func (p *Phase) Attr(name string) (starlark.Value, error) { return p.attr(p, name) }
