package zookeeper

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
	"time"
)

// message is one with a number, as both sides frame it.
func message(number int32, rest string) []byte {
	m := binary.BigEndian.AppendUint32(nil, uint32(4+len(rest)))
	return append(binary.BigEndian.AppendUint32(m, uint32(number)), rest...)
}

// ended is the reply that is put in for a request.
func ended(number int32) []byte {
	return message(number, "\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xf9")
}

// newPair is a wire with a session, and the member's end of it.
func newPair(t *testing.T) (*wire, net.Conn) {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	go io.Copy(io.Discard, theirs) // ends with the pipe
	l := newLink(transport{}, 0)
	t.Cleanup(l.close)
	w := newWire(ours, l)
	w.proved.Store(true)
	w.limited = true // there is no library to be told of limits
	return w, theirs
}

func (w *wire) mustSend(t *testing.T, numbers ...int32) {
	t.Helper()
	for _, n := range numbers {
		if _, err := w.Write(message(n, "request")); err != nil {
			t.Fatal(err)
		}
	}
}

// mustRead checks what comes next.
func (w *wire) mustRead(t *testing.T, want []byte) {
	t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(w, got); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("read %x, %v; want %x", got, err, want)
	}
}

// TestEnd ends requests in turn, between replies of the member's and in the middle
// of the head of one.
func TestEnd(t *testing.T) {
	w, member := newPair(t)
	w.mustSend(t, 1, -2, 2, 3) // -2 is a ping
	if w.end(3) {
		t.Error("a request was ended that was not sent")
	}
	if !w.end(1) {
		t.Error("request 2 was not found")
	}
	w.mustRead(t, ended(2))
	one, two := message(1, "what was asked for"), message(2, "what came too late")
	goOn := make(chan struct{})
	go func() {
		member.Write(one)
		member.Write(two[:6])
		<-goOn
		member.Write(two[6:])
	}()
	w.mustRead(t, one)
	if !w.end(0) || w.end(0) {
		t.Error("of requests 1 to 3, 3 alone should be left to be ended")
	}
	w.mustRead(t, ended(3))
	close(goOn)
	w.mustRead(t, two)
}

// TestSilence ends requests on a wire whose member says nothing: the time at which
// the library gives it up stands, until the member says something.
func TestSilence(t *testing.T) {
	w, member := newPair(t)
	later := time.Now().Add(time.Hour)
	w.mustSend(t, 1, 2)
	w.SetReadDeadline(later)
	w.end(0)
	w.mustRead(t, ended(1))
	w.SetReadDeadline(time.Time{})
	w.SetReadDeadline(later.Add(time.Hour))
	if !w.until.Equal(later) {
		t.Errorf("the member is given up at %v, want %v", w.until, later)
	}
	go member.Write(message(2, "twelve bytes"))
	w.mustRead(t, message(2, "twelve bytes"))
	w.SetReadDeadline(time.Now().Add(-time.Second))
	var late net.Error
	if _, err := w.Read(make([]byte, 4)); !errors.As(err, &late) || !late.Timeout() {
		t.Errorf("reading past the library's own deadline: %v, want a timeout", err)
	}
}

// FuzzWire sends whatever a member may say through a wire, in pieces: it comes out
// as it was, up to a reply that can't be one.
func FuzzWire(f *testing.F) {
	f.Add(slices.Concat(message(1, "an answer of some bytes"), message(2, "another answer")), uint8(3))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1}, uint8(1))
	f.Add(message(-1, ""), uint8(9))
	f.Fuzz(func(t *testing.T, said []byte, piece uint8) {
		w := newWire(replay{bytes.NewReader(said)}, newLink(transport{}, 0))
		w.proved.Store(true)
		w.limited = true
		got, err := io.ReadAll(io.MultiReader(pieces{w, int(piece) + 1}))
		if !bytes.HasPrefix(said, got) {
			t.Errorf("%x came out as %x", said, got)
		}
		if err == nil && len(said)-len(got) >= 8 {
			t.Errorf("%d of %d bytes came out, and no error", len(got), len(said))
		}
	})
}

// replay is a connection that says what it is given and then ends.
type replay struct{ *bytes.Reader }

func (replay) Write(p []byte) (int, error)      { return len(p), nil }
func (replay) Close() error                     { return nil }
func (replay) LocalAddr() net.Addr              { return nil }
func (replay) RemoteAddr() net.Addr             { return nil }
func (replay) SetDeadline(time.Time) error      { return nil }
func (replay) SetReadDeadline(time.Time) error  { return nil }
func (replay) SetWriteDeadline(time.Time) error { return nil }

// pieces reads at most so many bytes at once.
type pieces struct {
	io.Reader
	most int
}

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), p.most)]) }
