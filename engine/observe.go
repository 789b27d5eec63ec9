package engine

import "time"

// An Observer is told what the engine does, as it happens, from one goroutine
// at a time. It must not block: it stands beside the load.
type Observer interface {
	Observe(Event)
}

// Event is one thing that happened, or, with Progress, how a step stands.
type Event struct {
	At         time.Time
	Kind       EventKind
	Cluster    string // label
	Repetition int    // from 0
	Phase      string // empty: of the cluster
	Step       int    // from 0
	Steps      int
	Clients    int
	Text       string    // in words: "3 members ready in 1.2s, leader m2", the last lines of a log
	Progress   *Progress // with KindProgress and KindStepEnd
	Interval   *Interval // with KindInterval
	Totals     *Totals   // with KindTotals
	Uses       []Use     // with KindUse
}

// EventKind sorts events.
type EventKind uint8

// The kinds of events.
const (
	KindSetup     EventKind = iota // a cluster is being started or connected to
	KindReady                      // it is ready; Text says how
	KindStepStart                  //
	KindProgress                   // about once a second
	KindStepEnd                    // Progress holds the step's final figures
	KindWarning                    // a member died, a leader changed, a preflight doubt
	KindStop                       // the cluster is being stopped
	KindDone                       // everything is written; Text is the result folder
	KindInterval                   // a second of an operation has been reduced
	KindTotals                     // how many requests of a step there were; the last one before KindStepEnd is final
	KindUse                        // what kvscen and the members use, about once a second while the cluster is up
)

// Progress is how a step stands.
type Progress struct {
	Elapsed   time.Duration
	Remaining time.Duration // negative: can't be known
	Done      uint64        // attempted, warm-up included
	Total     uint64        // 0: no number was asked for
	Fraction  float64       // 0 to 1; negative: can't be known
	Rate      float64       // ok a second, in the last second; at the step's end over the whole
	P99       time.Duration // likewise; 0: none ok
	Errors    uint64
	Warmup    bool
	Target    float64 // requests a second that are due now; 0: there is no schedule
}
