package leveldb

import (
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"

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
		Name:      "leveldb",
		Doc:       "LevelDB (goleveldb) inside kvscen's own process.",
		InProcess: true,
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 write (flushed to disk unless sync = False)"},
			{Kind: drivers.Get, Consistencies: one("1 get")},
			{Kind: drivers.Delete, RPCs: "1 look for the key, then 1 delete (flushed to disk unless sync = False)"},
			{Kind: drivers.Scan, Consistencies: one("1 iterator"), Limit: true, KeysOnly: true, Entries: true},
			{Kind: drivers.Txn, RPCs: "1 batch where it only puts, 1 snapshot where it only reads, else 1 transaction that keeps other writers out"},
			{Kind: drivers.Exists, Consistencies: one("1 look for the key")},
		},
		Options: []drivers.Option{
			{Name: "sync", Default: true, Doc: "a write returns once it is on disk; False loses the last ones with the machine"},
			{Name: "block_size", Default: int64(4 << 10), Doc: "bytes of a block of a table, before compression"},
			{Name: "cache", Default: int64(8 << 20), Doc: "bytes of the cache of blocks; 0: none"},
			{Name: "compression", Default: "snappy", Doc: "of blocks: snappy or none"},
			{Name: "write_buffer", Default: int64(4 << 20), Doc: "bytes of writes kept in memory before they become a table"},
			{Name: "table_size", Default: int64(2 << 20), Doc: "bytes of a table that a compaction writes"},
			{Name: "bloom_bits", Default: int64(0), Doc: "bits of a Bloom filter for each key; 0: no filter"},
			{Name: "open_files", Default: int64(500), Doc: "tables kept open"},
			{Name: "l0_compaction", Default: int64(4), Doc: "tables in level 0 at which a compaction begins"},
			{Name: "l0_slowdown", Default: int64(8), Doc: "tables in level 0 at which writes are slowed down"},
			{Name: "l0_stop", Default: int64(12), Doc: "tables in level 0 at which writes wait"},
		},
	}
}

// settings turns options into those of the library.
func settings(o *inproc.Options) (*opt.Options, error) {
	s := &opt.Options{
		ErrorIfExist:           true,
		BlockSize:              o.Int("block_size", 1),
		BlockCacheCapacity:     o.Int("cache", 0),
		WriteBuffer:            o.Int("write_buffer", 1),
		CompactionTableSize:    o.Int("table_size", 1),
		OpenFilesCacheCapacity: o.Int("open_files", 1),
		CompactionL0Trigger:    o.Int("l0_compaction", 1),
		WriteL0SlowdownTrigger: o.Int("l0_slowdown", 1),
		WriteL0PauseTrigger:    o.Int("l0_stop", 1),
		Compression:            opt.SnappyCompression,
		NoSync:                 !o.Bool("sync"),
	}
	if s.BlockCacheCapacity == 0 {
		s.DisableBlockCache = true // 0 stands for the default there
	}
	if o.Choice("compression", "snappy", "none") == "none" {
		s.Compression = opt.NoCompression
	}
	if bits := o.Int("bloom_bits", 0); bits > 0 {
		s.Filter = filter.NewBloomFilter(bits)
	}
	return s, o.Err()
}
