package main

import (
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

// levelDB is an open database.
type levelDB struct {
	db    *leveldb.DB
	write opt.WriteOptions
}

func (l *levelDB) put(key, value []byte) error { return l.db.Put(key, value, &l.write) }

func (l *levelDB) get(key []byte) error {
	_, err := l.db.Get(key, nil)
	return err
}

// openLevelDB leaves the library its own settings, which are the driver's too.
func openLevelDB(at place, clients, _ int) (*library, error) {
	db, err := leveldb.OpenFile(at.dir, &opt.Options{NoSync: !at.sync})
	if err != nil {
		return nil, err
	}
	l := &library{close: db.Close}
	for range clients {
		l.clients = append(l.clients, &levelDB{db: db, write: opt.WriteOptions{Sync: at.sync}})
	}
	return l, nil
}
