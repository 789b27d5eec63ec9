package host

import (
	"io"
	"time"
)

// watch returns a channel that is closed when r ends or, with silence above 0,
// when nothing was read from it for that long. The goroutine that reads ends
// with r.
func watch(r io.Reader, silence time.Duration) <-chan struct{} {
	beats := make(chan struct{})
	go func() {
		defer close(beats)
		buf := make([]byte, 512)
		for {
			n, err := r.Read(buf)
			if err != nil {
				return
			}
			if n > 0 {
				beats <- struct{}{}
			}
		}
	}()
	lost := make(chan struct{})
	go listen(beats, silence, lost)
	return lost
}

// listen closes lost at the end of beats or after silence, and then goes on
// taking beats until they end, so that their sender is never stuck.
func listen(beats <-chan struct{}, silence time.Duration, lost chan<- struct{}) {
	var quiet <-chan time.Time
	for closed := false; ; {
		if silence > 0 && !closed {
			quiet = time.After(silence)
		}
		select {
		case _, ok := <-beats:
			if !ok && !closed {
				close(lost)
			}
			if !ok {
				return
			}
		case <-quiet:
			closed, quiet = true, nil
			close(lost)
		}
	}
}
