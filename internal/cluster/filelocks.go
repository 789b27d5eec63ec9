package cluster

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// fileLocks locks blocks of ports of this machine by files.
type fileLocks struct {
	dir  string
	held []*os.File
}

// Lock locks the block that begins at a port; false: somebody else has it.
func (l *fileLocks) Lock(from int) (bool, error) {
	file, err := os.OpenFile(filepath.Join(l.dir, strconv.Itoa(from)), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return false, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		l.held = append(l.held, file)
		return true, nil
	}
	file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return false, err
}

// Close gives the blocks back.
func (l *fileLocks) Close() {
	for _, file := range l.held {
		file.Close()
	}
	l.held = nil
}
