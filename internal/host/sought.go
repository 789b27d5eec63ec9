package host

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// Sought is a process that runs already, as a user tells it.
type Sought struct {
	Process string // its name; see Running.Is
	PIDFile string // or a file that holds its number
	Port    string // where its tree listens: tells several of one name apart
}

// FindRunning finds the process on this machine.
func (l Local) FindRunning(ctx context.Context, s Sought) (Running, error) { return s.on(ctx, l) }

// FindRunning finds the process there.
func (r *Remote) FindRunning(ctx context.Context, s Sought) (Running, error) { return s.on(ctx, r) }

func (s Sought) on(ctx context.Context, m shell) (Running, error) {
	if s.PIDFile != "" {
		return s.byFile(ctx, m)
	}
	list, err := running(ctx, m, fmt.Sprintf(maybe, sshlink.Quote(s.Process)))
	if err != nil {
		return Running{}, err
	}
	found := tops(list, s.Process)
	switch len(found) {
	case 0:
		return Running{}, fmt.Errorf("no process of %s is called %q: a name is that of the program, or of Java a word of the class that it runs", m.Name(), s.Process)
	case 1:
		return found[0], nil
	}
	var listening []Running
	for _, r := range found {
		yes, err := s.listens(ctx, m, tree(list, r.PID))
		if err != nil {
			return r, fmt.Errorf("tell the processes of %s that are called %q apart: %w", m.Name(), s.Process, err)
		}
		if yes {
			listening = append(listening, r)
		}
	}
	if len(listening) == 1 {
		return listening[0], nil
	}
	var names []string
	for _, r := range found {
		names = append(names, r.String())
	}
	return Running{}, fmt.Errorf("%d processes of %s are called %q, and %d of them can be seen to listen on port %s: %s; say which by pidfile",
		len(found), m.Name(), s.Process, len(listening), s.Port, strings.Join(names, ", "))
}

// byFile finds the process whose number is in the file.
func (s Sought) byFile(ctx context.Context, m shell) (Running, error) {
	out, err := m.Run(ctx, "cat "+sshlink.Quote(s.PIDFile))
	if err != nil {
		return Running{}, fmt.Errorf("read the pid file %s of %s: %w", s.PIDFile, m.Name(), err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return Running{}, fmt.Errorf("the pid file %s of %s holds %.40q, and not the number of a process", s.PIDFile, m.Name(), out)
	}
	list, err := running(ctx, m, strconv.Itoa(pid))
	if err != nil {
		return Running{}, err
	}
	i := slices.IndexFunc(list, func(r Running) bool { return r.PID == pid })
	if i < 0 {
		return Running{}, fmt.Errorf("the pid file %s of %s says %d, and there is no such process", s.PIDFile, m.Name(), pid)
	}
	return list[i], nil
}

// tops are the processes of a name that no other of the name has started.
func tops(list []Running, name string) []Running {
	parents := make(map[int]int, len(list))
	named := make(map[int]bool)
	for _, r := range list {
		parents[r.PID] = r.Parent
		if r.Is(name) {
			named[r.PID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(r Running) bool {
		if !named[r.PID] {
			return true
		}
		// Numbers of parents come from a list that was not made at once.
		for p, hops := r.Parent, 0; p > 0 && hops < len(list); p, hops = parents[p], hops+1 {
			if named[p] {
				return true
			}
		}
		return false
	})
}

// tree is a process and all that descend from it.
func tree(list []Running, root int) []int {
	pids := []int{root}
	for i := 0; i < len(pids); i++ {
		for _, r := range list {
			if r.Parent == pids[i] && !slices.Contains(pids, r.PID) {
				pids = append(pids, r.PID)
			}
		}
	}
	return pids
}

// listens reports whether one of the processes can be seen to listen on the
// port: the sockets of others than one's own can't be.
func (s Sought) listens(ctx context.Context, m shell, pids []int) (bool, error) {
	port, err := strconv.ParseUint(s.Port, 10, 16)
	if err != nil {
		return false, nil // it has none that could be told apart
	}
	var b strings.Builder
	for _, pid := range pids {
		fmt.Fprintf(&b, ` %d`, pid)
	}
	out, err := m.Run(ctx, fmt.Sprintf(`for p in%s; do
	for i in $(awk '$4 == "0A" && $2 ~ /:%04X$/ { print $10 }' /proc/$p/net/tcp /proc/$p/net/tcp6 2>/dev/null); do
		ls -l /proc/$p/fd 2>/dev/null | grep -qF "socket:[$i]" && echo $p
	done
done; true`, b.String(), port))
	return out != "", err
}
