package plan

import "time"

// Phase is a load on a cluster: a mix of operations, sent in one or more steps.
type Phase struct {
	Name       string        `json:"name"` // unique in the plan; matches NamePattern
	Ops        []Op          `json:"ops"`  // at least one
	Steps      []Step        `json:"steps"`
	Requests   uint64        `json:"requests,omitempty"` // of all steps; 0: no limit
	Duration   time.Duration `json:"duration,omitempty"` // of all steps; 0: no limit
	Warmup     Warmup        `json:"warmup"`             // at the start of the first step, part of its requests
	Timeout    time.Duration `json:"timeout"`            // of a request
	MaxErrors  float64       `json:"max_errors"`         // below 1: share of the attempted; else a count; negative: no limit
	Role       string        `json:"role"`               // Measure or Load
	Background bool          `json:"background,omitempty"`
	Fresh      bool          `json:"fresh,omitempty"`   // a new cluster and data folder for it
	Samples    bool          `json:"samples,omitempty"` // each request is kept, however many there are up to MostSamples
	Pos        Pos           `json:"pos"`
}

// MostSamples is the number of requests up to which a phase can keep each one.
const MostSamples = 1_000_000

// Roles of phases.
const (
	Measure = "measure"
	Load    = "load" // shown, but kept out of the summary
)

// Step is one load level. It ends with its requests or its duration, whichever
// comes first; at least one of them is set unless the phase is background.
type Step struct {
	Clients     int           `json:"clients"`
	Connections int           `json:"connections"` // over the whole cluster; at least 1, at most Clients
	Rate        Rate          `json:"rate"`
	Requests    uint64        `json:"requests,omitempty"`
	Duration    time.Duration `json:"duration,omitempty"`
}

// Rate is the schedule of an open loop, in requests a second: From at the
// start of the step, To after Over, To from then on. The zero Rate is a closed
// loop; a constant rate has From == To and no Over.
type Rate struct {
	From float64       `json:"from,omitempty"`
	To   float64       `json:"to,omitempty"`
	Over time.Duration `json:"over,omitempty"`
}

// Closed reports whether there is no schedule.
func (r Rate) Closed() bool { return r == Rate{} }

// Warmup is the part sent first and counted apart: a duration or a count.
type Warmup struct {
	Requests uint64        `json:"requests,omitempty"`
	Duration time.Duration `json:"duration,omitempty"`
}

// Op is one operation of a phase.
type Op struct {
	Kind        string        `json:"kind"`   // by drivers.KindOf
	Weight      float64       `json:"weight"` // share in the mix, normalised: the weights of a phase add up to 1
	Draw        Draw          `json:"draw"`   // Txn: unused
	Value       *Value        `json:"value,omitempty"`
	Consistency string        `json:"consistency,omitempty"` // resolved to the store's own name
	Asked       string        `json:"asked,omitempty"`       // as the scenario has it, where that differs ("strong")
	Limit       int           `json:"limit,omitempty"`
	TTL         time.Duration `json:"ttl,omitempty"`
	Absent      bool          `json:"absent,omitempty"` // cas that creates
	KeysOnly    bool          `json:"keys_only,omitempty"`
	Checksum    bool          `json:"checksum,omitempty"` // get, scan: the values read must be such that Value.Checksum has written at their keys
	RPCs        string        `json:"rpcs"`               // what one request becomes in this store
	Ops         []Op          `json:"ops,omitempty"`      // Txn
	Pos         Pos           `json:"pos"`
}

// Keys is a set of Count keys, numbered from 0. Key i is Prefix followed by i
// in the Encoding, filled up to Size bytes.
type Keys struct {
	Count    uint64 `json:"count"`
	Size     int    `json:"size"` // bytes of the whole key
	Prefix   string `json:"prefix,omitempty"`
	Encoding string `json:"encoding"`         // "decimal", "hex" or "random"
	Parent   string `json:"parent,omitempty"` // put before Prefix with a slash, not part of Size
	Pos      Pos    `json:"pos"`
}

