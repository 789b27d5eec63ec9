package plan

import (
	"math"
)

// groups checks the phases of a run, alone and beside each other.
func (c *checker) groups(run *Run) {
	names := map[string]bool{}
	for i := range run.Groups {
		g := &run.Groups[i]
		for j := range g.Phases {
			p := &g.Phases[j]
			if names[p.Name] {
				c.add(p.Pos, "name", "phase: there is another phase called %q", p.Name)
			}
			names[p.Name] = true
			c.phase(p)
			if p.Fresh && len(run.Cluster.Endpoints) > 0 {
				c.add(p.Pos, "fresh", "phase %s: a cluster that runs already (%s) can't be made fresh", p.Name, run.Cluster.Label)
			}
		}
		c.parallel(g)
	}
	c.checksums(run)
}

// parallel checks phases that run at the same time.
func (c *checker) parallel(g *Group) {
	foreground, fresh := 0, 0
	for i := range g.Phases {
		if !g.Phases[i].Background {
			foreground++
		}
		if g.Phases[i].Fresh {
			fresh++
		}
	}
	if len(g.Phases) == 0 {
		return
	}
	first := &g.Phases[0]
	if foreground == 0 {
		c.add(first.Pos, "background", "phase %s: a background phase ends with the phases beside it, and there is none that is not background", first.Name)
	}
	if fresh > 0 && fresh < len(g.Phases) {
		c.add(first.Pos, "fresh", "parallel: phases beside each other use the same cluster: all of them are fresh, or none")
	}
	c.sharedKeys(g)
}

// sharedKeys refuses phases beside each other that go through the same keys in
// sequence where the first has no known end: which key the second would start
// from depends on time, and the plan would not make the same requests twice.
func (c *checker) sharedKeys(g *Group) {
	for i := range g.Phases {
		for j := range i {
			a, b := &g.Phases[j], &g.Phases[i]
			if a.Requests == 0 && shareSequence(a, b) {
				c.add(b.Pos, "ops", "phase %s goes through the same keys in sequence as phase %s beside it, which has no requests=: give each keys of its own", b.Name, a.Name)
			}
		}
	}
}

func shareSequence(a, b *Phase) bool {
	used := sequences(a.Ops, map[int]bool{})
	for k := range sequences(b.Ops, map[int]bool{}) {
		if used[k] {
			return true
		}
	}
	return false
}

// sequences are the keys that operations go through in sequence.
func sequences(ops []Op, into map[int]bool) map[int]bool {
	for i := range ops {
		if len(ops[i].Ops) > 0 {
			sequences(ops[i].Ops, into)
		} else if ops[i].Draw.Order == OrderSequential {
			into[ops[i].Draw.Keys] = true
		}
	}
	return into
}

func (c *checker) phase(p *Phase) {
	c.name(p.Pos, "name", "phase", p.Name)
	if p.Timeout <= 0 {
		c.add(p.Pos, "timeout", "phase %s: timeout must be above zero, got %v", p.Name, p.Timeout)
	}
	if p.Role != Measure && p.Role != Load {
		c.add(p.Pos, "role", "phase %s: role must be %q or %q, got %q", p.Name, Measure, Load, p.Role)
	}
	if m := p.MaxErrors; math.IsNaN(m) || m >= 1 && m != math.Trunc(m) {
		c.add(p.Pos, "max_errors", "phase %s: max_errors must be a share below 1, or a whole number from 1 on, got %v", p.Name, m)
	}
	if p.tooFew() {
		c.add(p.Pos, "requests", "phase %s: %d requests can't be shared out over %d steps", p.Name, p.Requests, len(p.Steps))
	}
	if len(p.Ops) == 0 {
		c.add(p.Pos, "ops", "phase %s: there is no operation", p.Name)
	}
	if len(p.Steps) == 0 {
		c.add(p.Pos, "clients", "phase %s: there is no step", p.Name)
	}
	total := 0.0
	for i := range p.Ops {
		c.op(&p.Ops[i])
		total += p.Ops[i].Weight
		if !(p.Ops[i].Weight > 0) {
			c.add(p.Pos, "ops", "phase %s: weights must be above zero, got %v", p.Name, p.Ops[i].Weight)
		}
	}
	if len(p.Ops) > 0 && math.Abs(total-1) > 1e-6 {
		c.add(p.Pos, "ops", "phase %s: the weights add up to %v", p.Name, total)
	}
	for i := range p.Steps {
		c.step(p, i)
	}
	c.warmup(p)
	c.samples(p)
}

