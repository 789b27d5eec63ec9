package host

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
)

// blockSize is the unit of st_blocks, whatever the file system's own.
const blockSize = 512

// DiskUsage is the number of bytes allocated on the disk to dir and all that is
// in it. Holes don't count, preallocated space does, a file with several links
// counts once. Files that vanish during the walk are passed over.
func (Local) DiskUsage(dir string) (int64, error) {
	var total int64
	type inode struct{ dev, ino uint64 }
	linked := make(map[inode]bool)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if path == dir && err != nil {
			return err
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) && path != dir {
			return nil
		}
		if err != nil {
			return err
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return fmt.Errorf("no block count of %s", path)
		}
		if stat.Nlink > 1 && !d.IsDir() {
			id := inode{uint64(stat.Dev), stat.Ino}
			if linked[id] {
				return nil
			}
			linked[id] = true
		}
		total += stat.Blocks * blockSize
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("read the disk usage of %s: %w", dir, err)
	}
	return total, nil
}
