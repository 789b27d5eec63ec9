package builtins_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/builtins"
	"github.com/kvscen/kvscen/internal/plan"
)

const mainJob = `
def main():
    records = keys(1 * M, size = 256)
    return scenario(
        clusters = [stores["etcd"]()],
        phases = [phase(
            "write",
            ops = put(records.sequential(), value(1 * KiB)),
            requests = 1 * M,
            clients = steps([1, 10, 50, 100, 300, 500, 700, 1000]),
        )],
    )
`

func TestBuildMainJob(t *testing.T) {
	s, problems := build(t, mainJob)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	p := s.Plan.Runs[0].Groups[0].Phases[0]
	total := uint64(0)
	for _, step := range p.Steps {
		total += step.Requests
		if step.Connections != step.Clients {
			t.Errorf("%d clients have %d connections", step.Clients, step.Connections)
		}
	}
	if total != 1_000_000 || len(p.Steps) != 8 {
		t.Errorf("%d steps with %d requests, want 8 with 1,000,000", len(p.Steps), total)
	}
	if got := s.Plan.Runs[0].Cluster.Pos; got.File != "test.star" || got.Line != 5 {
		t.Errorf("the cluster is blamed on %v, want the user's own line", got)
	}
	if got, want := s.Plan.Estimate().String(), "3 members of etcd 3.7.3, 8 steps, 1,000,000 requests, about 9 min, 8 GB of disk"; got != want {
		t.Errorf("estimate\n got %s\nwant %s", got, want)
	}
	op := p.Ops[0]
	if op.Kind != "put" || op.RPCs != "1 put" || op.Weight != 1 || op.Value.Size.A != 1024 {
		t.Errorf("operation %+v", op)
	}
}

func TestEmbeddedMember(t *testing.T) {
	s, _ := build(t, mainJob)
	n := s.Plan.Runs[0].Cluster.Nodes[1]
	if n.Name != "m2" || n.Endpoint != "${kvscen:m2.ip}:${kvscen:m2.port.client}" {
		t.Errorf("node %s at %s", n.Name, n.Endpoint)
	}
	p := n.Processes[0]
	if want := []string{"${kvscen:self}", "serve", "etcd", "--", "--name", "m2"}; !slices.Equal(p.Argv[:6], want) {
		t.Errorf("argv %q, want to begin with %q", p.Argv, want)
	}
	if i := slices.Index(p.Argv, "--quota"); p.Argv[i+1] != "8589934592" {
		t.Errorf("quota %s", p.Argv[i+1])
	}
	if p.Ready == nil || p.Ready.URL != "http://${kvscen:m2.ip}:${kvscen:m2.port.client}/health" {
		t.Errorf("ready %+v", p.Ready)
	}
}

func TestGivenBinary(t *testing.T) {
	s, problems := build(t, `
def main():
    etcd = stores["etcd"](nodes = 1, binary = "etcd", label = "old", heartbeat = "50ms", fsync = False, flags = {"enable-v2": True})
    return scenario([etcd], [phase("p", get(keys(1).one()), requests = 1)])
`)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	argv := s.Plan.Runs[0].Cluster.Nodes[0].Processes[0].Argv
	if argv[0] != "${kvscen:find:etcd}" {
		t.Errorf("argv[0] = %s", argv[0])
	}
	if i := slices.Index(argv, "--heartbeat-interval"); i < 0 || argv[i+1] != "50" {
		t.Errorf("no heartbeat of 50 ms in %q", argv)
	}
	if !slices.Contains(argv, "--unsafe-no-fsync") || !slices.Contains(argv, "--enable-v2=True") {
		t.Errorf("flags are missing in %q", argv)
	}
}

