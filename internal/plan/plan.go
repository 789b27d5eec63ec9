// Package plan is the frozen, declarative plan of a run: plain structs, each
// with its position in the scenario. It is complete (no choice, function or
// reference to a script is left in it), the same on every machine, and has a
// hash. Durations are in nanoseconds, sizes in bytes, rates in requests a
// second. What only a machine can know (addresses, ports, folders, paths of
// binaries) stands in it as tokens; see token.go.
package plan

import (
	"fmt"
	"time"
)

// Pos is a place in a scenario or in a file it loads. Line and Col count from 1;
// the zero Pos is nowhere.
type Pos struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

// String is file:line:col.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Plan is everything that a run needs to know.
type Plan struct {
	Name   string `json:"name"`  // file name of the scenario without .star
	Title  string `json:"title"` // title=, or the first line of the docstring
	Seed   uint64 `json:"seed"`
	Repeat int    `json:"repeat"` // at least 1
	Order  string `json:"order"`  // Sequential or Interleaved
	// OnHostLost is LostEnd, also when empty, or LostContinue.
	OnHostLost string    `json:"on_host_lost,omitempty"`
	Params     []Param   `json:"params"` // of main, in its order
	Keys       []Keys    `json:"keys"`   // by Draw.Keys
	Runs       []Run     `json:"runs"`   // one a cluster, in the order of the scenario
	Expects    []Expect  `json:"expects"`
	Checks     []Check   `json:"checks"`
	Compares   []Compare `json:"compares,omitempty"`
	Reports    []Report  `json:"reports,omitempty"`
	Sources    []Source  `json:"sources"` // the entry file first
	Pos        Pos       `json:"pos"`
}

// Orders of repetitions.
const (
	Sequential  = "sequential"  // A A B B
	Interleaved = "interleaved" // A B B A: forwards and backwards in turn
)

// What becomes of a run when a machine that members run on is lost.
const (
	LostEnd      = "end"
	LostContinue = "continue"
)

// Param is a parameter of main and the value it was given, printed as Starlark.
type Param struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Source is a file of Starlark that the scenario was made of.
type Source struct {
	Name string `json:"name"` // as given to load, or the base name of the entry file
	Hash string `json:"hash"` // SHA-256, hex
	Text string `json:"text,omitempty"`
}

// Run is one cluster and what is done to it, every per_cluster choice resolved.
type Run struct {
	Cluster Cluster `json:"cluster"`
	Groups  []Group `json:"groups"` // one after the other
}

// Group is a set of phases that run at the same time; most hold just one.
type Group struct {
	Phases []Phase `json:"phases"`
}

// Cluster is how a cluster is set up, or reached where it runs already.
type Cluster struct {
	Label       string         `json:"label"` // unique in the plan; matches NamePattern
	Driver      string         `json:"driver"`
	Nodes       []Node         `json:"nodes,omitempty"`     // started by us
	Endpoints   []string       `json:"endpoints,omitempty"` // or: running already
	Watch       *Watch         `json:"watch,omitempty"`     // of endpoints: what to sample there; nil: nothing
	Version     string         `json:"version,omitempty"`   // as the recipe knows it beforehand: "3.7.3"; empty: not known
	Options     map[string]any `json:"options,omitempty"`   // for the driver: bool, int64, float64, string, time.Duration as int64 ns
	Target      string         `json:"target"`              // members that clients connect to: "all", "leader"; or names, comma-separated
	User        string         `json:"user,omitempty"`
	Password    string         `json:"-"`
	TLS         *TLS           `json:"tls,omitempty"`
	Markers     []Marker       `json:"markers,omitempty"`
	Quota       int64          `json:"quota,omitempty"`    // bytes of data that a member takes; 0: not known
	Base        int64          `json:"base,omitempty"`     // disk bytes of an empty member, for the estimate; 0: not known
	Overhead    float64        `json:"overhead,omitempty"` // disk bytes a payload byte, for the estimate; 0: not known
	Memory      float64        `json:"memory,omitempty"`   // bytes that a member takes at its peak for a payload byte that it holds, for the warning before a run; 0: not known
	Nominal     Nominal        `json:"nominal"`            // for the estimate of time alone
	ReadyWithin time.Duration  `json:"ready_within"`       // deadline of set-up
	Pos         Pos            `json:"pos"`
}

