package zookeeper

import (
	"time"

	"github.com/kvscen/kvscen/drivers"
)

const (
	maxRequest = 1<<20 - 1 // bytes, the server's default jute.maxbuffer
	envelope   = 4 << 10   // of a request, left for the key and for what surrounds it
	frame      = 1 << 10   // of a message, beside paths and values
	maxBuffer  = 1 << 30   // bytes, above which no buffer is made
	connBytes  = 96 << 10  // seen: 90 KB after its first requests
)

// ZooKeeper has no names for its two ways to read.
const (
	local        = "default"
	linearizable = "linearizable"
)

// Spec says what the store can do.
func (d *Driver) Spec() drivers.Spec { return spec() }

func spec() drivers.Spec {
	reads := func(call string) []drivers.Consistency {
		return []drivers.Consistency{
			{Name: local, Weak: true, RPCs: "1 " + call},
			{Name: linearizable, Strong: true, RPCs: "1 sync + 1 " + call, More: 1},
		}
	}
	return drivers.Spec{
		Name: "zookeeper",
		Doc: "ZooKeeper, one session with one member, where the option failover does not let it move. A key is the path of a node: what a path can't hold is escaped as %xx, " +
			"nodes above a key are made when they are missing, and a key with keys below it can't be deleted. " +
			"User and password are those of the scheme digest; TLS is for a member's secureClientPort.",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 create or 1 set, as the client's last put was; both where the key asks for the other", TxnRPCs: "1 exists"},
			{Kind: drivers.Get, Consistencies: reads("getData"), TxnRPCs: "1 getData"},
			{Kind: drivers.Delete, RPCs: "1 delete", TxnRPCs: "1 exists"},
			{Kind: drivers.ListChildren, Consistencies: reads("getChildren2")},
			{Kind: drivers.CAS, RPCs: "1 setData with the version, or 1 create", CurrentRPCs: "1 exists"},
			{Kind: drivers.Txn, RPCs: "1 multi, sent again where what was read before has changed"},
			{Kind: drivers.Exists, Consistencies: reads("exists"), TxnRPCs: "1 exists"},
		},
		Options: []drivers.Option{
			{Name: "session_timeout", Default: 10 * time.Second, Doc: "time without a sign of the client after which its session expires; the server bounds it to 2 to 20 ticks"},
			{Name: "mode", Default: modeUpsert, Doc: "what a put does: \"upsert\"; \"create\", which fails where the key exists; \"set\", which fails where it does not"},
			{Name: "root", Default: "kvscen", Doc: "node above all keys; \"\": none, but from 3.6 on servers keep and publish metrics for each node at the top: one for each key, then"},
			{Name: "fanout", Default: int64(0), Doc: "nodes over which keys are spread by their hash, against one node with all of them below it; 0: as the key says; then there is no list_children"},
			{Name: "ephemeral", Default: false, Doc: "the nodes created vanish with the session of their connection"},
			{Name: "sequential", Default: false, Doc: "each put creates a node of its own, whose name is the key and ten digits that the server counts up"},
			{Name: "acl", Default: aclOpen, Doc: "who may read and write the nodes created: \"open\": everybody; \"user\": the user of the connection alone"},
			{Name: "max_request", Default: int64(maxRequest), Doc: "bytes of a request above which the client refuses it, as the server's jute.maxbuffer; a connection keeps a buffer of this size from its first request above 15 KiB on, before which it sends 1 exists"},
			{Name: "max_reply", Default: int64(0), Doc: "bytes of a reply above which the client drops the connection; 0: none"},
			{Name: "fail_fast", Default: false, Doc: "fail requests at once while there is no session, instead of waiting for it up to their timeout"},
			{Name: "failover", Default: false, Doc: "a connection begins at one member, and its session may move on to the next one when that is lost; False: it waits for the same member, so that the load of each stays what it was"},
			{Name: "proxy", Default: noProxy, Doc: "what stands between: \"\", members are ZooKeeper's own; \"zetcd\" is asked for nothing that would end it (multi, users, TLS, four-letter words)"},
			{Name: "max_connections", Default: int64(0), Doc: "connections that a member takes from one address, as its maxClientCnxns, so that the plan can be checked; 0: not known"},
			{Name: "four_letter_words", Default: true, Doc: "ask members for version, leader and metrics by srvr and mntr; False where a proxy answers neither: they are n/a then"},
		},
		Limits: drivers.Limits{
			Key:   maxRequest - envelope,
			Value: maxRequest - envelope,
			Reply: 0,
		},
		Secure:    true,
		ConnBytes: connBytes,
		Given:     given,
	}
}
