package host

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// shellGuarded is the script of a program without our guard: a shell starts it in
// a session of its own, asks that session to end when our input ends, kills it
// after the grace, and reports in the guard's protocol.
func (r *Remote) shellGuarded(c Command) string {
	grace := int(math.Ceil(cmp.Or(c.Grace, DefaultGrace).Seconds()))
	signal := strings.TrimPrefix(cmp.Or(c.Signal, defaultSignal), "SIG")
	return r.redirected(c) + fmt.Sprintf(`setsid %[1]s 3<&- 4>&- &
p=$!
echo pid $p >&4
(
	cat <&3 >/dev/null
	kill -s %[2]s -- -$p
	i=0
	while [ $i -lt %[3]d ] && kill -s 0 -- -$p; do
		sleep 1
		i=$((i+1))
	done
	kill -s KILL -- -$p
) 4>&- >/dev/null 2>&1 &
wait $p
s=$?
kill -s KILL -- -$p 2>/dev/null
if [ $s -gt 128 ]; then
	echo signal SIG$(kill -l $((s-128))) >&4
else
	echo exit $s >&4
fi
`, r.clean(c, c.Argv), signal, grace)
}
