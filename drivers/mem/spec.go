package mem

import (
	"math"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

const maxValue = 1 << 30 // bytes of the fixed value; more would be a slip of the pen

// Spec says what the store can do.
func (d *Driver) Spec() drivers.Spec { return spec() }

func spec() drivers.Spec {
	// One process sees its own writes: there is nothing weaker to be had.
	one := func(text string) []drivers.Consistency {
		return []drivers.Consistency{{Name: "linearizable", Strong: true, Weak: true, RPCs: text}}
	}
	return drivers.Spec{
		Name:      "mem",
		Doc:       "A store inside kvscen's own process, for tests of scenarios and of the engine.",
		InProcess: true,
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 call, no network", TTL: true},
			{Kind: drivers.Get, Consistencies: one("1 call, no network")},
			{Kind: drivers.Delete, RPCs: "1 call, no network"},
			{Kind: drivers.Scan, Consistencies: one("1 call, no network, the whole store locked"), Limit: true, KeysOnly: true, Entries: true},
			{Kind: drivers.ListChildren, Consistencies: one("1 call, no network, the whole store locked"), Limit: true},
			{Kind: drivers.CAS, RPCs: "1 call, no network"},
			{Kind: drivers.Txn, RPCs: "1 call, no network, the whole store locked"},
			{Kind: drivers.Exists, Consistencies: one("1 call, no network")},
		},
		Options: []drivers.Option{
			{Name: "keep", Default: true, Doc: "store what is written; False: nothing is stored, every key is found with a fixed value"},
			{Name: "value", Default: int64(1024), Max: maxValue, Doc: "bytes of the fixed value, with keep = False"},
			{Name: "service", Default: time.Duration(0), Max: math.Inf(1), Doc: "service time of a request; 0: none"},
			{Name: "jitter", Default: time.Duration(0), Max: math.Inf(1), Doc: "added to the service time: up to this, spread evenly"},
			{Name: "stall_every", Default: int64(0), Max: math.Inf(1), Doc: "the whole member stalls after each so many requests; 0: never"},
			{Name: "stall_for", Default: time.Duration(0), Max: math.Inf(1), Doc: "how long it stalls"},
			{Name: "error_rate", Default: 0.0, Max: 1, Doc: "share of requests that are refused, evenly among all"},
			{Name: "loss_rate", Default: 0.0, Max: 1, Doc: "share of requests that are carried out but never answered, evenly among all"},
			{Name: "corrupt_rate", Default: 0.0, Max: 1, Doc: "share of requests that, being a get or a scan, are answered with one bit of a value changed, evenly among all"},
			{Name: "misread_rate", Default: 0.0, Max: 1, Doc: "share of requests that, being a get or a scan, are answered with the value of another key, evenly among all"},
		},
	}
}
