package etcdv2

import "github.com/kvscen/kvscen/drivers"

const (
	maxForm   = 10 << 20 // bytes of a form that the server's library reads
	envelope  = 4 << 10  // of it, left for what surrounds the value
	maxValue  = (maxForm - envelope) / 4 * 3
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
		Doc: "etcd, the v2 API over HTTP, one connection to one member. A key is a path: what stands before a slash is a directory, and no key besides. " +
			"A scan reads the directory of its key whole and counts the keys that begin with it. There are no limits of replies: a list or scan reads all there is.",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 PUT, a value that is no text in base64", TTL: true},
			{Kind: drivers.Get, Consistencies: reads},
			{Kind: drivers.Delete, RPCs: "1 DELETE"},
			{Kind: drivers.Scan, Consistencies: []drivers.Consistency{
				{Name: byDefault, Weak: true, RPCs: "1 GET with recursive=true, answered by the member alone"},
				{Name: byQuorum, Strong: true, RPCs: "1 GET with recursive=true and quorum=true"},
			}},
			{Kind: drivers.ListChildren, Consistencies: reads},
			{Kind: drivers.CAS, RPCs: "1 PUT on the modified index", CurrentRPCs: "1 GET with quorum=true"},
			// A member answers for itself, whatever it is asked for.
			{Kind: drivers.Exists, Consistencies: []drivers.Consistency{{Name: byDefault, Weak: true, RPCs: "1 HEAD, answered by the member alone"}}},
		},
		Options: []drivers.Option{
			{Name: "sockets", Default: int64(1), Doc: "TCP connections that one connection may open; requests of clients that share it wait for a free one", Min: 1, Max: maxSockets},
		},
		// A value that is no text goes in base64. One that is text goes as it is,
		// but what a form has to escape in it counts three times.
		Limits:    drivers.Limits{Value: maxValue},
		Secure:    true,
		ConnBytes: connBytes,
		Given:     given,
	}
}

// given is what holds where a connection may open several sockets.
func given(options map[string]any) drivers.Spec {
	s := spec()
	s.Sockets = drivers.OptionOf[int64](&s, options, "sockets")
	return s
}
