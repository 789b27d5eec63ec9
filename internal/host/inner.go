package host

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// guardInner starts the program and minds it.
func guardInner(cfg guardConfig, o orders, out *os.File) int {
	// The kernel sends PDEATHSIG when the thread that started the program ends,
	// not the process: this one stays as long as we do.
	runtime.LockOSThread()
	r, held, err := os.Pipe()
	if err != nil {
		failed(fmt.Errorf("make the program's standard input: %w", err)).report(out)
		return exitFailed
	}
	defer held.Close()
	pid, err := startProgram(cfg.argv, r)
	r.Close()
	if err != nil {
		failed(fmt.Errorf("start %s: %w", cfg.argv[0], err)).report(out)
		return exitFailed
	}
	started(pid).report(out)
	w := ward{
		pid:      pid,
		ask:      func() { _ = syscall.Kill(-pid, cfg.signal) },
		patience: cfg.grace,
		lingers:  true,
		ended:    func(ws syscall.WaitStatus) { ended(ws).report(out) },
	}
	return w.mind(o).code
}

// startProgram starts argv in a process group of its own. Its standard input is
// a pipe that never carries a byte and ends with us.
func startProgram(argv []string, stdin *os.File) (pid int, err error) {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return 0, err
	}
	attr := &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(attr)
	return syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{stdin.Fd(), 1, 2},
		Sys:   attr,
	})
}
