package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// Run carries a plan out: each cluster in turn is set up, loaded phase by phase,
// sampled and stopped. One that fails ends early, and the next one is run, unless
// cfg.FailFast. What was measured is written to cfg.Out, also when the
// run fails or ctx ends: then the phase under way ends, and the clusters are
// stopped. The result is nil only where the folder could not be written to
// before anything was started. An error means that the result is not whole on
// disk; how the run went is in its status and reason.
func Run(ctx context.Context, p *plan.Plan, cfg Config) (*result.Run, error) {
	out, err := openFolder(cfg.Out, p)
	if err != nil {
		return nil, err
	}
	c := &conductor{plan: p, cfg: cfg, out: out, notes: &notifier{to: cfg.Observer}, run: begin(p, cfg)}
	for _, t := range turns(p) {
		if ctx.Err() != nil {
			break
		}
		if why := c.skipping(); why != "" {
			c.skip(t, why)
			continue
		}
		c.take(ctx, t)
	}
	if ctx.Err() != nil {
		c.fail(result.StatusInterrupted, "interrupted")
	}
	c.run.End = time.Now()
	err = errors.Join(out.close(), result.Save(cfg.Out, c.run))
	c.notes.send(Event{Kind: KindDone, Text: cfg.Out})
	return c.run, err
}

// conductor holds what belongs to the whole run.
type conductor struct {
	plan  *plan.Plan
	cfg   Config
	out   *folder
	notes *notifier
	run   *result.Run
	// hopeless is true once the judge has ended the run.
	hopeless bool
}

// turn is one repetition on one cluster.
type turn struct{ cluster, repetition int }

// turns puts the repetitions in their order: A A B B, or interleaved A B B A.
func turns(p *plan.Plan) []turn {
	var list []turn
	for i := range len(p.Runs) * p.Repeat {
		if p.Order == plan.Interleaved {
			list = append(list, mirrored(i, len(p.Runs)))
		} else {
			list = append(list, turn{cluster: i / p.Repeat, repetition: i % p.Repeat})
		}
	}
	return list
}

// mirrored goes through the clusters forwards and backwards in turn. A B A B
// would let a machine that slows down steadily hit B more than A each time.
func mirrored(i, clusters int) turn {
	t := turn{cluster: i % clusters, repetition: i / clusters}
	if t.repetition%2 == 1 {
		t.cluster = clusters - 1 - t.cluster
	}
	return t
}

// begin is the result of a run of which nothing has been done yet.
func begin(p *plan.Plan, cfg Config) *result.Run {
	r := &result.Run{
		Schema:      result.Schema,
		Kvscen:      cfg.Version,
		Environment: sample.Environment(cfg.Data),
		Start:       time.Now(),
		Clients:     max(cfg.Shard.Count, 1),
		Dir:         cfg.Out,
		Scenario: result.Scenario{
			Name: p.Name, Title: p.Title, Hash: p.Hash(), Seed: p.Seed, Repeat: p.Repeat, Order: p.Order,
		},
	}
	for _, param := range p.Params {
		r.Scenario.Params = append(r.Scenario.Params, result.Param(param))
	}
	for _, s := range p.Sources {
		r.Scenario.Sources = append(r.Scenario.Sources, result.Source{Name: s.Name, Hash: s.Hash})
	}
	return r
}

// fail keeps the first cause that a run did not go well.
func (c *conductor) fail(status int, reason string) {
	if c.run.Status == result.StatusOK {
		c.run.Status, c.run.Reason = status, reason
	}
}

// failure is an error with the exit status that it leads to.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// failed makes a failure.
func failed(status int, format string, args ...any) error {
	return &failure{status, fmt.Errorf(format, args...)}
}

// take runs one repetition on one cluster and keeps what it yields.
func (c *conductor) take(ctx context.Context, t turn) {
	s := newSession(c, &c.plan.Runs[t.cluster], t.repetition)
	err := s.carryOut(ctx)
	switch f, ok := errors.AsType[*failure](err); {
	case err == nil:
	case ctx.Err() != nil:
		c.fail(result.StatusInterrupted, "interrupted")
	case ok:
		c.hopeless = c.hopeless || s.hopeless != ""
		c.fail(f.status, fmt.Sprintf("%s: %v", s.label(), err))
	default:
		c.fail(result.StatusInternal, fmt.Sprintf("%s: %v", s.label(), err))
	}
	if err != nil {
		s.result.Error = err.Error()
		first, _, _ := strings.Cut(err.Error(), "\n") // the lines of logs are in the result
		s.note(Event{Kind: KindWarning, Text: first})
	}
	c.run.Clusters = append(c.run.Clusters, s.finished())
}

// skipping is the reason why no further cluster is run; empty: they are.
func (c *conductor) skipping() string {
	switch {
	case c.hopeless:
		return "not run: what is expected of the run could not be met any more (--abort-on-expect)"
	case c.cfg.FailFast && c.run.Status != result.StatusOK:
		return "not run: another one had failed before (--fail-fast)"
	}
	return ""
}

// skip keeps that a repetition on a cluster was not run, and why.
func (c *conductor) skip(t turn, why string) {
	s := newSession(c, &c.plan.Runs[t.cluster], t.repetition)
	s.result.Error = why
	s.note(Event{Kind: KindWarning, Text: s.result.Error})
	c.run.Clusters = append(c.run.Clusters, s.finished())
}
