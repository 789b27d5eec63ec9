package procfs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	prom "github.com/prometheus/procfs"
)

// mountsOf makes mounts out of number, point, type, source, upper folder.
func mountsOf(lines ...[5]string) []*prom.MountInfo {
	var mounts []*prom.MountInfo
	for _, l := range lines {
		mounts = append(mounts, &prom.MountInfo{
			MajorMinorVer: l[0], MountPoint: l[1], FSType: l[2], Source: l[3],
			SuperOptions: map[string]string{"upperdir": l[4]},
		})
	}
	return mounts
}

func TestDeviceUnderAFolder(t *testing.T) {
	disks := map[string]string{"8:0": "sda", "8:2": "sda2", "253:1": "dm-1", "259:3": "nvme0n1p3"}
	root := [5]string{"8:2", "/", "ext4", "/dev/sda2"}
	numbers := map[string]string{"/dev/nvme0n1p3": "259:3", "/var/upper": "8:2", "/mnt/again": "0:50"}
	tests := []struct {
		name        string
		mounts      [][5]string
		dir, number string
		want        Device
		err         string
	}{
		{"partition, not the disk", [][5]string{root}, "/var/lib", "8:2", Device{"sda2", "ext4"}, ""},
		{"mapper", [][5]string{root, {"253:1", "/data", "xfs", "/dev/mapper/v-d"}}, "/data/m1", "253:1", Device{"dm-1", "xfs"}, ""},
		{"a name that only begins alike", [][5]string{root, {"253:1", "/data", "xfs", "/dev/mapper/v-d"}}, "/database", "8:2", Device{"sda2", "ext4"}, ""},
		{"escaped mount point", [][5]string{root, {"253:1", `/my\040data`, "xfs", "/dev/mapper/v-d"}}, "/my data/m1", "253:1", Device{"dm-1", "xfs"}, ""},
		{"btrfs numbers its subvolumes", [][5]string{root, {"0:40", "/data", "btrfs", "/dev/nvme0n1p3"}}, "/data/sub", "0:61", Device{"nvme0n1p3", "btrfs"}, ""},
		{"tmpfs", [][5]string{root, {"0:30", "/tmp", "tmpfs", "tmpfs"}}, "/tmp/x", "0:30", Device{"", "tmpfs"}, "tmpfs: no block device of its own"},
		{"a later mount hides", [][5]string{root, {"0:30", "/data", "tmpfs", "tmpfs"}, {"0:31", "/data", "nfs4", "srv:/x"}}, "/data", "0:99", Device{"", "nfs4"}, "nfs4: no block device of its own"},
		{"overlay over a disk", [][5]string{{"0:50", "/", "overlay", "overlay", "/var/upper"}, {"8:2", "/var/upper", "ext4", "/dev/sda2"}}, "/data", "0:50", Device{"sda2", "overlay"}, ""},
		{"overlay in a container", [][5]string{{"0:50", "/", "overlay", "overlay", "/not/here"}}, "/data", "0:50", Device{"", "overlay"}, "overlay: its upper folder is not in sight"},
		{"overlay over itself", [][5]string{{"0:50", "/", "overlay", "overlay", "/mnt/again"}}, "/data", "0:50", Device{"", "overlay"}, "overlay: no block device of its own"},
		{"no mount", nil, "/data", "8:2", Device{}, "no mount holds /data"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := devices{mounts: mountsOf(tt.mounts...), disks: disks, number: func(path string) (string, error) {
				if n, ok := numbers[path]; ok {
					return n, nil
				}
				return "", errors.New("not here")
			}}
			got, err := d.under(tt.dir, tt.number, maxLayers)
			if got != tt.want || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("under(%s) = %+v, %v; want %+v, %q", tt.dir, got, err, tt.want, tt.err)
			}
		})
	}
}

func TestNearestFindsAParentThatExists(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := nearest(filepath.Join(dir, "not", "yet")); got != dir || err != nil {
		t.Errorf("nearest = %q, %v; want %q", got, err, dir)
	}
}

func TestHiddenIOIsNoEnd(t *testing.T) {
	var p process
	if err := p.keepIO(&p.io, nil, &fs.PathError{Op: "open", Path: "1/io", Err: fs.ErrPermission}); err != nil || p.ioErr == nil {
		t.Errorf("keepIO = %v with reason %v; want no error and a reason", err, p.ioErr)
	}
}
