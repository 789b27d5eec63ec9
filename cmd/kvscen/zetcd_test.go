package main

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// standInZetcd takes zetcd's flags and speaks enough of ZooKeeper's protocol for
// clients to open sessions and write: it acknowledges everything and keeps
// nothing. It is for tests of how a proxy is started, watched and stopped.
func standInZetcd() {
	flags := flag.NewFlagSet("zetcd", flag.ExitOnError)
	address := flags.String("zkaddr", "", "address to serve")
	etcd := flags.String("endpoints", "", "address of etcd")
	flags.Bool("logtostderr", false, "write no files of logs")
	_ = flags.Parse(os.Args[1:]) // it exits on an error
	member, err := net.DialTimeout("tcp", *etcd, 5*time.Second)
	if err != nil {
		fmt.Println("etcd was not started first:", err)
		os.Exit(1)
	}
	defer member.Close()
	l, err := net.Listen("tcp", *address)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if err := serveSession(c); err != nil && !errors.Is(err, io.EOF) {
					fmt.Println("session:", err)
				}
			}()
		}
	}()
	fmt.Println("serving")
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
	// etcd is stopped later: its connection is still open.
	_ = member.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	_, err = member.Read(make([]byte, 1))
	fmt.Println("stopping, etcd there:", errors.Is(err, os.ErrDeadlineExceeded))
}

// Operations and an error of ZooKeeper's protocol.
const (
	opCreate  = 1
	opExists  = 3
	opSetData = 5
	opClose   = -11
	noNode    = -101
)

func serveSession(c net.Conn) error {
	hello, err := readFrame(c)
	if err != nil || len(hello) < 16 {
		return errors.Join(err, errors.New("no request for a session"))
	}
	// Protocol version, the timeout as asked for, a session's id and password.
	answer := append(make([]byte, 4), hello[12:16]...)
	answer = binary.BigEndian.AppendUint64(answer, 1)
	answer = append(binary.BigEndian.AppendUint32(answer, 16), make([]byte, 16)...)
	for {
		if _, err := c.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(answer))), answer...)); err != nil {
			return err
		}
		request, err := readFrame(c)
		if err != nil {
			return err
		}
		if len(request) < 8 {
			return fmt.Errorf("a request of %d bytes", len(request))
		}
		answer = reply(request)
		if int32(binary.BigEndian.Uint32(request[4:])) == opClose {
			return nil
		}
	}
}

// reply acknowledges a request: the header, and what its operation gives.
func reply(request []byte) []byte {
	answer := append(request[:4:4], make([]byte, 12)...) // its number, no transaction, no error
	body := request[8:]
	switch op := int32(binary.BigEndian.Uint32(request[4:])); op {
	case opCreate: // the path
		answer = append(answer, body[:4+binary.BigEndian.Uint32(body)]...)
	case opSetData: // facts of the node
		answer = append(answer, make([]byte, 68)...)
	case opExists:
		missing := int32(noNode)
		binary.BigEndian.PutUint32(answer[12:], uint32(missing))
	}
	return answer
}

func readFrame(c net.Conn) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(c, size[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > 1<<20 {
		return nil, fmt.Errorf("a message of %d bytes", n)
	}
	frame := make([]byte, n)
	_, err := io.ReadFull(c, frame)
	return frame, err
}
