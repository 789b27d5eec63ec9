package engine

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// unready is why a cluster is not ready yet: a member, and what is wrong with it.
type unready struct {
	member string
	err    error
}

func (u *unready) Error() string { return u.member + ": " + u.err.Error() }
func (u *unready) Unwrap() error { return u.err }

// notReady gives up waiting. The last reason was err; where a member that we have
// started is to blame, the end of its log may say more.
func (s *session) notReady(within time.Duration, err error) error {
	err = fmt.Errorf("not ready within %v: %w", within, err)
	u, ok := errors.AsType[*unready](err)
	if !ok || s.up.cluster == nil {
		return err
	}
	if lines := s.up.cluster.LogEnd(u.member); len(lines) > 0 {
		return fmt.Errorf("%w; its log ends with:\n    %s", err, strings.Join(lines, "\n    "))
	}
	return err
}
