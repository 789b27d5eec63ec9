package zookeeper

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/drivers"
)

// maxAnswer bounds what is read of a member's answer; the longest is some 20 KB.
const maxAnswer = 1 << 20

// ask sends one of the commands of four letters, on a connection of its own,
// which the member closes. One that is asked while it starts may fail and leave
// the connection open: the context must have an end.
func (t transport) ask(ctx context.Context, endpoint, command string) (string, error) {
	c, raw, err := t.dial(ctx, endpoint)
	if err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	defer raw.Close()
	defer context.AfterFunc(ctx, func() { raw.Close() })()
	if _, err := io.WriteString(c, command); err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	answer, err := io.ReadAll(io.LimitReader(c, maxAnswer))
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if ctx.Err() == nil && t.config != nil && len(answer) > 0 {
		err = nil // a member that has answered may end TLS in a hurry
	}
	if err == nil && len(answer) == 0 {
		err = errors.New("the member closed the connection without an answer")
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	if bytes.Contains(answer, []byte("is not executed because it is not in the whitelist")) {
		return "", fmt.Errorf("%s: the member allows no such command (4lw.commands.whitelist)", command)
	}
	return string(answer), nil
}

// Status asks the member for its status. A member says whether it leads or
// follows, but not whom: its endpoint serves as its id. One that is not to be asked
// has proved by its session that it serves.
func (c *conn) Status(ctx context.Context) (drivers.Status, error) {
	ctx, cancel := context.WithTimeout(ctx, defaultDialTimeout)
	defer cancel()
	if why := c.settings.unknown; why != "" {
		return drivers.Status{ID: c.endpoint, Unknown: why}, nil
	}
	answer, err := c.link.over.ask(ctx, c.endpoint, "srvr")
	if err != nil {
		return drivers.Status{}, fmt.Errorf("zookeeper: status of %s: %w", c.endpoint, err)
	}
	return c.parseStatus(answer), nil
}

// parseStatus reads the answer to srvr. A member that serves nobody, because it
// knows no leader, says so in a sentence without any of these lines.
func (c *conn) parseStatus(answer string) drivers.Status {
	s := drivers.Status{ID: c.endpoint}
	for line := range strings.Lines(answer) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "Zookeeper version":
			s.Version = version(text)
		case "Zxid":
			if zxid, err := strconv.ParseUint(text, 0, 64); err == nil {
				s.Term = zxid >> 32
			}
		case "Mode":
			switch text {
			case "leader", "standalone":
				s.Leader = s.ID
			case "follower", "observer":
				s.Follows = true
			}
		}
	}
	return s
}

// version is the number that "3.8.0--1, built on 2024-12-29" begins with.
func version(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		return text
	}
	return text[:end]
}
