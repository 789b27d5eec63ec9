package consul

import (
	"fmt"

	"github.com/kvscen/kvscen/drivers"
)

const (
	maxValue  = 512 << 10 // bytes, the server's default for a value and for a transaction
	maxTxnOps = 64        // of Consul's own; a delete takes two of them
	connBytes = 64 << 10  // buffers, two goroutines and a request under way
)

// Spec says what the store can do.
func (d *Driver) Spec() drivers.Spec { return spec() }

func spec() drivers.Spec {
	// reads describes an operation in each of Consul's consistencies.
	reads := func(text string) []drivers.Consistency {
		return []drivers.Consistency{
			{Name: names[usual], RPCs: "1 GET /v1/kv" + text},
			{Name: names[consistent], Strong: true, RPCs: "1 GET /v1/kv" + text + " (consistent)"},
			{Name: names[stale], Weak: true, RPCs: "1 GET /v1/kv" + text + " (stale)"},
		}
	}
	return drivers.Spec{
		Name: "consul",
		Doc: "Consul's key-value store over HTTP/1.1, one connection to one agent, which carries one request at a time. " +
			"The password is a token for access. A scan reads the keys that begin with its key. A transaction is rolled back where a key that it reads or deletes is not there.",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 PUT /v1/kv"},
			{Kind: drivers.Get, Consistencies: reads("")},
			{Kind: drivers.Delete, RPCs: "1 PUT /v1/txn (get + delete)"},
			{Kind: drivers.Scan, Consistencies: reads("?recurse")},
			{Kind: drivers.ListChildren, Consistencies: reads("?keys&separator=/")},
			{Kind: drivers.CAS, RPCs: "1 PUT /v1/kv?cas", CurrentRPCs: "1 GET /v1/kv"},
			{Kind: drivers.Txn, RPCs: "1 PUT /v1/txn"},
		},
		Options: []drivers.Option{
			{Name: maxConnections, Default: int64(1), Doc: "TCP connections that one connection may have open; more than one carry as many requests at a time; 0: as many as there are requests"},
			{Name: compress, Default: false, Doc: "let the agent compress its replies"},
		},
		Limits:    drivers.Limits{Value: maxValue, Txn: maxTxnOps},
		Secure:    true,
		ConnBytes: connBytes,
	}
}

// Names of options.
const (
	maxConnections = "max_connections"
	compress       = "compress"
)

// mode is a consistency of reads.
type mode uint8

const (
	usual      mode = iota // by the leader, without asking whether it still leads
	consistent             // by the leader, after a round to the others
	stale                  // by whichever agent is asked
	numModes
)

// names are Consul's for its consistencies.
var names = [numModes]string{"default", "consistent", "stale"}

// modeOf finds the consistency of an operation.
func modeOf(spec *drivers.OpSpec) (mode, error) {
	if spec.Consistency == "" {
		return usual, nil
	}
	for m, name := range names {
		if name == spec.Consistency {
			return mode(m), nil
		}
	}
	return usual, fmt.Errorf("%v has no consistency %q", spec.Kind, spec.Consistency)
}
