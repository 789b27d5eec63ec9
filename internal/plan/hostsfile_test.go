package plan

import (
	"slices"
	"strings"
	"testing"
)

func TestParseHosts(t *testing.T) {
	text := "# three machines\n10.0.0.1\n\nroot@h2:2222 key=~/k dir=/mnt/ssd ip=10.1.0.2 # fast\n[::1]:22 sudo=yes upload=no\n"
	want := []Host{
		{Addr: "10.0.0.1", Upload: true, Pos: Pos{"f", 2, 1}},
		{Addr: "h2", User: "root", Port: 2222, Key: "~/k", IP: "10.1.0.2", Dir: "/mnt/ssd", Upload: true, Pos: Pos{"f", 4, 1}},
		{Addr: "::1", Port: 22, Sudo: true, Pos: Pos{"f", 5, 1}},
	}
	got, err := ParseHosts("f", text)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"":               "f: there is no host",
		"# none\n":       "f: there is no host",
		"a\nb:99999\n":   "f:2:1: the port must lie",
		"a dri=/x":       `f:1:1: a host has no "dri"; it has key, ip, dir, sudo, upload; did you mean`,
		"a dir":          "f:1:1: want NAME=VALUE",
		"a sudo=maybe":   "sudo must be yes or no",
		"root@ dir=/x\n": "want [user@]addr",
	} {
		if _, err := ParseHosts("f", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseHosts(f *testing.F) {
	f.Add("root@h:22 dir=/x # y")
	f.Add("[::1]:1\n@:=")
	f.Fuzz(func(t *testing.T, text string) {
		hosts, err := ParseHosts("f", text)
		for _, h := range hosts {
			if err == nil && (h.Addr == "" || h.Port < 0 || h.Port > 65535) {
				t.Errorf("%q gives %+v", text, h)
			}
		}
	})
}

func TestPlace(t *testing.T) {
	own := &Host{Addr: "own"}
	started := []Process{{Name: "p"}}
	p := &Plan{Runs: []Run{
		{Cluster: Cluster{Nodes: []Node{{Name: "a", Processes: started}, {Name: "b", Host: own, Processes: started}, {Name: "c", Processes: started}}}},
		{Cluster: Cluster{Nodes: []Node{{Name: "inside"}}}},
		{Cluster: Cluster{Endpoints: []string{"e:1"}}},
	}}
	if err := p.Place([]Host{{Addr: "h1"}, {Addr: "h2"}}); err != nil {
		t.Fatal(err)
	}
	n := p.Runs[0].Cluster.Nodes
	if n[0].Host.Addr != "h1" || n[1].Host != own || n[2].Host.Addr != "h2" || p.Runs[1].Cluster.Nodes[0].Host != nil {
		t.Errorf("got %v, %v, %v", n[0].Host, n[1].Host, n[2].Host)
	}
	p.Runs[0].Cluster.Nodes[0].Host = nil
	if err := p.Place(nil); err == nil {
		t.Error("a node without a host was placed")
	}
}
