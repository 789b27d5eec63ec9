// Package result is what a run yields: plain structs that go to run.json and
// come back from it without loss. Histograms are kept encoded, so that they can
// be merged later; percentiles are never averaged. Instants are wall-clock
// times; durations are nanoseconds, sizes bytes, CPU percent of one core.
package result

import "time"

// Schema is the version of run.json that this package writes. Older ones stay
// readable.
const Schema = 1

// Run is a whole run: every cluster, repetition and phase.
type Run struct {
	Schema      int         `json:"schema"`
	Kvscen      string      `json:"kvscen"` // version of kvscen
	Scenario    Scenario    `json:"scenario"`
	Environment Environment `json:"environment"`
	Start       time.Time   `json:"start"`
	End         time.Time   `json:"end"`
	Status      int         `json:"status"`           // exit status, see the Status constants
	Reason      string      `json:"reason,omitempty"` // first cause of a status that is not 0
	Clusters    []Cluster   `json:"clusters"`         // one for each cluster and repetition, in the order run
	Verdicts    []Verdict   `json:"verdicts,omitempty"`
	Reports     []Report    `json:"reports,omitempty"` // of the scenario's own functions
	Clients     int         `json:"clients"`           // client machines that took part
	Notes       []string    `json:"notes,omitempty"`   // of results put together: of what, and what differs
	Dir         string      `json:"-"`                 // folder of the result; empty: not known
}

// Exit statuses. The first cause wins.
const (
	StatusOK          = 0
	StatusInternal    = 1
	StatusUsage       = 2 // or the script
	StatusSetup       = 3
	StatusRun         = 4
	StatusCheck       = 5
	StatusUntrusted   = 6
	StatusRegression  = 7
	StatusReport      = 8 // a report of the scenario failed
	StatusInterrupted = 130
	StatusTerminated  = 143
)

// Scenario says what was run, in enough detail to run it again.
type Scenario struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Hash    string   `json:"hash"` // of the plan
	Seed    uint64   `json:"seed"`
	Repeat  int      `json:"repeat"`
	Order   string   `json:"order"`
	Params  []Param  `json:"params"`
	Sources []Source `json:"sources"`
}

// Param is a parameter of main as it was given, printed as Starlark.
type Param struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Source is a file of Starlark that the scenario was made of.
type Source struct {
	Name string `json:"name"`
	Hash string `json:"hash"` // SHA-256, hex
}

// Environment is the machine of the client. What can't be read is empty.
type Environment struct {
	Host       string `json:"host"`
	OS         string `json:"os"` // GOOS/GOARCH
	Kernel     string `json:"kernel"`
	CPU        string `json:"cpu"` // model name
	Cores      int    `json:"cores"`
	Governor   string `json:"governor,omitempty"`
	Memory     int64  `json:"memory"`      // bytes
	OpenFiles  int64  `json:"open_files"`  // RLIMIT_NOFILE
	FileSystem string `json:"file_system"` // of the data folder: "ext4"
	Device     string `json:"device"`      // under the data folder
	Go         string `json:"go"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	GOGC       string `json:"gogc"`
}

// Cluster is one repetition on one cluster. With fresh phases it stands for all
// the clusters that the repetition went through, one after the other.
type Cluster struct {
	Label      string        `json:"label"`
	Driver     string        `json:"driver"`
	InProcess  bool          `json:"in_process,omitempty"` // the store lives in kvscen: the server rows are the client's
	Repetition int           `json:"repetition"`           // from 0
	Version    string        `json:"version"`              // from the server itself
	Setup      time.Duration `json:"setup"`                // from the first process to ready
	Members    []Member      `json:"members"`
	Machines   []Machine     `json:"machines,omitempty"` // of members, but for the client's own
	Clocks     []Clock       `json:"clocks,omitempty"`   // of other machines, at the start and at the end
	Events     []Event       `json:"events,omitempty"`
	Phases     []Phase       `json:"phases"`
	Error      string        `json:"error,omitempty"` // why it ended early
	Dir        string        `json:"-"`               // folder of its samples; empty: that of the run
}

// Member is one member as it ran.
type Member struct {
	Name      string   `json:"name"`
	Host      string   `json:"host"` // "local", or the address
	Endpoint  string   `json:"endpoint"`
	Processes []string `json:"processes,omitempty"` // command lines
	Leader    bool     `json:"leader"`              // at the end of set-up
}

// Clock is how far the clock of a machine was ahead of the client's.
type Clock struct {
	Host   string        `json:"host"`
	At     time.Time     `json:"at"`
	Offset time.Duration `json:"offset"`
	Bound  time.Duration `json:"bound"` // the offset may be wrong by this much
}

// Event is something that happened while the cluster was up.
type Event struct {
	At     time.Time `json:"at"`
	Member string    `json:"member,omitempty"`
	Kind   string    `json:"kind"` // "leader", "died", "host-lost", or a marker's label
	Text   string    `json:"text"`
}

// Verdict is an expectation, a check or a comparison after it was evaluated.
type Verdict struct {
	Kind     string    `json:"kind"`   // "expect", "check" or "compare"
	Name     string    `json:"name"`   // the check's, or the expectation or comparison in words
	Status   string    `json:"status"` // Pass, Fail, Unknown or Info
	Reads    []Read    `json:"reads,omitempty"`
	Text     string    `json:"text,omitempty"`     // reason, what the function returned, or what a comparison found
	Compared *Compared `json:"compared,omitempty"` // of a comparison
	Where    string    `json:"where"`              // file:line:col
	Line     string    `json:"line,omitempty"`     // the source line
}

// Statuses of verdicts.
const (
	Pass    = "pass"
	Fail    = "fail"
	Unknown = "unknown"
	Info    = "info" // a finding that was given no limit: it fails nothing
)

// OK reports whether the verdict lets the run pass.
func (v *Verdict) OK() bool { return v.Status == Pass || v.Status == Info }

// Compared is what a comparison of two clusters found, with repetitions as the
// unit. Differences are of the second cluster less the first, in the metric's unit.
type Compared struct {
	Clusters   [2]string `json:"clusters"`         // labels, the first being what the second is held against
	Finding    string    `json:"finding"`          // "better", "no difference shown", "not enough runs" or "n/a"
	Better     string    `json:"better,omitempty"` // label of the cluster that is, where one is shown to be
	Unit       string    `json:"unit"`             // of the difference and its interval
	Difference Number    `json:"difference"`       // the second's figure less the first's
	Low        Number    `json:"low"`              // of the interval of the difference, at 95 %
	High       Number    `json:"high"`             // of the interval, likewise
	Percent    Number    `json:"percent"`          // the difference, of the first cluster's figure
	Effect     float64   `json:"effect"`           // Cliff's delta: -1 to 1, above 0 where the second's runs are larger
	P          Number    `json:"p"`                // two-sided Mann-Whitney
	Runs       [2]int    `json:"runs"`             // repetitions in which the metric is known
}

// Read is a value that a verdict looked at.
type Read struct {
	Path  string `json:"path"`  // cluster("etcd").phase("write").response.p99
	Value string `json:"value"` // as printed
	Limit string `json:"limit,omitempty"`
	OK    bool   `json:"ok"`
}
