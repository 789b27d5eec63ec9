package cluster

import (
	"context"

	"github.com/kvscen/kvscen/internal/host"
)

// A machine is where members run.
type machine interface {
	finder
	files
	// Start starts a program that does not outlive us.
	Start(context.Context, host.Command) (host.Process, error)
}

// A finder answers what tokens ask of a machine.
type finder interface {
	LookPath(name string) (string, error)
	Glob(pattern string) ([]string, error)
}

// files are the files of a machine.
type files interface {
	MkdirAll(dir string) error
	WriteFile(path string, text []byte) error
	RemoveAll(path string) error
	DiskUsage(dir string) (int64, error)
	// CopyLog brings local, a file of ours, up to date with the log at path.
	CopyLog(path, local string) error
	// CopyTail does so with what comes after the first skip bytes.
	CopyTail(path, local string, skip int64) error
	// SizeOf is the length of a file that must be readable.
	SizeOf(path string) (int64, error)
}

var (
	_ machine = host.Local{}
	_ machine = (*host.Remote)(nil)
)
