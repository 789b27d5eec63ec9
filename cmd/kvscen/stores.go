package main

import (
	"context"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/bbolt"
	"github.com/kvscen/kvscen/drivers/cassandra"
	"github.com/kvscen/kvscen/drivers/consul"
	"github.com/kvscen/kvscen/drivers/etcd"
	etcdserve "github.com/kvscen/kvscen/drivers/etcd/serve"
	"github.com/kvscen/kvscen/drivers/etcdv2"
	"github.com/kvscen/kvscen/drivers/leveldb"
	"github.com/kvscen/kvscen/drivers/mem"
	"github.com/kvscen/kvscen/drivers/pebble"
	"github.com/kvscen/kvscen/drivers/zookeeper"
)

// store is what kvscen has of one store: its client and, where members can be
// embedded in the binary, its server.
type store struct {
	driver drivers.Driver
	serve  func(ctx context.Context, args []string) error
}

// stores is the one list of them. Adding a store is a line here, a package
// under drivers and a recipe in stdlib.
func stores() []store {
	return []store{
		{driver: bbolt.New()},
		{driver: cassandra.New()},
		{driver: consul.New()},
		{driver: etcd.New(), serve: etcdserve.Serve},
		{driver: etcdv2.New()},
		{driver: leveldb.New()},
		{driver: mem.New()},
		{driver: pebble.New()},
		{driver: zookeeper.New()},
	}
}

// specs are the descriptions of all stores.
func specs() []drivers.Spec {
	var all []drivers.Spec
	for _, s := range stores() {
		all = append(all, s.driver.Spec())
	}
	return all
}

// driversByName is what the engine dials with.
func driversByName() map[string]drivers.Driver {
	byName := map[string]drivers.Driver{}
	for _, s := range stores() {
		byName[s.driver.Spec().Name] = s.driver
	}
	return byName
}

// servers are the embedded servers by the name of their store.
func servers() map[string]func(context.Context, []string) error {
	byName := map[string]func(context.Context, []string) error{}
	for _, s := range stores() {
		if s.serve != nil {
			byName[s.driver.Spec().Name] = s.serve
		}
	}
	return byName
}
