package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/report"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/scenario"
)

// sharded is the scenario of the shards.
const sharded = `
def main(label = ["a"]):
    return scenario(
        clusters = [stores["mem"](label = l) for l in label],
        phases = [phase("write", put(keys(1000).one(), value(64)), requests = 60000, clients = steps([1, 10, 100]))],
        expects = [expect("write", cluster = "s0", p50 = below(3, of = "s1"))] if "s0" in label and "s1" in label else [],
        compares = [compare("s0", "s1", phase = "write", metric = "p99")] if "s0" in label and "s1" in label else [],
    )
`

// BenchmarkMerge100 reads a hundred shards, ten clusters with ten repetitions
// each, puts them together, judges them and makes the table.
func BenchmarkMerge100(b *testing.B) {
	root := b.TempDir()
	for i := range 100 {
		writeShard(b, filepath.Join(root, fmt.Sprintf("shard-%03d", i)), fmt.Sprintf("s%d", i%10), i)
	}
	b.ResetTimer()
	for b.Loop() {
		runs, err := loadAll([]string{root})
		if err != nil {
			b.Fatal(err)
		}
		whole, err := mergeAll(b.Context(), runs)
		if err != nil {
			b.Fatal(err)
		}
		if len(whole.Labels()) != 10 || len(whole.Verdicts) != 2 || whole.Verdicts[1].Compared.Runs != [2]int{10, 10} {
			b.Fatalf("%d clusters, %+v", len(whole.Labels()), whole.Verdicts)
		}
		if err := report.Table(io.Discard, whole); err != nil {
			b.Fatal(err)
		}
	}
}

// writeShard writes the folder of a run of one cluster: three steps of a minute.
func writeShard(b *testing.B, dir, label string, number int) {
	b.Helper()
	source := filepath.Join(dir, result.SourceFolder, "sharded.star")
	if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(source, []byte(sharded), 0o644); err != nil {
		b.Fatal(err)
	}
	s, err := scenario.Open(b.Context(), source, scenario.Options{Specs: specs(), Set: []string{"label=" + label}})
	if err != nil {
		b.Fatal(err)
	}
	run := &result.Run{Schema: result.Schema, Kvscen: "bench", Start: time.Unix(int64(number)*1000, 0), End: time.Unix(int64(number)*1000+180, 0)}
	run.Scenario = result.Scenario{Name: s.Plan.Name, Hash: s.Plan.Hash(), Seed: 1, Repeat: 1, Order: s.Plan.Order}
	for _, p := range s.Plan.Params {
		run.Scenario.Params = append(run.Scenario.Params, result.Param(p))
	}
	for _, src := range s.Plan.Sources[:1] {
		run.Scenario.Sources = append(run.Scenario.Sources, result.Source{Name: src.Name, Hash: src.Hash})
	}
	phase := result.Phase{Name: "write", Role: "measure", Ops: []result.Op{{Name: "put", Weight: 1}}}
	for i := range 3 {
		phase.Steps = append(phase.Steps, shardStep(b, i, number))
	}
	run.Clusters = []result.Cluster{{Label: label, Driver: "mem", InProcess: true, Phases: []result.Phase{phase}}}
	if err := result.Save(dir, run); err != nil {
		b.Fatal(err)
	}
}

// shardStep is a step of a minute with a histogram as wide as real ones are.
func shardStep(b *testing.B, index, number int) result.Step {
	b.Helper()
	const n = 20_000
	hdr := result.NewHDR()
	h := &result.Hist{N: n, Min: int64(time.Millisecond)}
	for i := range n {
		v := int64(time.Millisecond) + int64(i*i)*int64(10+number%7)
		if err := hdr.RecordValue(v); err != nil {
			b.Fatal(err)
		}
		h.Sum, h.Max = h.Sum+uint64(v), max(h.Max, v)
	}
	if err := h.Encode(hdr); err != nil {
		b.Fatal(err)
	}
	from := time.Duration(index) * time.Minute
	series := result.Series{Op: "put", OK: n, Service: h, Seconds: result.Seconds{Start: from, Step: time.Second}}
	for range 60 {
		series.Seconds.Append(n/60, 0, hdr, h.Sum, h.Min, h.Max)
	}
	return result.Step{
		Clients: 1, Connections: 1, From: from, To: from + time.Minute, EndedBy: "requests",
		Counts: result.Counts{Asked: n, Due: n, Attempted: n, OK: n}, Series: []result.Series{series},
	}
}
