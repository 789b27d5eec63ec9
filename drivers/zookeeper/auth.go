package zookeeper

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// Values of the option acl.
const (
	aclOpen = "open"
	aclUser = "user"
)

// anybody may do everything with a node; never changed.
var anybody = zk.WorldACL(zk.PermAll)

// rights are those of the nodes created.
func rights(acl string, t drivers.Target) ([]zk.ACL, error) {
	switch {
	case strings.Contains(t.User, ":"):
		return nil, fmt.Errorf("user %q: the scheme digest allows no colon in it", t.User)
	case t.User == "" && t.Password != "":
		return nil, errors.New("a password needs a user")
	case acl == aclOpen:
		return anybody, nil
	case acl != aclUser:
		return nil, fmt.Errorf("option acl = %q: want %q or %q", acl, aclOpen, aclUser)
	case t.User == "":
		return nil, fmt.Errorf("option acl = %q: there is no user", acl)
	}
	return zk.DigestACL(zk.PermAll, t.User, t.Password), nil
}

// logIn tells the member the user of the session; the library does it again on
// each new connection. A member compares the password only with those in the
// ACLs of nodes.
func (c *conn) logIn(ctx context.Context, user, password string) error {
	if user == "" {
		return nil
	}
	done := make(chan error, 1)
	go func() { done <- c.zk.AddAuth("digest", []byte(user+":"+password)) }() // ends with the connection at the latest
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("log in as %s: %w", user, err)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("log in as %s: %w", user, ctx.Err())
	}
}
