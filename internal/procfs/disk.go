package procfs

import (
	"fmt"
	"time"

	"github.com/prometheus/procfs/blockdevice"
)

// Disk are the counters of block devices, summed.
type Disk struct {
	Reads          uint64 // completed
	SectorsRead    uint64 // of 512 bytes
	Writes         uint64
	SectorsWritten uint64
	Busy           time.Duration // with requests under way; summed over devices
	Err            error         // why nothing is known
}

// readDisk sums the counters of the devices named, each once.
func readDisk(root string, names []string) Disk {
	stats, err := diskstats(root)
	if err != nil {
		return Disk{Err: err}
	}
	var sum Disk
	for _, name := range names {
		s, ok := stats[name]
		if !ok {
			return Disk{Err: fmt.Errorf("no disk %s", name)}
		}
		sum.Reads += s.ReadIOs
		sum.SectorsRead += s.ReadSectors
		sum.Writes += s.WriteIOs
		sum.SectorsWritten += s.WriteSectors
		sum.Busy += time.Duration(s.IOsTotalTicks) * time.Millisecond
	}
	return sum
}

// diskNames gives the names in diskstats by "major:minor".
func diskNames(root string) (map[string]string, error) {
	stats, err := diskstats(root)
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(stats))
	for name, s := range stats {
		names[fmt.Sprintf("%d:%d", s.MajorNumber, s.MinorNumber)] = name
	}
	return names, nil
}

func diskstats(root string) (map[string]blockdevice.Diskstats, error) {
	// The second folder is sysfs, which is not asked for here.
	fs, err := blockdevice.NewFS(root, root)
	if err != nil {
		return nil, fmt.Errorf("reading disk counters: %w", err)
	}
	list, err := fs.ProcDiskstats()
	if err != nil {
		return nil, fmt.Errorf("reading disk counters: %w", err)
	}
	stats := make(map[string]blockdevice.Diskstats, len(list))
	for _, s := range list {
		stats[s.DeviceName] = s
	}
	return stats, nil
}
