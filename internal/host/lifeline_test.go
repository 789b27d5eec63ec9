package host

import (
	"io"
	"testing"
	"testing/synctest"
	"time"
)

func TestWatch(t *testing.T) {
	const silence = 10 * time.Second
	tests := []struct {
		name    string
		silence time.Duration
		beat    time.Duration // between beats
		beats   int
		close   bool // at once after the last beat
		want    time.Duration
	}{
		{"end without heartbeat", 0, time.Minute, 2, true, 2 * time.Minute},
		{"end with heartbeat", silence, time.Second, 3, true, 3 * time.Second},
		{"silence", silence, 9 * time.Second, 4, false, 46 * time.Second},
		{"silence from the start", silence, 0, 0, false, silence},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				defer w.Close()
				begin := time.Now()
				lost := watch(r, test.silence)
				go func() {
					for range test.beats {
						time.Sleep(test.beat)
						_, _ = w.Write([]byte{'.'})
					}
					if test.close {
						w.Close()
					}
				}()
				<-lost
				if got := time.Since(begin); got != test.want {
					t.Errorf("lost after %v, want %v", got, test.want)
				}
				_, _ = w.Write([]byte{'.'}) // nobody is stuck on a late beat
			})
		})
	}
}
