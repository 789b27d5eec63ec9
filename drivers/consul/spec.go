package consul

import (
	"fmt"
	"math"

	"github.com/kvscen/kvscen/drivers"
)

const (
	maxValue  = 512 << 10 // bytes, the server's default for a value and for a transaction
	maxTxnOps = 64        // of Consul's own in a transaction; a delete takes two of them
	connBytes = 64 << 10  // buffers, two goroutines and a request under way
)

// Names of options.
const (
	apiOption      = "api"
	maxConnections = "max_connections"
	compress       = "compress"
	valueSize      = "kv_max_value_size"
	txnOps         = "txn_max_ops"
	clientConns    = "http_max_conns_per_client"
)

// Values of the option api.
const (
	apiFull = "full"
	apiKV   = "kv"
)

// Spec says what the store can do.
func (d *Driver) Spec() drivers.Spec { return spec() }

func spec() drivers.Spec {
	// reads describes an operation in each of Consul's consistencies.
	reads := func(text string) []drivers.Consistency {
		return []drivers.Consistency{
			{Name: names[usual], RPCs: "1 " + text},
			{Name: names[consistent], Strong: true, RPCs: "1 " + text + " (consistent)"},
			{Name: names[stale], Weak: true, RPCs: "1 " + text + " (stale)"},
		}
	}
	return drivers.Spec{
		Name: "consul",
		Doc: "Consul's key-value store over HTTP/1.1, one connection to one agent, which carries one request at a time. " +
			"The password is a token for access. A scan reads the keys that begin with its key. A transaction is rolled back where a key that it reads or deletes is not there. " +
			"With `api = \"kv\"` it can put, get (stale) and cas alone.",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 PUT /v1/kv"},
			{Kind: drivers.Get, Consistencies: reads("GET /v1/kv")},
			{Kind: drivers.Delete, RPCs: "1 PUT /v1/txn (get + delete)"},
			{Kind: drivers.Scan, Consistencies: reads("GET /v1/kv?recurse"), KeysOnly: true},
			{Kind: drivers.ListChildren, Consistencies: reads("GET /v1/kv?keys&separator=/")},
			{Kind: drivers.CAS, RPCs: "1 PUT /v1/kv?cas", CurrentRPCs: "1 GET /v1/kv"},
			{Kind: drivers.Txn, RPCs: "1 PUT /v1/txn"},
			{Kind: drivers.Exists, Consistencies: reads("PUT /v1/txn (check-not-exists)")},
		},
		Options: []drivers.Option{
			{Name: maxConnections, Default: int64(1), Doc: "TCP connections that one connection may have open; more than one carry as many requests at a time; 0: as many as there are requests"},
			{Name: compress, Default: false, Doc: "let the agent compress its replies"},
			{Name: apiOption, Default: apiFull, Doc: "what the other side serves: \"full\" is an agent of Consul; \"kv\" a stand-in that knows single keys alone, no status, transaction, list or consistency"},
			{Name: valueSize, Default: int64(maxValue), Doc: "bytes of the largest value that the servers take, as in their limits", Min: 1, Max: math.MaxInt32},
			{Name: txnOps, Default: int64(maxTxnOps), Doc: "operations that the servers take in a transaction, a delete counting as two", Min: 1, Max: math.MaxInt32},
			{Name: clientConns, Default: int64(0), Doc: "TCP connections that a server takes from one address, as in its limits; 0: not known", Min: 0, Max: math.MaxInt32},
		},
		Limits:    drivers.Limits{Value: maxValue, Txn: maxTxnOps},
		Secure:    true,
		ConnBytes: connBytes,
		Given:     given,
	}
}

// given is what servers can do that have the limits in the options, or a
// stand-in for them.
func given(options map[string]any) drivers.Spec {
	s := spec()
	s.Limits.Value = drivers.OptionOf[int64](&s, options, valueSize)
	s.Limits.Txn = drivers.OptionOf[int64](&s, options, txnOps)
	s.Limits.Conns = drivers.OptionOf[int64](&s, options, clientConns)
	s.Sockets = drivers.OptionOf[int64](&s, options, maxConnections)
	if s.Sockets == 0 {
		s.Sockets = math.MaxInt32
	} else if s.Limits.Conns > 0 {
		s.Limits.Conns = max(s.Limits.Conns/s.Sockets, 1)
	}
	if drivers.OptionOf[string](&s, options, apiOption) == apiKV {
		s.Ops = kvOps()
	}
	return s
}

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