// samples checks that there is an end to the requests that are to be kept.
func (c *checker) samples(p *Phase) {
	switch {
	case !p.Samples:
	case p.Duration > 0 || p.Requests == 0:
		c.add(p.Pos, "samples", "phase %s: samples keeps each request, so that their number must be known: give it requests= and no duration=", p.Name)
	case p.Requests > MostSamples:
		c.add(p.Pos, "samples", "phase %s: %d requests are more than the %d of which each can be kept", p.Name, p.Requests, MostSamples)
	}
}

func (c *checker) step(p *Phase, i int) {
	s := &p.Steps[i]
	switch {
	case s.Clients < 1:
		c.add(p.Pos, "clients", "phase %s: clients must be at least 1, got %d", p.Name, s.Clients)
	case s.Clients > maxClients:
		c.add(p.Pos, "clients", "phase %s: clients must be at most %d, got %d", p.Name, maxClients, s.Clients)
	case s.Connections < 1:
		c.add(p.Pos, "connections", "phase %s: connections must be at least 1, got %d", p.Name, s.Connections)
	case s.Connections > s.Clients:
		c.add(p.Pos, "connections", "phase %s: %d connections are more than %d clients could use", p.Name, s.Connections, s.Clients)
	}
	if !s.Rate.Closed() {
		c.rate(p, s.Rate)
	} else if s.Rate == (Rate{}) && p.rated() {
		c.add(p.Pos, "rate", "phase %s: rates must be above zero", p.Name)
	}
	if s.Requests == 0 && s.Duration <= 0 && !p.Background && !p.tooFew() {
		c.add(p.Pos, "", "phase %s has no end: give it requests= or duration=", p.Name)
	}
	if s.Duration < 0 || p.Duration < 0 {
		c.add(p.Pos, "duration", "phase %s: duration must be above zero, got %v", p.Name, s.Duration)
	}
}

// tooFew reports whether there are requests, but not one for each step.
func (p *Phase) tooFew() bool { return p.Requests > 0 && p.Requests < uint64(len(p.Steps)) }

// maxClients bounds the virtual clients of a step.
const maxClients = 10_000_000

// rated reports whether some step has a schedule.
func (p *Phase) rated() bool {
	for _, s := range p.Steps {
		if !s.Rate.Closed() {
			return true
		}
	}
	return false
}

func (c *checker) rate(p *Phase, r Rate) {
	finite := func(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) && f <= 1e9 }
	switch {
	case !finite(r.From) || !finite(r.To):
		c.add(p.Pos, "rate", "phase %s: rate must be at most 1e9 requests a second, got %v", p.Name, max(r.From, r.To))
	case r.From < 0 || r.To <= 0 || r.From == 0 && r.Over <= 0:
		c.add(p.Pos, "rate", "phase %s: rate must be above zero, got %v", p.Name, min(r.From, r.To))
	case r.Over < 0:
		c.add(p.Pos, "rate", "phase %s: the time of a ramp must be above zero, got %v", p.Name, r.Over)
	}
}

func (c *checker) warmup(p *Phase) {
	if p.Warmup.Duration < 0 {
		c.add(p.Pos, "warmup", "phase %s: warmup must not be negative, got %v", p.Name, p.Warmup.Duration)
	}
	if len(p.Steps) == 0 {
		return
	}
	first := p.Steps[0]
	if n := p.Warmup.Requests; n > 0 && first.Requests > 0 && n >= first.Requests {
		c.add(p.Pos, "warmup", "phase %s: a warm-up of %d requests leaves nothing of the first step's %d to measure", p.Name, n, first.Requests)
	}
	if d := p.Warmup.Duration; d > 0 && first.Duration > 0 && d >= first.Duration {
		c.add(p.Pos, "warmup", "phase %s: a warm-up of %v leaves nothing of the first step's %v to measure", p.Name, d, first.Duration)
	}
}

func (c *checker) op(o *Op) {
	if len(o.Ops) > 0 {
		for i := range o.Ops {
			c.op(&o.Ops[i])
		}
		return
	}
	c.draw(o)
	c.value(o)
	if o.Limit < 0 {
		c.add(o.Pos, "limit", "%s: limit must not be negative, got %d", o.Kind, o.Limit)
	}
	if o.TTL < 0 {
		c.add(o.Pos, "ttl", "%s: ttl must not be negative, got %v", o.Kind, o.TTL)
	}
}
