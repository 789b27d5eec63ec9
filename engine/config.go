// Package engine is the conductor of a run: it sets clusters up, waits until
// they are ready, runs the phases in order, samples, and gathers the result.
package engine

import (
	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/cluster"
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
	Shard    Shard                     // zero: the whole load
	Hosts    cluster.Hosts             // machines over SSH; nil: members on this machine alone
}

// Shard is the part of the load that this client machine sends: every Count-th
// request, from Index on.
type Shard struct {
	Index, Count int
}
