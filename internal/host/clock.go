package host

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// Clock is how far a machine's clock is ahead of ours, and by how much that may
// be wrong: half of the shortest time that an answer took.
type Clock struct {
	Offset, Bound time.Duration
}

const (
	clockAsks   = 8
	clockWithin = 5 * time.Second // for all of them
)

// Clock compares the machine's clock with ours. The offset is that of the
// quickest answer of several.
func (r *Remote) Clock(ctx context.Context) (Clock, error) {
	ctx, cancel := context.WithTimeout(ctx, clockWithin)
	defer cancel()
	session, err := r.Loop(ctx, "while read -r x; do date +%s.%N; done")
	if err != nil {
		return Clock{}, fmt.Errorf("read the clock of %s: %w", r.Name(), err)
	}
	stop := context.AfterFunc(ctx, session.Close)
	defer stop()
	defer session.Close()
	c, err := compare(session)
	if err != nil {
		return Clock{}, fmt.Errorf("read the clock of %s: %w", r.Name(), err)
	}
	return c, nil
}

func compare(s *sshlink.Session) (Clock, error) {
	best := Clock{Bound: math.MaxInt64}
	lines := bufio.NewScanner(s.Stdout)
	for range clockAsks {
		before := time.Now()
		if _, err := io.WriteString(s.Stdin, "\n"); err != nil {
			return best, err
		}
		if !lines.Scan() {
			return best, fmt.Errorf("no answer within %v", clockWithin)
		}
		took := time.Since(before)
		there, err := parseDate(lines.Text())
		if err != nil {
			return best, err
		}
		// The machine looked at its clock somewhere between question and answer.
		if took/2 < best.Bound {
			best = Clock{Offset: there.Sub(before.Add(took / 2)), Bound: took / 2}
		}
	}
	return best, nil
}

// parseDate reads seconds and nanoseconds.
func parseDate(text string) (time.Time, error) {
	seconds, nanos, ok := strings.Cut(strings.TrimSpace(text), ".")
	s, err1 := strconv.ParseInt(seconds, 10, 64)
	n, err2 := strconv.ParseUint(nanos, 10, 32)
	if !ok || err1 != nil || err2 != nil || len(nanos) != 9 {
		return time.Time{}, fmt.Errorf("date prints %q, not seconds and nanoseconds", text)
	}
	return time.Unix(s, int64(n)), nil
}
