//go:build !linux

package host

import (
	"os"
	"syscall"
)

// adoptOrphans does nothing: only Linux has subreapers.
func adoptOrphans() error { return nil }

// dieWithParent does nothing: only Linux has PDEATHSIG.
func dieWithParent(*syscall.SysProcAttr) {}

// selfPath is our own binary.
func selfPath() (string, error) { return os.Executable() }

// killBelow kills the process group of pid.
func killBelow(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
