package host

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the one that orphans below it fall to.
func adoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the subreaper of what is started: %w", err)
	}
	return nil
}

// dieWithParent has the kernel kill the child when the thread that starts it
// ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// selfPath is our own binary, also after its file was replaced.
func selfPath() (string, error) { return "/proc/self/exe", nil }

// killBelow kills the process group of pid and every process below this one.
// What forks meanwhile is for the next call.
func killBelow(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	for _, p := range below(os.Getpid()) {
		_ = syscall.Kill(p, syscall.SIGKILL)
	}
}

// below lists the processes below root as /proc shows them now.
func below(root int) []int {
	children := make(map[int][]int)
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if parent, ok := parentOf(pid); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	found := []int{root}
	// A process may be seen twice while pids are reused; the length is bounded
	// by removing what was visited.
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
		delete(children, found[i])
	}
	return found[1:]
}

// parentOf reads the parent of a process from its stat line: the second field
// after the command, which stands in parentheses and may hold any character.
func parentOf(pid int) (int, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	_, rest, ok := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(") "))
	fields := bytes.Fields(rest)
	if !ok || len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil
}
