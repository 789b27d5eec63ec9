package result

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

func TestHLogIsReadBack(t *testing.T) {
	base := time.Date(2026, 11, 30, 12, 0, 0, 400_000_000, time.UTC)
	var b bytes.Buffer
	l := NewHLog(&b, base)
	var wrote []*hdrhistogram.Histogram
	for i := range 3 {
		h := NewHDR()
		for _, v := range draw(uint64(i), 100*i) {
			if err := h.RecordValue(v); err != nil {
				t.Fatal(err)
			}
		}
		at := base.Add(time.Duration(i) * time.Second)
		if err := l.Interval(Tag("etcd", "write", "put", i, 3), at, at.Add(time.Second), h); err != nil {
			t.Fatal(err)
		}
		wrote = append(wrote, h)
	}
	text := b.String()
	for _, want := range []string{
		"#[Histogram log format version 1.3]\n", "#[BaseTime: 1796040000 (seconds since epoch)]\n",
		"\"StartTimestamp\",\"Interval_Length\"", "Tag=etcd.write.put.run1,0.400,1.000,0.000000,HIST", "Tag=etcd.write.put.run3,2.400,1.000,",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if err := l.Interval("nil", base, base.Add(time.Second), nil); err != nil {
		t.Fatal(err)
	}
	reader := hdrhistogram.NewHistogramLogReader(&b)
	for i, want := range append(wrote, NewHDR()) {
		got, err := reader.NextIntervalHistogram()
		if err != nil || got == nil {
			t.Fatalf("interval %d: %v", i, err)
		}
		tag := fmt.Sprintf("etcd.write.put.run%d", i+1)
		if i == len(wrote) {
			tag = "nil"
		}
		if !got.Equals(want) || got.Tag() != tag {
			t.Errorf("interval %d: %d values tagged %s", i, got.TotalCount(), got.Tag())
		}
		if at := time.UnixMilli(got.StartTimeMs()); i == 0 && !at.Equal(base) {
			t.Errorf("interval %d starts at %s, want %s", i, at, base)
		}
	}
	if got, err := reader.NextIntervalHistogram(); got != nil || err != nil {
		t.Errorf("after the last interval: %v, %v", got, err)
	}
}

func TestHLogOfSeveralGoroutines(t *testing.T) {
	var b bytes.Buffer
	l := NewHLog(&b, time.Unix(0, 0))
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			h := NewHDR()
			for j := range 10 {
				if err := errors.Join(h.RecordValue(int64(i*1000+j)), l.Interval("t", time.Unix(1, 0), time.Unix(2, 0), h)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	reader := hdrhistogram.NewHistogramLogReader(&b)
	n := 0
	for h, err := reader.NextIntervalHistogram(); h != nil; h, err = reader.NextIntervalHistogram() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 40 {
		t.Errorf("%d intervals can be read, want 40", n)
	}
}

func TestHLogRefusesTags(t *testing.T) {
	l := NewHLog(io.Discard, time.Unix(0, 0))
	for _, tag := range []string{"a b", "a,b", "a\nb", " "} {
		if err := l.Interval(tag, time.Unix(0, 0), time.Unix(1, 0), NewHDR()); err == nil {
			t.Errorf("%q was taken", tag)
		}
	}
}

// full takes n bytes, like a disk that runs full.
type full struct{ n int }

func (f *full) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errors.New("no space left")
	}
	return len(b), nil
}

func TestHLogReportsWriteErrors(t *testing.T) {
	for _, room := range []int{0, 250} {
		l := NewHLog(&full{room}, time.Unix(0, 0))
		var err error
		for range 10 {
			err = l.Interval("t", time.Unix(0, 0), time.Unix(1, 0), NewHDR())
		}
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("room for %d bytes: error %v", room, err)
		}
	}
}

func TestTag(t *testing.T) {
	if got := Tag("etcd", "write", "put", 0, 1); got != "etcd.write.put" {
		t.Error(got)
	}
	if got := Tag("etcd", "write", "get-2", 1, 2); got != "etcd.write.get-2.run2" {
		t.Error(got)
	}
}

func BenchmarkHLogInterval(b *testing.B) {
	h := busySecond(b)
	l := NewHLog(io.Discard, time.Unix(0, 0))
	for b.Loop() {
		if err := l.Interval("etcd.write.put", time.Unix(1, 0), time.Unix(2, 0), h); err != nil {
			b.Fatal(err)
		}
	}
}