// Nominal is what a recipe supposes of its store on an ordinary machine. It
// serves the estimate that is printed before a run, and nothing else.
type Nominal struct {
	Latency    time.Duration `json:"latency,omitempty"`    // of one request of a lone client
	Throughput float64       `json:"throughput,omitempty"` // requests a second at which a cluster is busy
}

// TLS names the PEM files of a secured connection; see drivers.TLS.
type TLS struct {
	CA         string `json:"ca,omitempty"`
	Cert       string `json:"cert,omitempty"`
	Key        string `json:"key,omitempty"`
	ServerName string `json:"server_name,omitempty"`
	Insecure   bool   `json:"insecure,omitempty"`
}

// Node is one member: its processes in the order in which they are declared.
type Node struct {
	Name      string    `json:"name"`           // unique in the cluster; matches NamePattern
	Host      *Host     `json:"host,omitempty"` // nil: this machine
	Processes []Process `json:"processes"`
	Endpoint  string    `json:"endpoint"` // where clients connect; tokens allowed; for an in-process store empty
	Pos       Pos       `json:"pos"`
}

// Host is a machine reached over SSH.
type Host struct {
	Addr   string `json:"addr"`
	User   string `json:"user,omitempty"`
	Port   int    `json:"port,omitempty"` // 0: as ssh_config says, else 22
	Key    string `json:"key,omitempty"`
	IP     string `json:"ip,omitempty"`  // address of members, for each other and for clients
	Dir    string `json:"dir,omitempty"` // below which all goes; empty: .kvscen in the home folder
	Sudo   bool   `json:"sudo,omitempty"`
	Upload bool   `json:"upload"` // copy kvscen itself there
	Pos    Pos    `json:"pos"`
}

// Process is one program of a node. Argv, Env and Files may hold tokens.
type Process struct {
	Name  string            `json:"name"`
	Argv  []string          `json:"argv"`
	Env   map[string]string `json:"env,omitempty"`
	Files map[string]string `json:"files,omitempty"` // path, relative to the node's folder unless absolute, to text
	Ready *Ready            `json:"ready,omitempty"` // nil: ready at once
	Stop  Stop              `json:"stop"`
	After []string          `json:"after,omitempty"` // NODE.PROCESS or PROCESS (of the same node) that must be ready before
	Pos   Pos               `json:"pos"`
}

// Ready is how a process is seen to be ready. Kind says which fields count.
type Ready struct {
	Kind   string   `json:"kind"`             // "tcp", "http", "log" or "exec"
	Addr   string   `json:"addr,omitempty"`   // tcp: host:port
	URL    string   `json:"url,omitempty"`    // http
	Status int      `json:"status,omitempty"` // http: 0 is 200
	Body   string   `json:"body,omitempty"`   // http: regular expression
	Regexp string   `json:"regexp,omitempty"` // log
	Argv   []string `json:"argv,omitempty"`   // exec: exit status 0
}

// Stop is how a process is asked to end, and how long it is given before KILL.
type Stop struct {
	Signal string        `json:"signal"` // "TERM", "INT", "QUIT", "HUP", "KILL"
	Grace  time.Duration `json:"grace"`
}

// Marker counts the lines of a member's log that match.
type Marker struct {
	Regexp string `json:"regexp"`
	Label  string `json:"label"`
	Pos    Pos    `json:"pos"`
}

// Problem is something wrong with a plan that can be known without a cluster.
// Arg names the argument of the call at Pos that is to blame; empty: the call.
type Problem struct {
	Pos   Pos    `json:"pos"`
	Arg   string `json:"arg,omitempty"`
	Place int    `json:"place,omitempty"` // of Arg among the arguments given by position, from 1; 0: given by name
	Text  string `json:"text"`
}
