package cassandra

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// local is what a member says of itself.
type local struct {
	id      string
	version string
}

// major is the first number of the version.
func (l *local) major() int {
	first, _, _ := strings.Cut(l.version, ".")
	n, _ := strconv.Atoi(first) // 0 where there is none
	return n
}

func (c *conn) self(ctx context.Context) (local, error) {
	query := c.session.Query("SELECT host_id, release_version FROM system.local WHERE key = 'local'").Consistency(gocql.One)
	if c.link.wide {
		query.SetHostID(c.link.members.first(""))
	}
	var id gocql.UUID
	var l local
	if err := query.ScanContext(ctx, &id, &l.version); err != nil {
		return l, fmt.Errorf("ask the member for itself: %w", err)
	}
	l.id = id.String()
	return l, nil
}

// Status asks the member for its status. Members are equal: none leads.
func (c *conn) Status(ctx context.Context) (drivers.Status, error) {
	l, err := c.self(ctx)
	if err != nil {
		return drivers.Status{}, fmt.Errorf("cassandra: status of %s: %w", c.link.endpoint, err)
	}
	return drivers.Status{Version: l.version, ID: l.id, Equal: true}, nil
}
