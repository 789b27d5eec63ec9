package host

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// Leftovers are what runs have left below our folder on a machine, or use now.
type Leftovers struct {
	Processes []MarkedProcess
	Folders   []string // of runs, absolute
}

// MarkedProcess is a process whose RunVariable names a run below our folder.
type MarkedProcess struct {
	PID     int
	Run     string
	Command string
}

// listMarked prints the processes with the mark of a folder, one a line.
const listMarked = `cd /proc || exit 1
mark=%[1]s=%[2]s
for f in $(grep -lF "$mark" [0-9]*/environ 2>/dev/null); do
	p=${f%%/*}
	r=$(tr '\0' '\n' <"$f" 2>/dev/null | sed -n 's/^%[1]s=//p')
	[ -n "$r" ] && printf '%%s\t%%s\t%%s\n' "$p" "${r##*/}" "$(tr '\0\n' '  ' <$p/cmdline)"
done
`

// marked is what the mark of every run below our folder begins with.
func (r *Remote) marked() string { return path.Join(r.base, "runs") + "/" }

// Leftovers finds the processes and the folders of every run below our folder.
// Whether somebody is still at work on them can't be told.
func (r *Remote) Leftovers(ctx context.Context) (Leftovers, error) {
	var l Leftovers
	out, err := r.Run(ctx, fmt.Sprintf(listMarked, RunVariable, sshlink.Quote(r.marked()))+
		fmt.Sprintf("for d in %s*/; do [ -d \"$d\" ] && printf '%%s\\n' \"$d\"; done; true", sshlink.Quote(r.marked())))
	if err != nil {
		return l, fmt.Errorf("look for leftovers on %s: %w", r.Name(), err)
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "/") {
			l.Folders = append(l.Folders, path.Clean(line))
			continue
		}
		f := strings.SplitN(line, "\t", 3)
		if pid, err := strconv.Atoi(f[0]); err == nil && len(f) == 3 {
			l.Processes = append(l.Processes, MarkedProcess{PID: pid, Run: f[1], Command: strings.TrimSpace(f[2])})
		}
	}
	return l, nil
}

// Clean kills the processes of every run below our folder, and removes the folders
// of runs and the copies of kvscen.
func (r *Remote) Clean(ctx context.Context) error {
	// A guard that is killed first has its program ended by the kernel, one that is
	// killed last may start nothing more: some rounds are enough.
	script := fmt.Sprintf(`cd /proc || exit 1
mark=%[1]s=%[3]s
i=0
while [ $i -lt 5 ]; do
	pids=$(grep -lF "$mark" [0-9]*/environ 2>/dev/null | cut -d/ -f1)
	[ -z "$pids" ] && break
	kill -s KILL $pids 2>/dev/null
	sleep 1
	i=$((i+1))
done
[ -z "$pids" ] || { echo "these can't be killed: "$pids >&2; exit 1; }
rm -rf %[2]s/runs %[2]s/bin
rmdir %[2]s 2>/dev/null
true`, RunVariable, sshlink.Quote(r.base), sshlink.Quote(r.marked()))
	if _, err := r.Run(ctx, script); err != nil {
		return fmt.Errorf("clean %s: %w", r.Name(), err)
	}
	return nil
}
