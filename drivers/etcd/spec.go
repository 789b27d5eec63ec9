package etcd

import (
	"math"

	"github.com/kvscen/kvscen/drivers"
)

const (
	maxRequest = 3 << 19  // bytes, the server's default
	envelope   = 4 << 10  // of a request, left for the key and for what surrounds it
	maxTxnOps  = 128      // the server's default
	connBytes  = 64 << 10 // seen: 48 KB after its first request, and more when it is busy
)

// Spec says what the store can do.
func (d *Driver) Spec() drivers.Spec { return spec() }

func spec() drivers.Spec {
	// reads describes an operation in both of etcd's consistencies.
	reads := func(text string) []drivers.Consistency {
		return []drivers.Consistency{
			{Name: linearizable, Strong: true, RPCs: "1 Range (linearizable" + text + ")"},
			{Name: serializable, Weak: true, RPCs: "1 Range (serializable" + text + ")"},
		}
	}
	return drivers.Spec{
		Name: "etcd",
		Doc:  "etcd, the v3 API over gRPC, one connection to one member.",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 Put", TTLRPCs: "1 LeaseGrant", TTL: true},
			{Kind: drivers.Get, Consistencies: reads("")},
			{Kind: drivers.Delete, RPCs: "1 DeleteRange"},
			{Kind: drivers.Scan, Consistencies: reads(", from key on"), Limit: true, KeysOnly: true, Entries: true},
			{Kind: drivers.ListChildren, Consistencies: reads(", prefix, keys only"), Limit: true},
			{Kind: drivers.CAS, RPCs: "1 Txn on the mod revision", CurrentRPCs: "1 Range (linearizable, keys only)"},
			{Kind: drivers.Txn, RPCs: "1 Txn"},
			{Kind: drivers.Exists, Consistencies: reads(", count only")},
		},
		Options: []drivers.Option{
			{Name: "fail_fast", Default: false, Doc: "fail requests at once while the connection is down, instead of waiting for it up to their timeout"},
			{Name: "max_send", Default: int64(0), Max: math.MaxInt32, Doc: "bytes of a request above which the client refuses it; 0: the server decides"},
			{Name: "max_receive", Default: int64(0), Max: math.MaxInt32, Doc: "bytes of a reply above which the client refuses it; 0: none"},
			{Name: "buffer", Default: int64(32 << 10), Max: math.MaxInt32, Doc: "bytes of the read and of the write buffer of a connection"},
		},
		Limits: drivers.Limits{
			Key:   maxRequest - envelope,
			Value: maxRequest - envelope,
			Txn:   maxTxnOps,
		},
		Secure:    true,
		ConnBytes: connBytes,
	}
}

// etcd's names for its consistencies of reads.
const (
	linearizable = "linearizable"
	serializable = "serializable"
)
