package etcdv2

import "github.com/kvscen/kvscen/drivers"

const (
	maxForm   = 10 << 20  // bytes of a form that the server's library reads
	envelope  = 4 << 10   // of it, left for what surrounds the value
	connBytes = 128 << 10 // buffers of a connection, and the goroutines that serve it
)

// The consistencies of reads. The API has no names for them but a flag.
const (
	byQuorum  = "quorum"
	byDefault = "default"
)

// Spec says what the store can do.
func (d *Driver) Spec() drivers.Spec { return spec() }

func spec() drivers.Spec {
	reads := []drivers.Consistency{
		{Name: byDefault, Weak: true, RPCs: "1 GET, answered by the member alone"},
		{Name: byQuorum, Strong: true, RPCs: "1 GET with quorum=true"},
	}
	return drivers.Spec{
		Name: "etcdv2",
		Doc:  "etcd, the v2 API over HTTP, one connection to one member.",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 PUT", TTL: true},
			{Kind: drivers.Get, Consistencies: reads},
			{Kind: drivers.Delete, RPCs: "1 DELETE"},
			{Kind: drivers.ListChildren, Consistencies: reads},
			{Kind: drivers.CAS, RPCs: "1 PUT on the modified index", CurrentRPCs: "1 GET with quorum=true"},
		},
		Options: []drivers.Option{
			{Name: "sockets", Default: int64(1), Doc: "TCP connections that one connection may open; requests of clients that share it wait for a free one"},
		},
		// A value goes as a form: bytes that it has to escape count three times.
		Limits:    drivers.Limits{Value: maxForm - envelope},
		ConnBytes: connBytes,
	}
}