// Draw is the order in which keys are taken from a set.
type Draw struct {
	Keys      int     `json:"keys"`                // index into Plan.Keys
	Order     string  `json:"order"`               // one of the Order constants
	Constant  float64 `json:"constant,omitempty"`  // zipfian, latest: theta
	Scrambled bool    `json:"scrambled,omitempty"` // zipfian: hot keys lie scattered
	HotKeys   float64 `json:"hot_keys,omitempty"`  // hotspot: share of keys that are hot
	HotOps    float64 `json:"hot_ops,omitempty"`   // hotspot: share of requests that go to them
}

// Orders of keys.
const (
	OrderSequential = "sequential" // goes on over steps and phases, from the start again after the last key
	OrderUniform    = "uniform"
	OrderZipfian    = "zipfian"
	OrderLatest     = "latest"
	OrderHotspot    = "hotspot"
	OrderOne        = "one" // key 0 always
)

// Value is how values are made: fresh for each request.
type Value struct {
	Size         Size    `json:"size"`
	Compressible float64 `json:"compressible,omitempty"` // share of each value that is zeros, 0 to 1
	Checksum     bool    `json:"checksum,omitempty"`     // the last ChecksumBytes tell of the key and of all before them
}

// ChecksumBytes is what a checksum takes at the end of a value.
const ChecksumBytes = 8

// Size is a distribution of sizes in bytes. Kind says which fields count.
type Size struct {
	Kind    string    `json:"kind"`              // "fixed", "uniform", "normal" or "histogram"
	A       float64   `json:"a,omitempty"`       // fixed: the size; uniform: smallest; normal: mean
	B       float64   `json:"b,omitempty"`       // uniform: largest, inclusive; normal: standard deviation
	Sizes   []int     `json:"sizes,omitempty"`   // histogram, ascending
	Weights []float64 `json:"weights,omitempty"` // histogram, normalised
}

// Expect is a limit on a number of the result. Empty fields leave a level open:
// the expectation then stands for each cluster, each step, all ops merged.
type Expect struct {
	Phase   string  `json:"phase"`
	Cluster string  `json:"cluster,omitempty"`
	Op      string  `json:"op,omitempty"`
	Step    int     `json:"step"` // from 0; -1: the whole phase
	Bounds  []Bound `json:"bounds"`
	Pos     Pos     `json:"pos"`
}

// Bound is one limit: the metric must be below or above Limit, or Limit times
// another figure.
type Bound struct {
	Metric string  `json:"metric"` // "p99", "mean", "throughput", "error_rate" ...; see result.Metric
	Above  bool    `json:"above,omitempty"`
	Limit  float64 `json:"limit"`        // latencies in nanoseconds, throughput in requests a second, error_rate a share; with Of a factor
	Of     *Figure `json:"of,omitempty"` // nil: Limit stands by itself
	Pos    Pos     `json:"pos"`
}

// Figure names one figure of the result.
type Figure struct {
	Cluster string `json:"cluster,omitempty"` // empty: the one that is judged
	Phase   string `json:"phase"`
	Op      string `json:"op,omitempty"`
	Step    int    `json:"step"` // from 0; -1: the whole phase
	Metric  string `json:"metric"`
}

// Compare is a question to the result: which of two clusters is better in a
// metric, and by how much.
type Compare struct {
	Base   string `json:"base"` // label
	New    string `json:"new"`
	Phase  string `json:"phase"`
	Op     string `json:"op,omitempty"`
	Step   int    `json:"step"` // from 0; -1: the whole phase
	Metric string `json:"metric"`
	FailIf string `json:"fail_if,omitempty"` // "> +5%": a difference of New that fails; empty: none does
	Pos    Pos    `json:"pos"`
}

// Check names a function of the scenario that is called after the run. The
// function itself stays with package builtins; the stored source has it too.
type Check struct {
	Name string `json:"name"`
	Pos  Pos    `json:"pos"`
}

// Report names a function that makes tables of the result, likewise.
type Report struct {
	Name string `json:"name"`
	Pos  Pos    `json:"pos"`
}
