package plan

import (
	"testing"
)

func TestHash(t *testing.T) {
	first := sample()
	for name, change := range map[string]func(*Plan){
		"name":               func(p *Plan) { p.Name = "other" },
		"sources":            func(p *Plan) { p.Sources = []Source{{Name: "x"}} },
		"position":           func(p *Plan) { p.Pos = Pos{"f", 1, 2} },
		"position below":     func(p *Plan) { p.Runs[0].Groups[0].Phases[0].Ops[0].Pos = Pos{"f", 1, 2} },
		"position of a node": func(p *Plan) { p.Runs[0].Cluster.Nodes[0].Pos = Pos{"/home/x", 1, 2} },
		"empty for nil":      func(p *Plan) { p.Params = []Param{} },
	} {
		other := sample()
		change(other)
		if first.Hash() != other.Hash() {
			t.Errorf("%s: the hash has changed", name)
		}
	}
	for name, change := range map[string]func(*Plan){
		"seed":    func(p *Plan) { p.Seed++ },
		"clients": func(p *Plan) { p.Runs[1].Groups[0].Phases[0].Steps[1].Clients++ },
		"option":  func(p *Plan) { p.Runs[0].Cluster.Options = map[string]any{"pos": 1} },
		"tls":     func(p *Plan) { p.Runs[0].Cluster.TLS = &TLS{CA: "ca.pem"} },
		"value":   func(p *Plan) { p.Runs[0].Groups[0].Phases[0].Ops[0].Value.Size.A++ },
	} {
		other := sample()
		change(other)
		if first.Hash() == other.Hash() {
			t.Errorf("%s: the hash is the same", name)
		}
	}
}

func TestHashLeavesThePlanAlone(t *testing.T) {
	p := sample()
	p.Pos = Pos{"f", 1, 2}
	p.Hash()
	if p.Pos.Line != 1 || p.Name != "sample" {
		t.Errorf("the plan was changed: %+v", p)
	}
}
