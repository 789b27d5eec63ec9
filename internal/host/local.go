package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Local is the machine that we run on.
type Local struct {
	Self string // path of our own binary, which is the guard
}

// ReadFile reads a whole file.
func (Local) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// Glob lists the files that match pattern, sorted.
func (Local) Glob(pattern string) ([]string, error) {
	found, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("match %q: %w", pattern, err)
	}
	slices.Sort(found)
	return found, nil
}

// LookPath finds a program in PATH, or checks the path given, and makes it
// absolute. Its error says by itself which program and why.
func (Local) LookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", unrunnable(name, err)
	}
	return filepath.Abs(path)
}

// unrunnable says why a program was not found, or can't be run.
func unrunnable(name string, err error) error {
	verdict := "is not installed"
	if e, ok := errors.AsType[*exec.Error](err); ok {
		err = e.Err // without the name, which stands before it
		if !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, fs.ErrNotExist) {
			verdict = "can't be run"
		}
	}
	return fmt.Errorf("the program %q %s: %w", name, verdict, err)
}

// MkdirAll makes a folder and those above it, and proves that a file can be
// written there.
func (Local) MkdirAll(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".kvscen-*")
	if err != nil {
		return fmt.Errorf("folder %s is not writable: %w", dir, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// WriteFile writes a whole file and makes the folders above it.
func (Local) WriteFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	// Configurations may hold passwords.
	return os.WriteFile(path, text, 0o600)
}

// RemoveAll removes path and what is in it; it need not exist.
func (Local) RemoveAll(path string) error { return os.RemoveAll(path) }

// FileSize is the length of a file in bytes; 0 if it does not exist.
func (Local) FileSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
