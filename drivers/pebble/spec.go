package pebble

import (
	"math"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable/block"

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
		Name:      "pebble",
		Doc:       "Pebble inside kvscen's own process.",
		InProcess: true,
		Ops: []drivers.OpInfo{
			{Kind: drivers.Put, RPCs: "1 batch (flushed to disk unless sync = False)"},
			{Kind: drivers.Get, Consistencies: one("1 get")},
			{Kind: drivers.Delete, RPCs: "1 get, then 1 delete (flushed to disk unless sync = False)"},
			{Kind: drivers.Scan, Consistencies: one("1 iterator"), Limit: true, KeysOnly: true, Entries: true},
			{Kind: drivers.Txn, RPCs: "1 batch where it only puts, 1 snapshot where it only reads, else 1 indexed batch, other writers kept out by a lock of kvscen's"},
			{Kind: drivers.Exists, Consistencies: one("1 get, the value not copied")},
		},
		Options: []drivers.Option{
			{Name: "sync", Default: true, Doc: "a write returns once it is on disk; False loses the last ones with the machine"},
			{Name: "wal", Default: true, Doc: "keep a write-ahead log; False loses with the process what is in memory"},
			{Name: "block_size", Default: int64(4 << 10), Doc: "bytes of a block of a table, before compression"},
			{Name: "cache", Default: int64(8 << 20), Doc: "bytes of the cache of blocks"},
			{Name: "compression", Default: "snappy", Doc: "of blocks: snappy, zstd or none"},
			{Name: "write_buffer", Default: int64(4 << 20), Doc: "bytes of a table in memory"},
			{Name: "write_buffers", Default: int64(2), Doc: "tables in memory at which writes wait"},
			{Name: "bloom_bits", Default: int64(0), Doc: "bits of a Bloom filter for each key; 0: no filter"},
			{Name: "open_files", Default: int64(1000), Doc: "files kept open"},
			{Name: "l0_compaction", Default: int64(4), Doc: "depth of level 0 at which a compaction begins"},
			{Name: "l0_stop", Default: int64(12), Doc: "depth of level 0 at which writes wait"},
			{Name: "compactions", Default: int64(1), Doc: "compactions at the same time"},
		},
	}
}

// settings turns options into those of the library. The caller gives the cache
// back.
func settings(o *inproc.Options) (*pebble.Options, error) {
	compactions := o.Int("compactions", 1)
	s := &pebble.Options{
		ErrorIfExists:               true,
		DisableWAL:                  !o.Bool("wal"),
		MemTableSize:                uint64(min(o.Bytes("write_buffer", 1<<10), math.MaxUint32-1)),
		MemTableStopWritesThreshold: o.Int("write_buffers", 2),
		MaxOpenFiles:                o.Int("open_files", 1),
		L0CompactionThreshold:       o.Int("l0_compaction", 1),
		L0StopWritesThreshold:       o.Int("l0_stop", 1),
		CompactionConcurrencyRange:  func() (int, int) { return compactions, compactions },
		FormatMajorVersion:          pebble.FormatNewest,
	}
	compression := map[string]*block.CompressionProfile{
		"snappy": block.SnappyCompression, "zstd": block.ZstdCompression, "none": block.NoCompression,
	}[o.Choice("compression", "snappy", "zstd", "none")]
	blockSize, bits := o.Int("block_size", 1), o.Int("bloom_bits", 0)
	for i := range s.Levels {
		level := &s.Levels[i]
		level.BlockSize = blockSize
		level.Compression = func() *block.CompressionProfile { return compression }
		if bits > 0 {
			level.FilterPolicy, level.FilterType = bloom.FilterPolicy(bits), pebble.TableFilter
		}
	}
	size := o.Bytes("cache", 0)
	if err := o.Err(); err != nil {
		return nil, err
	}
	s.Cache = pebble.NewCache(size)
	return s, nil
}
