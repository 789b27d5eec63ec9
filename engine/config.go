// Package engine is the conductor of a run: it sets clusters up, waits until
// they are ready, runs the phases in order, samples, and gathers the result.
package engine

import (
	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/result"
)

// Config is what a run needs beside its plan.
type Config struct {
	Drivers  map[string]drivers.Driver // by Spec.Name
	Self     string                    // path of the kvscen binary, for embedded members and the guard
	Version  string                    // of kvscen, for the result
	Out      string                    // result folder, exists and is empty
	Data     string                    // folder for the members' data, exists; emptied cluster by cluster
	KeepData bool                      // leave the members' data where it is
	FailFast bool                      // run no further cluster once one has failed
	Observer Observer                  // nil: nobody looks
	Judge    Judge                     // nil: a run goes on whatever it measures
	Shard    Shard                     // zero: the whole load
	Hosts    cluster.Hosts             // machines over SSH; nil: members on this machine alone
}

// Judge ends a run early. Each method gives the reason why what is expected of the
// run can't be met any more, or nothing where it still can.
type Judge interface {
	Ended(run *result.Run) string         // phases have ended; run is all that has been measured
	UnderWay(moment result.Moment) string // a step goes on; from several goroutines at a time
}

// Shard is the part of the load that this client machine sends: every Count-th
// request, from Index on.
type Shard struct {
	Index, Count int
}
