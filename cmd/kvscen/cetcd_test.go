package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// standInCetcd takes cetcd's flags and serves single keys as cetcd does, out of
// its memory. It is for tests of how a proxy is started, watched and stopped.
func standInCetcd() {
	flags := flag.NewFlagSet("cetcd", flag.ExitOnError)
	etcd := flags.String("etcd", "", "URL of etcd")
	address := flags.String("consuladdr", "", "address to serve")
	_ = flags.Parse(os.Args[1:]) // it exits on an error
	fatal := func(what string, err error) {
		if err != nil {
			fmt.Println(what, err)
			os.Exit(1)
		}
	}
	u, err := url.Parse(*etcd)
	fatal("the URL of etcd:", err)
	member, err := net.DialTimeout("tcp", u.Host, 5*time.Second)
	fatal("etcd was not started first:", err)
	defer member.Close()
	l, err := net.Listen("tcp", *address)
	fatal("no address to serve:", err)
	server := &http.Server{Handler: &standInKeys{pairs: map[string]standInPair{}}}
	go server.Serve(l)
	fmt.Println("serving")
	ctx, done := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer done()
	<-ctx.Done()
	fmt.Println("stopping")
	server.Close()
}

// standInKeys serves /v1/kv/KEY and nothing besides.
type standInKeys struct {
	mu    sync.Mutex
	index uint64
	pairs map[string]standInPair
}

type standInPair struct {
	Key         string
	Value       []byte
	ModifyIndex uint64
}

func (s *standInKeys) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, ok := strings.CutPrefix(r.URL.Path, "/v1/kv/")
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodPut {
		fmt.Println("asked for", r.Method, r.URL)
		http.NotFound(w, r)
		return
	}
	value, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, found := s.pairs[key]
	if r.Method == http.MethodGet {
		list := []standInPair{}
		if found {
			list = append(list, now)
		}
		json.NewEncoder(w).Encode(list)
		return
	}
	if want := r.URL.Query(); want.Has("cas") && want.Get("cas") != strconv.FormatUint(now.ModifyIndex, 10) {
		io.WriteString(w, "false")
		return
	}
	s.index++
	s.pairs[key] = standInPair{key, value, s.index}
	io.WriteString(w, "true")
}
