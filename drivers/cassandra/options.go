package cassandra

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// Choices of options.
const (
	deleteRead   = "read"
	deleteBlind  = "blind"
	batchLogged  = "logged"
	batchSingly  = "unlogged"
	clientTime   = "client"
	serverTime   = "server"
	maxPartition = 4096
)

// settings are the options of a connection.
type settings struct {
	spec drivers.Spec

	keyspace   string
	table      string // with the keyspace
	partitions int64

	replication  string // map in CQL; empty: by factor
	factor       int64
	durable      bool
	compaction   string
	compression  string
	keyCache     bool
	rowCache     string
	tableOptions string

	blind       bool
	logged      bool
	clientTime  bool
	commit      gocql.Consistency
	tokenAware  bool
	protocol    int
	pageSize    int
	maxMutation int
}

var names = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,47}$`) // of keyspaces; never changed

func settingsOf(values map[string]any) (settings, error) {
	spec := spec()
	if err := spec.CheckOptions(values); err != nil {
		return settings{}, err
	}
	text := func(name string) string { return drivers.OptionOf[string](&spec, values, name) }
	flag := func(name string) bool { return drivers.OptionOf[bool](&spec, values, name) }
	number := func(name string) int64 { return drivers.OptionOf[int64](&spec, values, name) }
	s := settings{
		spec:         given(values),
		keyspace:     text("keyspace"),
		partitions:   number("partitions"),
		replication:  text("replication"),
		factor:       number("replication_factor"),
		durable:      flag("durable_writes"),
		compaction:   text("compaction"),
		compression:  text("compression"),
		keyCache:     flag("key_cache"),
		rowCache:     text("row_cache"),
		tableOptions: text("table_options"),
		tokenAware:   flag("token_aware"),
		protocol:     int(number("protocol")),
		pageSize:     int(number("page_size")),
		maxMutation:  int(number("max_mutation")),
	}
	if !names.MatchString(s.keyspace) {
		return s, fmt.Errorf("option keyspace = %q: want letters, digits and underscores, at most 48", s.keyspace)
	}
	s.table = s.keyspace + ".kv"
	if s.partitions > 0 {
		// The keys of another number of partitions stand elsewhere.
		s.table += fmt.Sprintf("_%d", s.partitions)
	}
	if s.protocol == 1 || s.protocol == 2 {
		return s, fmt.Errorf("option protocol = %d: want 3, 4 or 5, or 0 for the highest that the member speaks", s.protocol)
	}
	choose := func(name, yes, no string) (bool, error) {
		v := text(name)
		if v != yes && v != no {
			return false, fmt.Errorf("option %s = %q: want %q or %q", name, v, yes, no)
		}
		return v == yes, nil
	}
	var errs [4]error
	s.blind, errs[0] = choose("delete", deleteBlind, deleteRead)
	s.logged, errs[1] = choose("batch", batchLogged, batchSingly)
	s.clientTime, errs[2] = choose("timestamps", clientTime, serverTime)
	s.commit, errs[3] = consistencyOf(text("commit_consistency"))
	return s, errors.Join(errs[:]...)
}

// consistencyOf finds a consistency by Cassandra's name.
func consistencyOf(name string) (gocql.Consistency, error) {
	c, err := gocql.ParseConsistencyWrapper(name)
	if err != nil || name != strings.ToUpper(name) {
		return 0, fmt.Errorf("there is no consistency %q", name)
	}
	return c, nil
}
