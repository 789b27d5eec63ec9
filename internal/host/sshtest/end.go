package sshtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// mortal runs a server, for sessions that have a folder as their home. When its
// input ends, as it does when the test's process ends in whatever way, it kills
// what has that home, the server and itself.
const mortal = `home=$1
shift
"$@" </dev/null &
read end
kill -s KILL $(grep -lszxF "HOME=$home" /proc/[0-9]*/environ | cut -d / -f 3)
kill -s KILL 0`

// endSessions kills a server's process group, and the processes that serve its
// connections, which have groups of their own. What was started over the
// connections is left alone.
func endSessions(server int) {
	_ = syscall.Kill(-server, syscall.SIGSTOP) // it takes no more connections
	list := descendants(server, func(name string) bool { return strings.HasPrefix(name, "sshd") })
	_ = syscall.Kill(-server, syscall.SIGKILL)
	for _, pid := range list {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	}
}

// descendants lists the children of a process that have such a name, and theirs.
func descendants(root int, which func(name string) bool) []int {
	children := map[int][]int{}
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		stat, err := os.ReadFile(path)
		open, end := strings.IndexByte(string(stat), '('), strings.LastIndexByte(string(stat), ')')
		if err != nil || open < 0 || end < open {
			continue // it has ended
		}
		fields := strings.Fields(string(stat[end+1:])) // state, parent, ...
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parent, _ := strconv.Atoi(fields[1])
		if which(string(stat[open+1 : end])) {
			children[parent] = append(children[parent], pid)
		}
	}
	var list []int
	for next := children[root]; len(next) > 0; next = next[1:] {
		list = append(list, next[0])
		next = append(next, children[next[0]]...)
	}
	return list
}

// endAll kills every process that has a folder as its home: what sessions have
// started, however far it has gone from them.
func endAll(home string) {
	for _, pid := range living(home) {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	}
}

// living lists the processes that have a folder as their home.
func living(home string) []int {
	var list []int
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains("\x00"+string(text), "\x00HOME="+home+"\x00") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			list = append(list, pid)
		}
	}
	return list
}
