package consul

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/kvscen/kvscen/drivers"
)

// kvOps is what is left where nothing but /v1/kv/KEY is served, as by cetcd.
// Its reads are of one kind, whatever is asked for: answered without asking the
// leader. There is no delete: that proxy answers to one and keeps the value.
func kvOps() []drivers.OpInfo {
	return []drivers.OpInfo{
		{Kind: drivers.Put, RPCs: "1 PUT /v1/kv"},
		{Kind: drivers.Get, Consistencies: []drivers.Consistency{{Name: names[stale], Weak: true, RPCs: "1 GET /v1/kv"}}},
		{Kind: drivers.CAS, RPCs: "1 PUT /v1/kv?cas", CurrentRPCs: "1 GET /v1/kv"},
	}
}

// kvConn is a connection to what can't be asked for its status.
type kvConn struct{ conn *conn }

// Client binds the operations of a phase.
func (c kvConn) Client(ops []drivers.OpSpec) (drivers.Client, error) { return c.conn.Client(ops) }

// Close ends the connection; requests under way on it fail at once.
func (c kvConn) Close() error { return c.conn.Close() }

// answers asks for a key, which need not be there.
func (c *conn) answers(ctx context.Context) error {
	_, _, err := c.kv.Get("kvscen", c.query(ctx))
	return err
}

// errNotDone is what a stand-in means by the answer "false" with the status 200.
var errNotDone = errors.New("the server says false: the write was not done")

// done reads the answer to a write that depends on no condition. The library
// takes every answer for success, and an agent gives no other.
func done(r *http.Request, reply *http.Response) error {
	if r.Method != http.MethodPut || reply.StatusCode != http.StatusOK || r.URL.Query().Has("cas") {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(reply.Body, maxAnswer))
	if err == nil && strings.TrimSpace(string(text)) != "true" {
		err = errNotDone
	}
	if err != nil {
		reply.Body.Close()
		return fmt.Errorf("PUT %s: %w", r.URL.Path, err)
	}
	reply.Body = struct {
		io.Reader
		io.Closer
	}{strings.NewReader(string(text)), reply.Body}
	return nil
}

const maxAnswer = 1 << 10 // bytes of "true" or "false"