func TestBuildResolves(t *testing.T) {
	s, problems := build(t, `
def main():
    shared = keys(per_cluster({"etcd": 10, "mem": 20}), size = 8)
    return scenario(
        clusters = [stores["etcd"](), stores["mem"](service = "2ms", error_rate = 1)],
        phases = [
            phase("w", put(shared.sequential(), value(per_cluster({"etcd": 5, "mem": 7}))), requests = 10,
                clients = per_cluster({"etcd": 4, "mem": steps([1, 2])})),
            phase("r", mix([(3, get(shared.zipfian(), consistency = "strong")), (1, get(shared.one()))]), duration = "2s",
                rate = steps([5, ramp(1, 9, over = second)]), clients = 3, connections = 2),
        ],
    )
`)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	etcd, mem := s.Plan.Runs[0].Groups, s.Plan.Runs[1].Groups
	if a, b := etcd[0].Phases[0].Ops[0].Draw.Keys, etcd[1].Phases[0].Ops[0].Draw.Keys; a != b {
		t.Errorf("the keys lost their identity: %d and %d", a, b)
	}
	if a, b := etcd[0].Phases[0].Ops[0].Draw.Keys, mem[0].Phases[0].Ops[0].Draw.Keys; s.Plan.Keys[a].Count != 10 || s.Plan.Keys[b].Count != 20 {
		t.Errorf("keys %+v", s.Plan.Keys)
	}
	if a, b := etcd[0].Phases[0].Steps, mem[0].Phases[0].Steps; a[0].Clients != 4 || len(b) != 2 || b[1].Requests != 5 {
		t.Errorf("steps %+v and %+v", a, b)
	}
	r := etcd[1].Phases[0]
	if r.Ops[0].Consistency != "linearizable" || r.Ops[0].Asked != "strong" || r.Ops[0].Weight != 0.75 {
		t.Errorf("operation %+v", r.Ops[0])
	}
	if r.Steps[0].Rate != (plan.Rate{From: 5, To: 5}) || r.Steps[1].Rate != (plan.Rate{From: 1, To: 9, Over: time.Second}) || r.Steps[1].Duration != time.Second || r.Steps[0].Connections != 2 {
		t.Errorf("steps %+v", r.Steps)
	}
	options := s.Plan.Runs[1].Cluster.Options
	if options["service"] != 2*time.Millisecond || options["error_rate"] != 1.0 || options["value"] != int64(1024) {
		t.Errorf("options %#v", options)
	}
}

func TestExistsAndKeysOnly(t *testing.T) {
	s, problems := build(t, `
def main():
    k = keys(10)
    return scenario([stores["etcd"]()], [
        phase("there", exists(k.uniform(), consistency = "weak"), requests = 1),
        phase("keys", scan(k.one(), limit = 5, keys_only = True), requests = 1),
    ])
`)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	groups := s.Plan.Runs[0].Groups
	if op := groups[0].Phases[0].Ops[0]; op.Kind != "exists" || op.Consistency != "serializable" || op.RPCs != "1 Range (serializable)" {
		t.Errorf("exists: %+v", op)
	}
	if op := groups[1].Phases[0].Ops[0]; !op.KeysOnly || op.Limit != 5 || op.RPCs != "1 Range (linearizable), keys only" {
		t.Errorf("scan: %+v", op)
	}
}

func TestProblemPlace(t *testing.T) {
	globals, thread, err := exec("test.star", `
def main():
    return scenario([stores["mem"]()], [phase("a b", get(keys(1).one()), requests = 1, timeout = 0 * second),
        phase("c", get(keys(1).one()), requests = 1, clients = per_cluster({"etcd": 1}))])
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := starlark.Call(thread, globals["main"], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, problems, err := builtins.Build(v, specs())
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]int{}
	for _, p := range problems {
		places[p.Arg] = p.Place
	}
	if len(places) != 3 || places["name"] != 1 || places["timeout"] != 0 || places["choices"] != 1 {
		t.Errorf("places %v, want name and choices given first and timeout by name", places)
	}
}

func TestBuildRefusesOtherValues(t *testing.T) {
	if _, _, err := builtins.Build(starlark.MakeInt(5), specs()); err == nil || !strings.Contains(err.Error(), "main must return a scenario") {
		t.Errorf("got %v", err)
	}
}

// The hash must not depend on where the file lies or on how it is laid out.
func TestHashOfTheSameScenario(t *testing.T) {
	first, _ := build(t, mainJob)
	second, _ := build(t, "\n\n# moved\n"+strings.ReplaceAll(mainJob, "1 * M", "1000 * K"))
	if first.Plan.Hash() != second.Plan.Hash() {
		t.Errorf("the hash depends on the layout of the file")
	}
	third, _ := build(t, strings.Replace(mainJob, "1 * KiB", "1 * KB", 1))
	if first.Plan.Hash() == third.Plan.Hash() {
		t.Errorf("the hash does not depend on the size of values")
	}
}
