package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// PortLocks keeps blocks of ports of a machine apart from those of other runs, by
// the locked files that a run on that machine itself keeps. The locks are a
// shell's, and end with it: when we close it, or are gone. A machine without
// flock(1) has none.
type PortLocks struct {
	name    string
	without bool // the machine has no locks

	mu      sync.Mutex // of writing
	session *sshlink.Session
	lines   *bufio.Scanner
	quit    chan struct{}
	beats   sync.WaitGroup
	closing sync.Once
}

// portLocksScript answers each line, the name of a file, with yes or no. A shell
// knows no descriptor above 9.
const portLocksScript = `command -v flock >/dev/null || { echo none; exit; }
d=/tmp/kvscen-ports-$(id -u)
mkdir -p -m 700 "$d" || exit 1
echo ready
n=3
while read -r x; do
	if [ "$x" = beat ]; then
		x=$(:) # the watchdog sees that
	elif [ $n -gt 9 ]; then
		echo no
	else
		eval "exec $n>>\"\$d/\$x\""
		if flock -n $n; then
			n=$((n+1))
			echo yes
		else
			eval "exec $n>&-"
			echo no
		fi
	fi
done
`

const (
	portLocksWithin = 15 * time.Second // for one answer
	portLocksBeat   = idleNap
)

// PortLocks begins to lock blocks of ports.
func (r *Remote) PortLocks(ctx context.Context) (*PortLocks, error) {
	session, err := r.Loop(ctx, portLocksScript)
	if err != nil {
		return nil, fmt.Errorf("lock ports of %s: %w", r.Name(), err)
	}
	l := &PortLocks{name: r.Name(), session: session, lines: bufio.NewScanner(session.Stdout), quit: make(chan struct{})}
	answer, err := l.answer()
	if err != nil {
		session.Close()
		return nil, err
	}
	l.without = answer == "none"
	l.beats.Go(l.beat)
	return l, nil
}

// Lock locks the block of ports that begins at from; false: somebody else has it,
// or too many are locked.
func (l *PortLocks) Lock(from int) (bool, error) {
	if l.without {
		return true, nil
	}
	if err := l.write(strconv.Itoa(from)); err != nil {
		return false, fmt.Errorf("lock ports of %s: %w", l.name, err)
	}
	answer, err := l.answer()
	return answer == "yes", err
}

// Close gives all blocks back. It may be called again.
func (l *PortLocks) Close() {
	l.closing.Do(func() {
		close(l.quit)
		l.beats.Wait()
		l.session.Close()
	})
}

// answer waits for a line.
func (l *PortLocks) answer() (string, error) {
	late := time.AfterFunc(portLocksWithin, l.session.Close)
	ok := l.lines.Scan()
	if late.Stop() && ok {
		return l.lines.Text(), nil
	}
	err := l.lines.Err()
	if text := l.session.Complaints(); err == nil && text != "" {
		err = errors.New(text)
	}
	if err == nil {
		err = errors.New("the shell that keeps the locks is gone, or does not answer")
	}
	return "", fmt.Errorf("lock ports of %s: %w", l.name, err)
}

func (l *PortLocks) write(text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := io.WriteString(l.session.Stdin, text+"\n")
	return err
}

// beat tells the shell that we are there.
func (l *PortLocks) beat() {
	tick := time.NewTicker(portLocksBeat)
	defer tick.Stop()
	for {
		select {
		case <-l.quit:
			return
		case <-tick.C:
			if l.write("beat") != nil {
				return // the locks are gone with the machine
			}
		}
	}
}
