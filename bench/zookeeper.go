package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"
)

// zookeeperClient sets and gets nodes. The library's calls take no context: a
// session that is lost ends them.
type zookeeperClient struct{ conn *zk.Conn }

func (c zookeeperClient) put(key, value []byte) error {
	_, err := c.conn.Set(zookeeperRoot+string(key), value, -1)
	return err
}

func (c zookeeperClient) get(key []byte) error {
	_, _, err := c.conn.Get(zookeeperRoot + string(key))
	return err
}

const zookeeperRoot = "/kvscen/" // of the driver's keys

func dialZooKeeper(at place, clients, conns int) (*library, error) {
	var list []*zk.Conn
	l := &library{close: func() error {
		for _, c := range list {
			c.Close()
		}
		return nil
	}}
	for range conns {
		c, _, err := zk.Connect([]string{at.endpoint}, 10*time.Second, zk.WithLogger(silence{}))
		if err != nil {
			l.close()
			return nil, err
		}
		list = append(list, c)
	}
	ctx, cancel := context.WithTimeout(context.Background(), startWithin)
	defer cancel()
	for _, c := range list {
		for c.State() != zk.StateHasSession {
			if err := ctx.Err(); err != nil {
				l.close()
				return nil, fmt.Errorf("no session: %w", err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	for i := range clients {
		l.clients = append(l.clients, zookeeperClient{list[i%conns]})
	}
	return l, nil
}

// silence takes what libraries log by themselves.
type silence struct{}

func (silence) Printf(string, ...any) {}
func (silence) Infof(string, ...any)  {}
func (silence) Errorf(string, ...any) {}
func (silence) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...)) // it must not return
}
