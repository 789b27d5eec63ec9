package cassandra

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// again is the time between two looks at something that is waited for.
const again = 100 * time.Millisecond

// prepareSchema makes the keyspace and the table where they are missing, and
// waits until all members know them. One connection does it for all of a process.
func (d *Driver) prepareSchema(ctx context.Context, c *conn) error {
	there, err := c.hasTable(ctx)
	if err != nil || there {
		return err
	}
	select {
	case d.setUp <- struct{}{}:
		defer func() { <-d.setUp }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if there, err = c.hasTable(ctx); err != nil || there {
		return err
	}
	factor, err := c.awaitMembers(ctx)
	if err != nil {
		return err
	}
	for _, text := range c.schema(factor) {
		if err := c.session.Query(text).ExecContext(ctx); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	if err := c.session.AwaitSchemaAgreement(ctx); err != nil {
		return fmt.Errorf("wait until all members have the table %s: %w", c.settings.table, err)
	}
	return nil
}

// hasTable reports whether the member knows the table: then it can prepare a
// statement on it.
func (c *conn) hasTable(ctx context.Context) (bool, error) {
	_, err := c.session.StatementMetadata(ctx, "SELECT r FROM "+c.settings.table, "")
	if _, missing := errors.AsType[*gocql.RequestErrInvalid](err); missing {
		return false, nil
	}
	return err == nil, err
}

// awaitMembers waits until the member knows as many as there are to be copies:
// members that don't know each other yet would each make the table. It returns
// that number.
func (c *conn) awaitMembers(ctx context.Context) (factor int, err error) {
	var lacking error // what the last answer left to wait for
	for {
		var peers int
		err := c.session.Query("SELECT count(*) FROM system.peers").Consistency(gocql.One).ScanContext(ctx, &peers)
		if err != nil && ctx.Err() != nil && lacking != nil {
			return 0, lacking
		}
		if err != nil {
			return 0, fmt.Errorf("count the members: %w", err)
		}
		known, want := peers+1, int(c.settings.factor)
		if want == 0 {
			want = min(known, 3)
		}
		if known >= want || c.settings.replication != "" {
			return want, nil
		}
		lacking = fmt.Errorf("the member knows %d of the %d members that replication_factor asks for", known, want)
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return 0, lacking
		}
	}
}

// schema lists what makes the keyspace and the table.
func (c *conn) schema(factor int) []string {
	s := &c.settings
	replication := s.replication
	if replication == "" {
		replication = fmt.Sprintf("{'class': 'SimpleStrategy', 'replication_factor': %d}", factor)
	}
	columns, key := "k blob, v blob, r bigint", "k"
	properties := ""
	if s.partitions > 0 {
		columns, key = "p int, "+columns, "(p), k"
		properties = "CLUSTERING ORDER BY (k ASC) AND "
	}
	keys := "ALL"
	if !s.keyCache {
		keys = "NONE"
	}
	properties += fmt.Sprintf("compaction = %s AND compression = %s AND caching = {'keys': '%s', 'rows_per_partition': '%s'}",
		class("class", s.compaction), class(c.local.compressor(), s.compression), keys, s.rowCache)
	if s.tableOptions != "" {
		properties += " AND " + s.tableOptions
	}
	return []string{
		fmt.Sprintf("CREATE KEYSPACE IF NOT EXISTS %s WITH replication = %s AND durable_writes = %v", s.keyspace, replication, s.durable),
		fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (%s, PRIMARY KEY (%s)) WITH %s", s.table, columns, key, properties),
	}
}

// class is a map in CQL that names a class, unless it is a map already.
func class(name, value string) string {
	if strings.HasPrefix(value, "{") {
		return value
	}
	return fmt.Sprintf("{'%s': '%s'}", name, value)
}

// compressor is what the class is called in the map of compression.
func (l *local) compressor() string {
	if l.major() < 3 {
		return "sstable_compression"
	}
	return "class"
}
