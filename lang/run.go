package lang

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"time"

	"go.starlark.net/starlark"
)

const (
	watchTick = 10 * time.Millisecond  // how often the heap is looked at
	grace     = 500 * time.Millisecond // from the cancellation until an evaluation is given up
)

// run evaluates something on a thread of its own and watches over it: ctx, the
// clock and the heap can end it. It returns when the evaluation has ended, or
// has not ended although it was told to. from is the place to name where no
// better one is known.
func (h *host) run(ctx context.Context, from place, eval func(*starlark.Thread) error) error {
	if h.lost {
		return &Diagnostics{from.diagnostic("an earlier evaluation of this script never ended")}
	}
	t := h.thread()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- &Diagnostics{from.diagnostic(fmt.Sprintf("internal error: %v", p))}
			}
		}()
		done <- eval(t)
	}()
	reason, err, ended := h.watch(ctx, done)
	if ended {
		return err
	}
	t.Cancel(reason)
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		h.lost = true
		return &Diagnostics{from.diagnostic(reason + ", in a single operation that can't be interrupted")}
	}
}

// place is a span of a file.
type place struct {
	src *source
	span
}

func (p place) diagnostic(msg string) Diagnostic { return p.src.at(p.span, msg) }

// definition is where a function is defined; the top of the entry file where
// that is not known.
func (h *host) definition(fn starlark.Callable) place {
	if f, ok := fn.(*starlark.Function); ok {
		pos := f.Position()
		if s := h.byShown[pos.Filename()]; s != nil {
			return place{s, operatorSpan(s, int(pos.Line), int(pos.Col))}
		}
	}
	return place{h.order[0], span{1, 1, 1}}
}

// watch waits for the end of an evaluation, or for a reason to end it.
func (h *host) watch(ctx context.Context, done <-chan error) (reason string, err error, ended bool) {
	deadline := time.NewTimer(h.cfg.Timeout)
	defer deadline.Stop()
	tick := time.NewTicker(watchTick)
	defer tick.Stop()
	start := heap()
	for {
		select {
		case err := <-done:
			return "", err, true
		case <-ctx.Done():
			return fmt.Sprintf("the script was ended: %v", context.Cause(ctx)), nil, false
		case <-deadline.C:
			return fmt.Sprintf("the script was ended after %v: it runs too long", h.cfg.Timeout), nil, false
		case <-tick.C:
			if now := heap(); now > start && now-start > h.cfg.MaxMemory {
				return fmt.Sprintf("the script was ended: its values take more than %d MiB", h.cfg.MaxMemory>>20), nil, false
			}
		}
	}
}

// heap is the memory taken by values, in bytes, garbage not yet collected included.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

func stepsReason(steps uint64) string {
	return fmt.Sprintf("the script was ended after %d steps: a loop runs too long", steps)
}

// explain turns any error of an evaluation into diagnostics.
func (h *host) explain(err error, entry *source) *Diagnostics {
	if ee, ok := errors.AsType[*starlark.EvalError](err); ok {
		return h.evalError(ee, entry)
	}
	if ds, ok := errors.AsType[*Diagnostics](err); ok {
		return ds
	}
	return &Diagnostics{entry.whole(err.Error())}
}
