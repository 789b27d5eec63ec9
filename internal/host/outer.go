package host

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// guardOuter starts the inner guard and minds it: whatever ends the inner guard,
// nothing below it is left.
func guardOuter(cfg guardConfig, o orders, out *os.File) int {
	r, lifeline, err := os.Pipe()
	if err != nil {
		failed(fmt.Errorf("make a pipe to the inner guard: %w", err)).report(out)
		return exitFailed
	}
	pid, err := startInner(cfg, r, out)
	r.Close()
	if err != nil {
		failed(fmt.Errorf("start the inner guard: %w", err)).report(out)
		return exitFailed
	}
	w := ward{
		pid: pid,
		ask: func() { lifeline.Close() },
		// The inner guard kills with more precision than we do; if it does not,
		// patience ends.
		hurry:    func() { _ = syscall.Kill(pid, syscall.SIGQUIT) },
		patience: cfg.grace + outerSlack,
		ended: func(ws syscall.WaitStatus) {
			if ws.Signaled() {
				failed(fmt.Errorf("the guard was killed (%v), and its program with it", ws.Signal())).report(out)
			}
		},
	}
	return w.mind(o).code
}

// startInner starts this binary again as the inner guard, with lifeline and
// status as its descriptors 3 and 4.
func startInner(cfg guardConfig, lifeline, status *os.File) (pid int, err error) {
	self, err := selfPath()
	if err != nil {
		return 0, err
	}
	argv := []string{
		os.Args[0], GuardCommand, "--inner",
		"--signal", unix.SignalName(cfg.signal),
		"--grace", cfg.grace.String(),
		"--lifeline", "3", "--status", "4", "--",
	}
	return syscall.ForkExec(self, append(argv, cfg.argv...), &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2, lifeline.Fd(), status.Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
}
