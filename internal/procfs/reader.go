package procfs

import (
	"errors"
	"fmt"
	"slices"
	"time"

	prom "github.com/prometheus/procfs"
)

var errNotAsked = errors.New("not asked for")

// Config says what to read of a host.
type Config struct {
	Groups    []Group
	Disks     []string // names in diskstats; each is counted once, also if given twice
	Interface string   // empty: none
}

// Reading is one host at one instant.
type Reading struct {
	Uptime  time.Duration // the host's own monotonic clock, read in the same go
	Groups  []Processes   // in the order of Config.Groups
	Disk    Disk
	Net     Net
	Machine Machine
}

// Reader reads one host. It remembers the processes it saw, so that counters
// do not go back when some end; it is used by one goroutine at a time.
type Reader struct {
	src    Source
	fs     prom.FS
	files  files
	family family
	groups []*group
	disks  []string
	iface  string
}

// NewReader makes a Reader of the host that src shows.
func NewReader(src Source, cfg Config) (*Reader, error) {
	if err := src.Fetch(hostFiles); err != nil {
		return nil, fmt.Errorf("reading the host: %w", err)
	}
	fs, err := prom.NewFS(src.Root())
	if err != nil {
		return nil, fmt.Errorf("reading the host: %w", err)
	}
	disks := slices.Clone(cfg.Disks)
	slices.Sort(disks)
	r := &Reader{
		src:   src,
		fs:    fs,
		files: files{root: src.Root()},
		disks: slices.Compact(disks),
		iface: cfg.Interface,
	}
	if d, ok := src.(Denier); ok {
		r.files.denied = d.Denied
	}
	for _, g := range cfg.Groups {
		r.groups = append(r.groups, &group{Group: g})
	}
	return r, nil
}

// Read reads everything now. What can't be read says so where it stands; the
// error is of a host of which nothing can be told, and means a missing sample.
func (r *Reader) Read() (Reading, error) {
	if err := r.fetch(); err != nil {
		return Reading{}, err
	}
	uptime, err := r.uptime()
	if err != nil {
		return Reading{}, fmt.Errorf("reading the host's clock: %w", err)
	}
	reading := Reading{
		Uptime:  uptime,
		Groups:  make([]Processes, len(r.groups)),
		Disk:    Disk{Err: errNotAsked},
		Net:     Net{Err: errNotAsked},
		Machine: readMachine(r.fs),
	}
	for i, g := range r.groups {
		reading.Groups[i] = g.read(&r.files)
	}
	if len(r.disks) > 0 {
		reading.Disk = readDisk(r.files.root, r.disks)
	}
	if r.iface != "" {
		reading.Net = readNet(r.fs, r.iface)
	}
	return reading, nil
}

var hostFiles = []string{
	"uptime", "loadavg", "meminfo", "diskstats", "net/dev",
	"pressure/cpu", "pressure/io", "pressure/memory",
}

// fetch asks for everything in one go, and once more where there are processes
// that were not known before.
func (r *Reader) fetch() error {
	want := slices.Clone(hostFiles)
	trees := slices.ContainsFunc(r.groups, func(g *group) bool { return !g.Alone })
	if trees {
		want = append(want, "[0-9]*/stat")
	}
	known := r.patterns()
	if err := r.src.Fetch(append(want, known...)); err != nil {
		return fmt.Errorf("reading the host: %w", err)
	}
	var fresh []int
	if trees {
		var err error
		if fresh, err = r.family.look(&r.files); err != nil {
			return err
		}
	}
	for _, g := range r.groups {
		g.find(&r.family, fresh)
	}
	more := slices.DeleteFunc(r.patterns(), func(p string) bool { return slices.Contains(known, p) })
	if len(more) == 0 {
		return nil
	}
	if err := r.src.Fetch(more); err != nil {
		return fmt.Errorf("reading the host: %w", err)
	}
	return nil
}

// patterns names the files of the processes that are known, in order.
func (r *Reader) patterns() []string {
	var list []string
	for _, g := range r.groups {
		list = append(list, g.patterns()...)
	}
	slices.Sort(list)
	return list
}

func (r *Reader) uptime() (time.Duration, error) {
	if c, ok := r.src.(Clock); ok {
		return c.Uptime()
	}
	b, err := r.files.read("uptime")
	if err != nil {
		return 0, err
	}
	return parseUptime(b)
}
