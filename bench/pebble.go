package main

import (
	"github.com/cockroachdb/pebble/v2"
)

// pebbleDB is an open database.
type pebbleDB struct {
	db    *pebble.DB
	write *pebble.WriteOptions
}

func (p pebbleDB) put(key, value []byte) error { return p.db.Set(key, value, p.write) }

func (p pebbleDB) get(key []byte) error {
	_, held, err := p.db.Get(key)
	if err != nil {
		return err
	}
	return held.Close()
}

// openPebble leaves the library its own settings, which are the driver's too.
func openPebble(at place, clients, _ int) (*library, error) {
	cache := pebble.NewCache(8 << 20)
	defer cache.Unref() // the database holds it from here on
	db, err := pebble.Open(at.dir, &pebble.Options{Cache: cache, FormatMajorVersion: pebble.FormatNewest, Logger: silence{}})
	if err != nil {
		return nil, err
	}
	write := pebble.NoSync
	if at.sync {
		write = pebble.Sync
	}
	l := &library{close: db.Close}
	for range clients {
		l.clients = append(l.clients, pebbleDB{db, write})
	}
	return l, nil
}
