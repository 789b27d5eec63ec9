package bbolt

import (
	"go.etcd.io/bbolt"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/inproc"
)

func spec() drivers.Spec {
	// A reader in the same process sees every write that has returned: there is
	// nothing weaker to be had.
	one := func(text string) []drivers.Consistency {
		return []drivers.Consistency{{Name: "linearizable", Strong: true, Weak: true, RPCs: text}}
	}
	return drivers.Spec{
		Name:      "bbolt",
		Doc:       "bbolt inside kvscen's own process.",
		InProcess: true,
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 read-write transaction (flushed to disk unless sync = False), shared with others where batch is above 0"},
			{Kind: drivers.Get, Consistencies: one("1 read-only transaction, the value copied")},
			{Kind: drivers.Delete, RPCs: "1 read-write transaction (flushed to disk unless sync = False)"},
			{Kind: drivers.Scan, Consistencies: one("1 read-only transaction, 1 cursor, values copied"), Limit: true, KeysOnly: true, Entries: true},
			{Kind: drivers.Txn, RPCs: "1 transaction, read-only where it only reads"},
			{Kind: drivers.Exists, Consistencies: one("1 read-only transaction, the value not touched")},
		},
		Options: []drivers.Option{
			{Name: "sync", Default: true, Doc: "a write returns once it is on disk; False may lose the whole file with the machine"},
			{Name: "batch", Default: int64(0), Doc: "puts at the same time that share one transaction; 0: each has its own"},
			{Name: "batch_delay", Default: defaultDelay, Doc: "how long the first of them waits for others"},
			{Name: "page_size", Default: int64(0), Doc: "bytes of a page; 0: that of the machine"},
			{Name: "fill", Default: bbolt.DefaultFillPercent, Doc: "share of a page that is filled before it is split; 1.0 suits keys written in order"},
			{Name: "initial_map", Default: int64(0), Doc: "bytes of the file mapped at the start; a write beyond what is mapped waits for all readers"},
			{Name: "alloc_size", Default: int64(16 << 20), Doc: "bytes by which the file grows at a time"},
			{Name: "freelist", Default: "array", Doc: "how free pages are kept in memory: array or hashmap"},
			{Name: "freelist_sync", Default: true, Doc: "write the list of free pages with each transaction; False rebuilds it when the file is opened"},
			{Name: "grow_sync", Default: true, Doc: "flush the file's size to disk when it grows"},
		},
		// Values may have 2 GiB, more than a scenario is likely to write.
		Limits: drivers.Limits{Key: bbolt.MaxKeySize},
	}
}

// settings turns options into those of the library.
func settings(o *inproc.Options) (*bbolt.Options, error) {
	s := &bbolt.Options{
		Timeout:         lockWithin,
		NoSync:          !o.Bool("sync"),
		NoGrowSync:      !o.Bool("grow_sync"),
		NoFreelistSync:  !o.Bool("freelist_sync"),
		InitialMmapSize: int(o.Bytes("initial_map", 0)),
		PageSize:        o.Int("page_size", 0),
		FreelistType:    bbolt.FreelistType(o.Choice("freelist", "array", "hashmap")),
	}
	return s, o.Err()
}
