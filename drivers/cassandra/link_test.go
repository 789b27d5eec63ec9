package cassandra

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// pair is a wire and the other end of it.
func pair(t *testing.T) (*wire, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	made, err := newLink(t.Context(), drivers.Target{Endpoint: l.Addr().String()}, false)
	if err != nil {
		t.Fatal(err)
	}
	dialed, err := made.DialHost(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.cut)
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	return dialed.Conn.(*wire), far
}

func TestFramesInOrder(t *testing.T) {
	w, far := pair(t)
	var want strings.Builder
	for i := range 1000 {
		frame := strings.Repeat(string(rune('a'+i%26)), i)
		want.WriteString(frame)
		if n, err := w.Write([]byte(frame)); n != len(frame) || err != nil {
			t.Fatalf("frame %d: %d, %v", i, n, err)
		}
	}
	got := make([]byte, want.Len())
	if _, err := io.ReadFull(far, got); err != nil || string(got) != want.String() {
		t.Errorf("what came is not what was sent: %v", err)
	}
}

// TestWriteDoesNotWait fills the connection to somebody who takes nothing.
func TestWriteDoesNotWait(t *testing.T) {
	w, far := pair(t)
	frame := make([]byte, 64<<20)
	var err error
	for range 40 {
		if _, err = w.Write(frame); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "takes nothing") {
		t.Errorf("error %v after 2.5 GiB, want that nothing is taken", err)
	}
	far.Close()
}

func TestCut(t *testing.T) {
	w, far := pair(t)
	w.link.cut()
	far.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := far.Read(make([]byte, 1)); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the other end sees %v, want the end of the connection", err)
	}
	if _, err := w.link.DialHost(t.Context(), nil); err == nil {
		t.Error("something was connected after the cut")
	}
}

func TestClassify(t *testing.T) {
	for name, x := range map[string]struct {
		err   error
		class drivers.Class
		words string
	}{
		"unavailable":  {&gocql.RequestErrUnavailable{}, drivers.Other, "0 are alive"}, // the code comes with the frame
		"overtaken":    {&gocql.RequestErrWriteTimeout{WriteType: "CAS"}, drivers.Conflict, "not known"},
		"no answer":    {gocql.ErrTimeoutNoResponse, drivers.Timeout, "no response"},
		"not there":    {gocql.ErrNoConnections, drivers.Unavailable, "not connected"},
		"no streams":   {gocql.ErrNoStreams, drivers.Unavailable, "streams"},
		"reset":        {&net.OpError{Op: "read", Err: errors.New("reset")}, drivers.Unavailable, "reset"},
		"end":          {io.EOF, drivers.Unavailable, "EOF"},
		"unknown":      {errors.New("something"), drivers.Other, "something"},
		"read timeout": {&gocql.RequestErrReadTimeout{BlockFor: 2, Received: 1}, drivers.Other, "2 replicas, 1 came"},
	} {
		if got := classify(x.err); got != x.class {
			t.Errorf("%s: class %v, want %v", name, got, x.class)
		}
		if text := (&link{}).worded(x.err).Error(); !strings.Contains(text, x.words) {
			t.Errorf("%s: %q, want %q in it", name, text, x.words)
		}
	}
	if codes[gocql.ErrCodeUnavailable] != drivers.Unavailable || codes[gocql.ErrCodeOverloaded] != drivers.Refused {
		t.Errorf("codes: %v", codes)
	}
}
