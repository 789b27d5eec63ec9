package procfs

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

const (
	mirrorName = "kvscen-proc-"
	// A folder is made before it is locked: one that young is not left over.
	leftAfter = time.Minute
)

// mirrorBase is the folder that holds those of mirrors.
func mirrorBase() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm" // no disk of ours is to be written to once a second
	}
	return os.TempDir()
}

// makeMirror makes a folder and locks it. The lock ends with this process, however
// it ends, so that a folder without one is left over. Those are removed.
func makeMirror() (dir string, lock *os.File, err error) {
	_, _ = LeftMirrors(true) // they take some memory, and the next run tries again
	if dir, err = os.MkdirTemp(mirrorBase(), mirrorName); err != nil {
		return "", nil, err
	}
	if lock, err = lockDir(dir); err != nil {
		return "", nil, errors.Join(err, os.Remove(dir))
	}
	return dir, lock, nil
}

// lockDir locks a folder that nobody has locked.
func lockDir(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(&os.PathError{Op: "lock", Path: dir, Err: err}, f.Close())
	}
	return f, nil
}

// LeftMirrors finds the folders of mirrors whose process is gone, and removes
// them if it is told to.
func LeftMirrors(remove bool) (left []string, err error) {
	dirs, err := filepath.Glob(filepath.Join(mirrorBase(), mirrorName+"*"))
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		info, statErr := os.Lstat(dir)
		if statErr != nil || !info.IsDir() || time.Since(info.ModTime()) < leftAfter {
			continue
		}
		lock, lockErr := lockDir(dir)
		if lockErr != nil {
			continue // in use, or of another user
		}
		left = append(left, dir)
		if remove {
			err = errors.Join(err, os.RemoveAll(dir))
		}
		err = errors.Join(err, lock.Close())
	}
	slices.Sort(left)
	return left, err
}
