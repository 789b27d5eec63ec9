package load

import (
	"sync"
	"sync/atomic"

	"github.com/kvscen/kvscen/internal/plan"
)

// KeyState is how far one repetition on one cluster has come with a set of
// keys: the cursor of sequential draws, which goes on over steps and phases, and
// the watermark below which every key has been inserted.
type KeyState struct {
	keys     plan.Keys
	mu       sync.Mutex
	cursor   uint64        // draws handed out; the next key is cursor % Count
	inserted atomic.Uint64 // the keys below it are in the store
	ahead    map[uint64]struct{}
}

// NewKeyStates makes the states of all sets of a plan.
func NewKeyStates(keys []plan.Keys) []*KeyState {
	states := make([]*KeyState, len(keys))
	for i := range keys {
		states[i] = &KeyState{keys: keys[i], ahead: map[uint64]struct{}{}}
	}
	return states
}

// reserve hands out the next n sequential draws and returns the first.
func (k *KeyState) reserve(n uint64) uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	from := k.cursor
	k.cursor += n
	return from
}

// settle gives back what was reserved and not used, where nobody has reserved
// more since: draws from … from+reserved-1 were handed out, used of them taken.
func (k *KeyState) settle(from, reserved, used uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cursor == from+reserved {
		k.cursor = from + used
	}
}

// ended is called when no insert is under way any more: everything up to the
// cursor counts as inserted, also what failed and what nobody tracked.
func (k *KeyState) ended() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.inserted.Store(max(k.inserted.Load(), min(k.cursor, k.keys.Count)))
	clear(k.ahead)
}

// done tells that key index was inserted, or never will be. The watermark moves
// over it as soon as all keys before it are done too.
func (k *KeyState) done(index uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	mark := k.inserted.Load()
	if index != mark {
		if index > mark {
			k.ahead[index] = struct{}{}
		}
		return
	}
	for mark++; ; mark++ {
		if _, ok := k.ahead[mark]; !ok {
			break
		}
		delete(k.ahead, mark)
	}
	k.inserted.Store(mark)
}

// drawable is the number of keys that draws over inserted keys choose from: all
// of them as long as none was inserted here.
func (k *KeyState) drawable() uint64 {
	if n := k.inserted.Load(); n > 0 {
		return n
	}
	return k.keys.Count
}
