package cassandra

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// blob is a value that is sent. The library is given a pointer to it once, and
// asks for the bytes at each request.
type blob []byte

var empty = []byte{} // never changed; the library takes a nil slice for null

// MarshalCQL gives the bytes.
func (b *blob) MarshalCQL(gocql.TypeInfo) ([]byte, error) {
	if len(*b) == 0 {
		return empty, nil
	}
	return *b, nil
}

// number is an int or a bigint of CQL that is sent or read.
type number struct {
	value int64
	bytes [8]byte
}

// MarshalCQL gives the bytes.
func (n *number) MarshalCQL(t gocql.TypeInfo) ([]byte, error) {
	binary.BigEndian.PutUint64(n.bytes[:], uint64(n.value))
	if t.Type() == gocql.TypeInt {
		return n.bytes[4:], nil
	}
	return n.bytes[:], nil
}

// UnmarshalCQL reads a bigint; null is 0.
func (n *number) UnmarshalCQL(_ gocql.TypeInfo, data []byte) error {
	n.value = 0
	if len(data) == 8 {
		n.value = int64(binary.BigEndian.Uint64(data))
	}
	return nil
}

// sink takes a blob that is read: its size and, if it is kept, its bytes.
type sink struct {
	keep bool
	size int
	data []byte
}

// UnmarshalCQL reads a blob.
func (s *sink) UnmarshalCQL(_ gocql.TypeInfo, data []byte) error {
	s.size = len(data)
	if s.keep {
		s.data = append(s.data[:0], data...)
	}
	return nil
}

// place is where the row of a key is.
type place struct {
	partitions uint64
	part       number
	key        blob
}

func (p *place) set(key []byte) {
	p.key = key
	if p.partitions > 0 {
		h := fnv.New64a()
		h.Write(key)
		p.part.value = int64(h.Sum64() % p.partitions)
	}
}

// args are the columns of the primary key.
func (p *place) args() []any {
	if p.partitions == 0 {
		return []any{&p.key}
	}
	return []any{&p.part, &p.key}
}

// preparer makes statements of one operation and keeps the first error.
type preparer struct {
	conn  *conn
	level gocql.Consistency
	err   error
}

func (p *preparer) place() *place { return &place{partitions: uint64(p.conn.settings.partitions)} }

// where is the condition on the primary key.
func (p *preparer) where() string {
	if p.conn.settings.partitions == 0 {
		return "k = ?"
	}
	return "p = ? AND k = ?"
}

// key are the columns of the primary key, and marks for them.
func (p *preparer) key() (columns, marks string) {
	if p.conn.settings.partitions == 0 {
		return "k", "?"
	}
	return "p, k", "?, ?"
}

// statement makes a statement whose %s is the table, and prepares it unless its
// connection has done so. The values that args point to are sent at each request.
func (p *preparer) statement(text string, level gocql.Consistency, args ...any) *gocql.Query {
	text = fmt.Sprintf(text, p.conn.settings.table)
	if p.err == nil {
		p.err = p.conn.prepare(text)
	}
	return p.conn.session.Query(text, args...).Consistency(level)
}

// prepareWithin is the time given to the preparation of a statement. A member that
// takes longer prepares it with the first request, and so do the others in a
// session with several.
const prepareWithin = 500 * time.Millisecond

// prepare prepares a statement, once for a connection. Its error is the member's
// word that there can't be such a statement.
func (c *conn) prepare(text string) error {
	if _, done := c.prepared.LoadOrStore(text, true); done {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.life, prepareWithin)
	defer cancel()
	err := c.metadata(ctx, text)
	if _, refused := errors.AsType[gocql.RequestError](err); refused {
		return fmt.Errorf("prepare %s: %w", text, err)
	}
	return nil
}

// metadata has the library prepare a statement. Up to protocol 3 it then reads the
// schema, and panics (v2.1.2) on a table that another connection is about to make,
// of which it finds the name and not yet the columns. The statement is prepared by
// then.
func (c *conn) metadata(ctx context.Context, text string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the library's look at the schema: %v", r)
		}
	}()
	_, err = c.session.StatementMetadata(ctx, text, "")
	return err
}

// backdating is what plain writes are dated back by.
const backdating = time.Millisecond

// stamp is the time that a plain write carries, in microseconds; false: the
// server gives it.
func (c *conn) stamp() (int64, bool) {
	if !c.settings.clientTime {
		return 0, false
	}
	return time.Now().Add(-backdating).UnixMicro(), true
}

// fits refuses a write of that many bytes of keys and values where the server
// would drop it.
func (c *conn) fits(bytes int) error {
	if limit := c.settings.maxMutation; bytes+surroundings > limit {
		return fail(drivers.TooLarge, fmt.Errorf("a write of %d bytes is above max_mutation, %d", bytes, limit))
	}
	return nil
}
