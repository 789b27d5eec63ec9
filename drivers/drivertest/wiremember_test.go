package drivertest_test

import (
	"bytes"
	"encoding/gob"
	"net"
	"sync"

	"github.com/kvscen/kvscen/drivers"
)

// wireMember is the store's server. What it holds outlives a restart.
type wireMember struct {
	listener net.Listener
	serving  sync.WaitGroup

	mu    sync.Mutex
	data  map[string][]byte
	conns map[net.Conn]bool
}

func (m *wireMember) start(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	m.listener, m.conns = l, map[net.Conn]bool{}
	m.serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // stopped
			}
			m.mu.Lock()
			m.conns[c] = true
			m.mu.Unlock()
			m.serving.Go(func() { m.serve(c) })
		}
	})
	return nil
}

// stop ends the member at once.
func (m *wireMember) stop() {
	m.listener.Close()
	m.mu.Lock()
	for c := range m.conns {
		c.Close()
	}
	m.mu.Unlock()
	m.serving.Wait()
}

func (m *wireMember) serve(c net.Conn) {
	defer c.Close()
	to, from := gob.NewEncoder(c), gob.NewDecoder(c)
	for {
		var request wireRequest
		if from.Decode(&request) != nil {
			return
		}
		reply := m.carryOut(&request)
		if !request.Quiet && to.Encode(reply) != nil {
			return
		}
	}
}

func (m *wireMember) carryOut(request *wireRequest) *wireReply {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := string(request.Key)
	value, found := m.data[key]
	switch request.Kind {
	case drivers.Put:
		m.data[key] = bytes.Clone(request.Value)
		return &wireReply{}
	case drivers.Delete:
		delete(m.data, key)
		return &wireReply{Found: found}
	}
	return &wireReply{Found: found, Value: value}
}
