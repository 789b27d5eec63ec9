package host

import (
	"context"
	"fmt"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// A loop that does nothing for idleNaps times idleNap ends itself: a machine that
// is cut off from us is sent no end of its input, and sshd may wait for hours. It
// has to outlast what we do between two lines to it.
const (
	idleNap  = 10 * time.Second
	idleNaps = 6
)

// Loop starts a script of the POSIX shell that answers our lines until its input
// ends, or until nothing has come for about a minute.
func (r *Remote) Loop(ctx context.Context, script string) (*sshlink.Session, error) {
	return r.Session(ctx, dogged(script, idleNap, idleNaps))
}

// dogged puts a watchdog before a script: a shell beside it that kills it when
// what the kernel says of it, its faults and the time of its children among
// others, has not changed for some naps.
func dogged(script string, nap time.Duration, naps int) string {
	return fmt.Sprintf(`loop=$$
born() {
	read -r s 2>/dev/null </proc/$loop/stat || return 1
	set -- ${s##*) }
	b=${20}
}
born
first=$b
(
	trap 'kill $nap 2>/dev/null; exit' TERM
	idle=0
	last=
	while [ $idle -lt %d ]; do
		sleep %v &
		nap=$!
		wait $nap
		born && [ "$b" = "$first" ] || exit
		[ "$s" = "$last" ] && idle=$((idle+1)) || idle=0
		last=$s
	done
	kill -s KILL $loop
) </dev/null >/dev/null 2>&1 &
dog=$!
trap 'kill $dog 2>/dev/null' EXIT
`, naps, nap.Seconds()) + script
}
