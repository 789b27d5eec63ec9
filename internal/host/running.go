package host

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// Running is a process that somebody else has started.
type Running struct {
	PID, Parent int
	Name        string   // as the kernel knows it: at most 15 bytes
	Argv        []string // empty: a thread of the kernel, or not to be seen
}

// String is the process in a message.
func (r Running) String() string {
	const most = 60 // bytes of a command line
	text := strings.Join(r.Argv, " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return fmt.Sprintf("%d (%s)", r.PID, text)
}

// A machine runs scripts of the POSIX shell.
type shell interface {
	Run(ctx context.Context, script string) (string, error)
	Name() string
}

var (
	_ shell = Local{}
	_ shell = (*Remote)(nil)
)

// Name is what this machine is called in messages.
func (Local) Name() string { return "this machine" }

// Run runs a script to its end, and returns what it prints.
func (Local) Run(ctx context.Context, script string) (string, error) {
	out, err := exec.CommandContext(ctx, "/bin/sh", "-c", script).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}

// listRunning prints for each process what stat says of it, and its arguments,
// each after a separator that no sane argument holds.
const listRunning = `cd /proc 2>/dev/null && [ -r self/stat ] || { echo "there is no /proc" >&2; exit 1; }
for d in [0-9]*; do
	read -r s 2>/dev/null <$d/stat || continue
	printf '%s\037' "$s"
	tr '\000\n' '\037 ' 2>/dev/null <$d/cmdline
	echo
done
`

// running lists the processes of a machine.
func running(ctx context.Context, on shell) ([]Running, error) {
	out, err := on.Run(ctx, listRunning)
	if err != nil {
		return nil, fmt.Errorf("list the processes of %s: %w", on.Name(), err)
	}
	var list []Running
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x1f")
		if r, ok := parseRunning(fields[0]); ok {
			// The last argument is followed by a separator, too, unless the process
			// has written something else over them.
			r.Argv = fields[1:]
			if n := len(r.Argv); n > 0 && r.Argv[n-1] == "" {
				r.Argv = r.Argv[:n-1]
			}
			list = append(list, r)
		}
	}
	return list, nil
}

// parseRunning reads the beginning of a stat, whose name may hold anything.
func parseRunning(stat string) (r Running, ok bool) {
	open, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return r, false
	}
	after := strings.Fields(stat[end+1:])
	if len(after) < 2 || after[0] == "Z" {
		return r, false
	}
	var err1, err2 error
	r.PID, err1 = strconv.Atoi(strings.TrimSpace(stat[:open]))
	r.Parent, err2 = strconv.Atoi(after[1])
	r.Name = stat[open+1 : end]
	return r, err1 == nil && err2 == nil
}

// word cuts the name of a class or a file of Java into words.
var word = regexp.MustCompile(`[^\pL\pN]+`)

// Is reports whether a user may mean this process by a name: that of its
// program, or, since every program of Java is called java, a word of the class
// or the file that it runs, as zookeeper is of
// org.apache.zookeeper.server.quorum.QuorumPeerMain.
func (r Running) Is(name string) bool {
	if len(r.Argv) == 0 {
		return false
	}
	program := path.Base(r.Argv[0])
	if r.Name == name || program == name {
		return true
	}
	if program != "java" {
		return false
	}
	main := javaMain(r.Argv[1:])
	return main == name || slices.ContainsFunc(word.Split(main, -1), func(w string) bool { return strings.EqualFold(w, name) })
}

// javaMain is the class or the file that java is told to run.
func javaMain(args []string) string {
	// Options whose value is the next argument.
	valued := []string{"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path",
		"--add-modules", "--add-opens", "--add-exports", "--add-reads", "--limit-modules", "--patch-module", "--source"}
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-jar" || a == "-m" || a == "--module":
			if i+1 < len(args) {
				return path.Base(args[i+1])
			}
		case slices.Contains(valued, a):
			i++
		case a != "" && a[0] != '-' && a[0] != '@':
			return a
		}
	}
	return ""
}

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
	list, err := running(ctx, m)
	if err != nil {
		return Running{}, err
	}
	if s.PIDFile != "" {
		return s.byFile(ctx, m, list)
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
func (s Sought) byFile(ctx context.Context, m shell, list []Running) (Running, error) {
	out, err := m.Run(ctx, "cat "+sshlink.Quote(s.PIDFile))
	if err != nil {
		return Running{}, fmt.Errorf("read the pid file %s of %s: %w", s.PIDFile, m.Name(), err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return Running{}, fmt.Errorf("the pid file %s of %s holds %.40q, and not the number of a process", s.PIDFile, m.Name(), out)
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
