package bench

import (
	"context"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/mem"
	"github.com/kvscen/kvscen/engine/load"
	"github.com/kvscen/kvscen/internal/dist"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

func BenchmarkEngineGet(b *testing.B) { engineRun(b, "get", 1) }
func BenchmarkEnginePut(b *testing.B) { engineRun(b, "put", 1) }

func engineRun(b *testing.B, kind string, clients int) {
	d := mem.New()
	at, stop, err := d.Open(b.Context(), "", map[string]any{"keep": false})
	if err != nil {
		b.Fatal(err)
	}
	defer stop()
	op := plan.Op{Kind: kind, Weight: 1, Draw: plan.Draw{Order: "one"}}
	if kind == "put" {
		op.Draw.Order = "sequential"
		op.Value = &plan.Value{Size: plan.Size{Kind: "fixed", A: 1024}}
	} else {
		op.Consistency = "linearizable"
	}
	n := uint64(b.N)
	p := &plan.Phase{Name: "p", Ops: []plan.Op{op}, Requests: n, MaxErrors: -1, Timeout: 5 * time.Second,
		Steps: []plan.Step{{Clients: clients, Connections: clients, Requests: n}}}
	phase, err := load.NewPhase(load.Config{Phase: p, Names: []string{kind}, Seed: 1,
		Keys: load.NewKeyStates([]plan.Keys{{Count: 1000000, Size: 256, Encoding: "decimal"}}),
		Dial: func(ctx context.Context, _, _ int) (drivers.Conn, error) {
			return d.Dial(ctx, drivers.Target{Endpoint: at})
		}})
	if err != nil {
		b.Fatal(err)
	}
	step, err := phase.Prepare(b.Context(), 0)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := step.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkBareGet(b *testing.B) {
	keys, _ := dist.NewKeys("", "", 256, "decimal", 1000000, 1)
	h := result.NewHDR()
	start := time.Now()
	b.ResetTimer()
	for range b.N {
		k := keys.At(0)
		_ = k
		t0 := time.Since(start)
		t1 := time.Since(start)
		_ = h.RecordValue(int64(t1 - t0))
	}
}
