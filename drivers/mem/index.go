package mem

import (
	"math/bits"
	"math/rand/v2"
	"sync"
)

const maxLevel = 24 // enough for tens of millions of keys

// index is the ordered set of keys: a skip list. Its lock guards it against
// writers of other shards; who holds all shards reads it without.
type index struct {
	mu   sync.Mutex
	head node
}

type node struct {
	key  string
	next []*node // by level; the head has maxLevel of them
}

func newIndex() *index { return &index{head: node{next: make([]*node, maxLevel)}} }

// before finds, for each level, the last node whose key is less than key.
func (x *index) before(key string, path *[maxLevel]*node) {
	n := &x.head
	for level := maxLevel - 1; level >= 0; level-- {
		for n.next[level] != nil && n.next[level].key < key {
			n = n.next[level]
		}
		path[level] = n
	}
}

// insert adds a key that is not in the index.
func (x *index) insert(key string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var path [maxLevel]*node
	x.before(key, &path)
	// Each level holds half of the nodes of the one below.
	levels := min(1+bits.TrailingZeros64(rand.Uint64()), maxLevel)
	added := &node{key: key, next: make([]*node, levels)}
	for level := range levels {
		added.next[level] = path[level].next[level]
		path[level].next[level] = added
	}
}

// remove takes a key out, if it is there.
func (x *index) remove(key string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var path [maxLevel]*node
	x.before(key, &path)
	gone := path[0].next[0]
	if gone == nil || gone.key != key {
		return
	}
	for level, next := range gone.next {
		path[level].next[level] = next
	}
}

// seek finds the first node whose key is at least key; nil: there is none.
func (x *index) seek(key string) *node {
	var path [maxLevel]*node
	x.before(key, &path)
	return path[0].next[0]
}
