package result

import "time"

// Phase is one phase on one cluster in one repetition.
type Phase struct {
	Name        string          `json:"name"`
	Role        string          `json:"role"` // "measure" or "load"
	Background  bool            `json:"background,omitempty"`
	Group       int             `json:"group"` // phases of the same group ran at the same time
	Start       time.Time       `json:"start"` // base of all offsets within the phase
	Ops         []Op            `json:"ops"`
	Steps       []Step          `json:"steps"`
	Samples     Samples         `json:"samples"`                // one value a second, of processes and hosts
	SamplesFile string          `json:"samples_file,omitempty"` // each measured request as CSV, below the folder of the result
	Metrics     []MemberMetrics `json:"metrics,omitempty"`      // the stores' own, as differences over the phase
	Marks       []Mark          `json:"marks,omitempty"`
	Markers     []MarkerCount   `json:"markers,omitempty"`
	Logged      []Logged        `json:"logged,omitempty"` // what Markers counts, in the order of time
	Error       string          `json:"error,omitempty"`  // why it ended early
}

// Op says what one operation became in the store.
type Op struct {
	Name        string  `json:"name"` // "put"; unique in the phase, else numbered: "get", "get-2"
	Weight      float64 `json:"weight"`
	Consistency string  `json:"consistency,omitempty"` // really used
	Asked       string  `json:"asked,omitempty"`       // where the scenario said it differently
	RPCs        string  `json:"rpcs"`
}

// Step is one load level of a phase. W is the window from the first start to
// the last completion of measured requests.
type Step struct {
	Clients     int           `json:"clients"`
	Connections int           `json:"connections"`
	Open        bool          `json:"open,omitempty"`   // there is a schedule, so response time and lag exist
	Rate        string        `json:"rate,omitempty"`   // the schedule in words: "1,000/s"
	From        time.Duration `json:"from"`             // start of W, offset from Phase.Start
	To          time.Duration `json:"to"`               // end of W
	Counts      Counts        `json:"counts"`           // the measured part
	Warmup      Counts        `json:"warmup"`           // the part cut off
	Series      []Series      `json:"series"`           // one for each op, in the order of Phase.Ops
	Lag         *Hist         `json:"lag,omitempty"`    // start - due of ok and failed requests, where Open
	Failed      *Hist         `json:"failed,omitempty"` // service time of failed requests
	Missed      *Hist         `json:"missed,omitempty"` // end - due of missed requests
	Errors      []ErrorClass  `json:"errors,omitempty"`
	Usage       Usage         `json:"usage"`
	Client      ClientHealth  `json:"client"`
	EndedBy     string        `json:"ended_by"` // "requests", "duration", "schedule", "max_errors", "nothing_ok", "interrupt", "member", "parallel", "expect"
}

// Counts are exact. OK + Failed = Attempted; Attempted + Missed = Due;
// Due + Undue = Asked, where a number of requests was asked for.
type Counts struct {
	Asked     uint64 `json:"asked,omitempty"` // 0: no number was asked for
	Due       uint64 `json:"due"`
	Attempted uint64 `json:"attempted"`
	OK        uint64 `json:"ok"`
	Failed    uint64 `json:"failed"`
	Missed    uint64 `json:"missed"`
	Undue     uint64 `json:"undue"`
}

// Series is one operation of one step. Histograms are of measured ok requests.
type Series struct {
	Op       string  `json:"op"`
	OK       uint64  `json:"ok"`
	Failed   uint64  `json:"failed"`
	Found    uint64  `json:"found"`   // get, exists, delete: the key was there; cas: swapped; txn: committed
	Entries  uint64  `json:"entries"` // read or removed
	Written  uint64  `json:"written"` // payload bytes sent: keys and values
	Read     uint64  `json:"read"`    // payload bytes received
	Retries  uint64  `json:"retries"` // attempts hidden in the client library, beyond those the operation needs
	Service  *Hist   `json:"service"`
	Response *Hist   `json:"response,omitempty"` // where the step is open
	Seconds  Seconds `json:"seconds"`
	Ranges   *Ranges `json:"ranges,omitempty"` // by number of the request; absent where nothing was ok, and in older results
}

