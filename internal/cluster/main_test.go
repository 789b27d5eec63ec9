package cluster

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers/etcd/serve"
	"github.com/kvscen/kvscen/internal/host"
)

// The test binary is the guards and the members, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case host.GuardCommand:
			os.Exit(host.Guard(context.Background(), os.Args[2:], os.Stderr))
		case "serve":
			beEtcd(os.Args[3:])
		case "server":
			beServer(os.Args[2])
		case "fail":
			for i := range 30 {
				fmt.Println("line", i)
			}
			os.Exit(4)
		case "hang":
			time.Sleep(time.Minute)
		case "check":
			_, err := os.Stat(os.Args[2])
			fmt.Println("checked:", err)
			if err != nil {
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

func beEtcd(args []string) {
	if err := serve.Serve(context.Background(), args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(0)
}

// beServer serves pages on addr until SIGTERM. It appends what it does to the
// file TRACE, with its NAME.
func beServer(addr string) {
	trace := func(what string) {
		fmt.Println(what)
		if f, err := os.OpenFile(os.Getenv("TRACE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			fmt.Fprintln(f, os.Getenv("NAME"), what)
			f.Close()
		}
	}
	trace("starts")
	l, err := net.Listen("tcp", addr)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	ask := make(chan os.Signal, 1)
	signal.Notify(ask, syscall.SIGTERM)
	go func() {
		<-ask
		trace("stops")
		os.Exit(0)
	}()
	http.HandleFunc("/config", func(w http.ResponseWriter, _ *http.Request) {
		text, err := os.ReadFile("conf/server.cfg")
		fmt.Fprintf(w, "%s %v", text, err)
	})
	fmt.Println("serving")
	fmt.Println(http.Serve(l, nil))
}
