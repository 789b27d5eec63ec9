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
)

// Running is a process that somebody else has started.
type Running struct {
	PID, Parent int
	Name        string   // as the kernel knows it: at most 15 bytes
	Argv        []string // empty: a thread of the kernel, or not asked for
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

// listRunning prints what stat says of each process, and then the arguments of
// those asked for, each after a separator that no sane argument holds. A program
// that is started for each of hundreds of processes would take seconds.
const listRunning = `cd /proc 2>/dev/null && [ -r self/stat ] || { echo "there is no /proc" >&2; exit 1; }
for d in [0-9]*; do
	read -r s 2>/dev/null <$d/stat && printf '%%s\n' "$s"
done
for p in %s; do
	printf '=%%s\037' $p
	tr '\000\n' '\037 ' 2>/dev/null <$p/cmdline
	echo
done
`

// maybe lists the processes that may be meant by a name: those that have it
// anywhere, and all of Java.
const maybe = `$({ grep -lisF -e %s [0-9]*/comm [0-9]*/cmdline; grep -lsx java [0-9]*/comm; } | cut -d/ -f1 | sort -u)`

// running lists the processes of a machine, with the arguments of those that the
// words of a shell in candidates stand for.
func running(ctx context.Context, on shell, candidates string) ([]Running, error) {
	out, err := on.Run(ctx, fmt.Sprintf(listRunning, candidates))
	if err != nil {
		return nil, fmt.Errorf("list the processes of %s: %w", on.Name(), err)
	}
	var list []Running
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if asked, ok := strings.CutPrefix(line, "="); ok {
			pid, argv := parseArguments(asked)
			if i := slices.IndexFunc(list, func(r Running) bool { return r.PID == pid }); i >= 0 {
				list[i].Argv = argv
			}
		} else if r, ok := parseRunning(line); ok {
			list = append(list, r)
		}
	}
	return list, nil
}

// parseArguments reads a number and the arguments behind it.
func parseArguments(text string) (pid int, argv []string) {
	fields := strings.Split(text, "\x1f")
	pid, _ = strconv.Atoi(fields[0]) // there is no process 0
	argv = fields[1:]
	// The last argument is followed by a separator, too, unless the process has
	// written something else over them.
	if n := len(argv); n > 0 && argv[n-1] == "" {
		argv = argv[:n-1]
	}
	return pid, argv
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
