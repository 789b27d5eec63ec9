package engine

import (
	"sync"
	"time"
)

// notifier hands events to the observer one at a time.
type notifier struct {
	mu sync.Mutex
	to Observer
}

func (n *notifier) send(e Event) {
	if n.to == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if e.At.IsZero() {
		e.At = time.Now()
	}
	n.to.Observe(e)
}
