package cassandra

import (
	"math"

	"github.com/kvscen/kvscen/drivers"
)

const (
	// maxMutation is half of a commit log's segment of 32 MiB, the server's
	// default. A larger write is dropped there, unanswered.
	maxMutation = 16 << 20
	// surroundings is more than a row takes in a mutation beside its key and value.
	surroundings = 4 << 10
	maxFrame     = 256 << 20      // bytes; the protocol has no larger request or reply
	maxKey       = 1<<16 - 1 - 16 // bytes; a primary key has a length of 16 bits, with what stands around its components
	connBytes    = 128 << 10      // seen: 117 KB after its first requests
)

// Names of consistencies that this package knows more of.
const (
	anyReplica  = "ANY"
	serial      = "SERIAL"
	localSerial = "LOCAL_SERIAL"
)

// Spec says what the store can do.
func (d *Driver) Spec() drivers.Spec { return spec() }

func spec() drivers.Spec {
	return drivers.Spec{
		Name: "cassandra",
		Doc: "Cassandra, one session with one member: a TCP connection for requests and one on which the library listens. A key is a row of a table, " +
			"in a partition of its own or, with the option partitions, in order within one of several; cas is a light-weight transaction on a column that holds the revision.",
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, Consistencies: writes("1 INSERT", 0), TTL: true},
			{Kind: drivers.Get, Consistencies: reads("1 SELECT", true)},
			{Kind: drivers.Delete, Consistencies: writes("1 SELECT of the key + 1 DELETE where it is there", 1), TxnRPCs: "1 SELECT of the key"},
			{Kind: drivers.Scan, Consistencies: reads("1 SELECT for each page", false), Limit: true, KeysOnly: true},
			{Kind: drivers.CAS, Consistencies: []drivers.Consistency{
				{Name: serial, Strong: true, RPCs: "1 UPDATE IF or INSERT IF NOT EXISTS (SERIAL)"},
				{Name: localSerial, Weak: true, RPCs: "1 UPDATE IF or INSERT IF NOT EXISTS (LOCAL_SERIAL)"},
			}, CurrentRPCs: "1 SELECT of the revision"},
			{Kind: drivers.Txn, Consistencies: writes("1 BATCH", 0), Parts: []drivers.Kind{drivers.Put, drivers.Delete}},
			{Kind: drivers.Exists, Consistencies: reads("1 SELECT of the key", true)},
		},
		Options: append(layoutOptions(), requestOptions()...),
		Limits: drivers.Limits{
			Key:   maxKey,
			Value: maxMutation - maxKey - surroundings,
		},
		Secure:    true,
		ConnBytes: connBytes,
		Given:     given,
	}
}

// given is the Spec as options change it.
func given(options map[string]any) drivers.Spec {
	s := spec()
	if drivers.OptionOf[int64](&s, options, "partitions") == 0 {
		s.Op(drivers.Scan).Refused = "each key is a partition of its own, and partitions have no order; with partitions = 1 or more keys stand in order within these"
	}
	s.Limits.Value = drivers.OptionOf[int64](&s, options, "max_mutation") - maxKey - surroundings
	return s
}

// reads are the consistencies of reads. QUORUM is strong beside writes of QUORUM,
// which are the default; SERIAL also sees a swap that is half done.
func reads(rpcs string, withSerial bool) []drivers.Consistency {
	list := []drivers.Consistency{{Name: "QUORUM", Strong: true}, {Name: "ONE", Weak: true}, {Name: "TWO"}, {Name: "THREE"}, {Name: "ALL"}, {Name: "LOCAL_QUORUM"}, {Name: "LOCAL_ONE"}}
	if withSerial {
		list = append(list, drivers.Consistency{Name: serial}, drivers.Consistency{Name: localSerial})
	}
	return describe(list, rpcs, 0)
}

func writes(rpcs string, more int) []drivers.Consistency {
	list := []drivers.Consistency{{Name: "QUORUM", Strong: true}, {Name: "ONE", Weak: true}, {Name: "TWO"}, {Name: "THREE"}, {Name: "ALL"}, {Name: "LOCAL_QUORUM"}, {Name: "LOCAL_ONE"}, {Name: "EACH_QUORUM"}, {Name: anyReplica}}
	return describe(list, rpcs, more)
}

func describe(list []drivers.Consistency, rpcs string, more int) []drivers.Consistency {
	for i := range list {
		list[i].RPCs, list[i].More = rpcs+" ("+list[i].Name+")", more
	}
	return list
}

// layoutOptions are those of the keyspace and the table. They serve to make them:
// what is there already stays as it is.
func layoutOptions() []drivers.Option {
	return []drivers.Option{
		{Name: "keyspace", Default: "kvscen", Doc: "keyspace of the table, made where it is missing, as the table is"},
		{Name: "partitions", Default: int64(0), Min: 0, Max: maxPartition, Doc: "partitions over which keys are spread by their hash, in order within each; 0: each key is a partition of its own, and there is no scan"},
		{Name: "replication_factor", Default: int64(0), Min: 0, Max: 100, Doc: "copies of each key; 0: as many as there are members, at most 3"},
		{Name: "replication", Default: "", Doc: "replication of the keyspace as a map in CQL, instead of SimpleStrategy with replication_factor"},
		{Name: "durable_writes", Default: true, Doc: "write to the commit log"},
		{Name: "compaction", Default: "SizeTieredCompactionStrategy", Doc: "name of the compaction strategy, or a map in CQL"},
		{Name: "compression", Default: "LZ4Compressor", Doc: "name of the compressor of the table's files, or a map in CQL; \"\": none"},
		{Name: "key_cache", Default: true, Doc: "cache where partitions begin in the files"},
		{Name: "row_cache", Default: "NONE", Doc: "rows of each partition to cache: NONE, ALL or a number"},
		{Name: "table_options", Default: "", Doc: "further properties of the table in CQL, such as \"gc_grace_seconds = 0\", joined by AND"},
	}
}

// requestOptions are those of requests and connections.
func requestOptions() []drivers.Option {
	return []drivers.Option{
		{Name: "delete", Default: deleteRead, Doc: "what a delete does: \"read\", which looks whether the key is there, since Cassandra does not say; \"blind\", which counts it as found"},
		{Name: "batch", Default: batchLogged, Doc: "batch that a txn becomes: \"logged\", of which all or nothing is done, sooner or later; \"unlogged\""},
		{Name: "timestamps", Default: clientTime, Doc: "whose time a plain write carries: \"client\", less 1 ms, or \"server\""},
		{Name: "commit_consistency", Default: "QUORUM", Doc: "consistency at which a swap is committed, after the agreement on it"},
		{Name: "token_aware", Default: false, Doc: "send each request to a replica of its key: a connection is then a TCP connection to each member, and one more; a scan goes to any"},
		{Name: "protocol", Default: int64(0), Min: 0, Max: 5, Doc: "version of the native protocol, 3 to 5; 0: the highest that the member speaks, for which each connection tries from above"},
		{Name: "page_size", Default: int64(5000), Min: 1, Max: math.MaxInt32, Doc: "rows of a page of a scan"},
		{Name: "max_mutation", Default: int64(maxMutation), Min: surroundings + maxKey + 1, Max: maxFrame, Doc: "bytes of a write above which the client refuses it: half of the server's commitlog_segment_size, above which the server drops it unanswered, or its native_transport_max_frame_size, if that is less"},
	}
}