// Seconds are the finished seconds of a series, as columns. Latencies are
// response times where there is a schedule, else service times, in nanoseconds,
// of the ok requests that completed in that second; Null where there was none.
type Seconds struct {
	Start  time.Duration `json:"start"` // offset of the first from Phase.Start
	Step   time.Duration `json:"step"`  // one second
	OK     []uint32      `json:"ok"`
	Failed []uint32      `json:"failed"`
	Min    Values        `json:"min"`
	Mean   Values        `json:"mean"`
	P50    Values        `json:"p50"`
	P90    Values        `json:"p90"`
	P99    Values        `json:"p99"`
	P999   Values        `json:"p99.9"`
	Max    Values        `json:"max"`
	Bins   [][][2]uint32 `json:"bins,omitempty"` // at most 64 pairs a second: index of the bin (floor(log2(ns)*4)) and count
}

// ErrorClass counts failed requests of one class.
type ErrorClass struct {
	Class  string `json:"class"`
	Count  uint64 `json:"count"`
	Sample string `json:"sample"` // text of the first one
}

// Samples are what the samplers read, as columns over one time base.
type Samples struct {
	Start  time.Duration `json:"start"` // offset of the first from Phase.Start
	Step   time.Duration `json:"step"`
	Tracks []Track       `json:"tracks,omitempty"`
}

// Track is one figure of one source. Names are in the reference of run.json;
// the last word is the unit: cpu_percent, rss_bytes, write_bytes_per_second.
type Track struct {
	Source string `json:"source"` // "client", "host:NAME" or "member:NAME"
	Name   string `json:"name"`
	Values Values `json:"values"`
}

// Usage is what a step used, over W.
type Usage struct {
	Members []ProcessUsage `json:"members"`
	Client  ProcessUsage   `json:"client"`
	Hosts   []HostUsage    `json:"hosts"`
}

// ProcessUsage is of a process tree.
type ProcessUsage struct {
	Name        string `json:"name"`
	Host        string `json:"host"`
	Leader      bool   `json:"leader,omitempty"` // at the end of the step
	MaxCPU      Number `json:"max_cpu"`          // largest one-second value, percent of one core
	MaxRSS      Number `json:"max_rss"`          // bytes
	CPUSeconds  Number `json:"cpu_seconds"`
	Threads     Number `json:"threads"` // largest
	Voluntary   Number `json:"voluntary_switches"`
	Involuntary Number `json:"involuntary_switches"`
	ReadBytes   Number `json:"read_bytes"`  // from the device
	WriteBytes  Number `json:"write_bytes"` // to the device
	DiskUsage   Number `json:"disk_usage"`  // allocated bytes of the data folder, at the end of the step
}

// HostUsage is of one machine: its data device and its interface are counted
// once, however many members share them.
type HostUsage struct {
	Name            string `json:"name"`
	Servers         bool   `json:"servers"` // members run here
	Client          bool   `json:"client"`  // kvscen runs here
	Interface       string `json:"interface"`
	RX              Number `json:"rx"` // bytes
	TX              Number `json:"tx"`
	Device          string `json:"device"`
	ReadsCompleted  Number `json:"reads_completed"`
	SectorsRead     Number `json:"sectors_read"` // of 512 bytes
	WritesCompleted Number `json:"writes_completed"`
	SectorsWritten  Number `json:"sectors_written"`
	BusySeconds     Number `json:"busy_seconds"`
}

// ClientHealth is how kvscen itself fared in a step.
type ClientHealth struct {
	CPUSeconds  Number        `json:"cpu_seconds"` // user and system, by getrusage
	GCPauses    uint32        `json:"gc_pauses"`   // number
	GCPauseMax  time.Duration `json:"gc_pause_max"`
	SchedLagP99 time.Duration `json:"sched_lag_p99"` // Go's scheduler latency
	OpenFiles   Number        `json:"open_files"`    // largest
}

// MemberMetrics are a member's own metrics: what a counter grew by over the
// phase, and what a gauge stood at in its end.
type MemberMetrics struct {
	Member string             `json:"member"`
	Values map[string]float64 `json:"values"`
}

// MarkerCount counts the log lines that matched a marker in a phase.
type MarkerCount struct {
	Member string `json:"member"`
	Label  string `json:"label"`
	Count  int    `json:"count"`
}

// Mark is a doubt about a phase, with the number that raised it.
type Mark struct {
	Kind string `json:"kind"` // "client-bound", "schedule-missed", "unsettled", "shared-machine" ...
	Step int    `json:"step"` // -1: the whole phase
	Bad  bool   `json:"bad"`  // makes --strict fail
	Text string `json:"text"`
}
