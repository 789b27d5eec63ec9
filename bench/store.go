package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/bbolt"
	"github.com/kvscen/kvscen/drivers/cassandra"
	"github.com/kvscen/kvscen/drivers/consul"
	"github.com/kvscen/kvscen/drivers/etcd"
	"github.com/kvscen/kvscen/drivers/etcdv2"
	"github.com/kvscen/kvscen/drivers/leveldb"
	"github.com/kvscen/kvscen/drivers/pebble"
	"github.com/kvscen/kvscen/drivers/zookeeper"
)

// store is one whose client library is measured in two hands: those of kvscen,
// and those of somebody who needs a loop and no more.
type store struct {
	name    string
	driver  drivers.Driver
	recipe  string         // what starts one member, in the language; empty: the store lives in this process
	options map[string]any // of the driver, where they are not the default
	clients int
	conns   int
	kinds   []string
	library func(at place, clients, conns int) (*library, error)
}

// place is where a store is: its member's endpoint, or a folder of its own in
// this process.
type place struct {
	endpoint string
	dir      string
	sync     bool // in this process: a write returns once it is on disk
}

// library is the client library in the hands of a bare loop.
type library struct {
	clients []requests
	close   func() error
}

// requests are those of one client. A key that is not there is an error of get.
// Neither may keep its arguments.
type requests interface {
	put(key, value []byte) error
	get(key []byte) error
}

// stores are sorted by name. An engine in this process is measured with writes
// that wait for the disk, which is its driver's default, and with those that do
// not, where the disk hides nothing.
func stores() []store {
	both, puts := []string{"get", "put"}, []string{"put"}
	unsynced := map[string]any{"sync": false}
	return []store{
		{name: "bbolt", driver: bbolt.New(), clients: 8, conns: 8, kinds: both, library: openBbolt},
		{name: "bbolt", driver: bbolt.New(), options: unsynced, clients: 8, conns: 8, kinds: puts, library: openBbolt},
		{name: "cassandra", driver: cassandra.New(), recipe: `stores["cassandra"](nodes = 1, heap = 384 * MiB)`,
			clients: 50, conns: 10, kinds: both, library: dialCassandra},
		{name: "consul", driver: consul.New(), recipe: `stores["consul"](nodes = 1)`, clients: 20, conns: 20, kinds: both, library: dialConsul},
		{name: "etcd", driver: etcd.New(), recipe: `stores["etcd"](nodes = 1)`, clients: 100, conns: 10, kinds: both, library: dialEtcd},
		{name: "etcdv2", driver: etcdv2.New(), recipe: `stores["etcdv2"](nodes = 1)`, clients: 20, conns: 20, kinds: both, library: dialEtcdV2},
		{name: "leveldb", driver: leveldb.New(), clients: 8, conns: 8, kinds: both, library: openLevelDB},
		{name: "leveldb", driver: leveldb.New(), options: unsynced, clients: 8, conns: 8, kinds: puts, library: openLevelDB},
		{name: "pebble", driver: pebble.New(), clients: 8, conns: 8, kinds: both, library: openPebble},
		{name: "pebble", driver: pebble.New(), options: unsynced, clients: 8, conns: 8, kinds: puts, library: openPebble},
		{name: "zookeeper", driver: zookeeper.New(), recipe: `stores["zookeeper"](nodes = 1, heap = 384 * MiB)`,
			clients: 100, conns: 100, kinds: both, library: dialZooKeeper}, // a session each, as a phase has them unless it says otherwise
	}
}

// clientBenchmarks has one benchmark a store.
func clientBenchmarks() []benchmark {
	var list []benchmark
	for _, st := range stores() {
		if n := len(list); n > 0 && list[n-1].name == st.name {
			first := list[n-1].run
			list[n-1].run = func(s *sheet) error { return errors.Join(first(s), st.measure(s)) }
			continue
		}
		what := fmt.Sprintf("client CPU a request of %s, against a bare loop over the same library; at most %g", st.name, mostCPU)
		list = append(list, benchmark{st.name, what, st.measure})
	}
	return list
}

// measure starts the store, fills it, and compares.
func (st store) measure(s *sheet) (err error) {
	missing, err := st.missing()
	if err != nil {
		return err
	}
	if missing != "" {
		s.pass(st.name, missing)
		return nil
	}
	dir, err := os.MkdirTemp("", "kvscen-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	endpoint, stop, err := st.start(s, filepath.Join(dir, "ours"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	at := place{endpoint: endpoint, dir: filepath.Join(dir, "bare"), sync: st.options["sync"] != false}
	b := &bareSide{store: st, at: at}
	defer func() { err = errors.Join(err, b.close()) }()
	return st.compare(s, endpoint, b)
}

// isHere reports whether the store lives in this process.
func (st store) isHere() bool { return st.recipe == "" }
