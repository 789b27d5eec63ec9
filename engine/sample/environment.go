package sample

import (
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"

	prom "github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/kvscen/kvscen/internal/procfs"
	"github.com/kvscen/kvscen/internal/result"
)

// Environment describes this machine and the file system under dataDir, which
// need not exist yet. What can't be read is left empty.
func Environment(dataDir string) result.Environment {
	env := result.Environment{
		OS:         runtime.GOOS + "/" + runtime.GOARCH,
		Kernel:     kernel(),
		Cores:      runtime.NumCPU(),
		OpenFiles:  openFilesLimit(),
		Go:         runtime.Version(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		GOGC:       gogc(),
	}
	if name, err := os.Hostname(); err == nil {
		env.Host = name
	}
	src, err := procfs.Local()
	if err != nil {
		return env
	}
	if fs, err := prom.NewFS(src.Root()); err == nil {
		env.Memory = memory(fs)
	}
	if b, err := os.ReadFile(src.Root() + "/cpuinfo"); err == nil {
		env.CPU = CPUModel(string(b))
	}
	// Cores are clocked alike nearly everywhere: the first speaks for all.
	if b, err := os.ReadFile("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"); err == nil {
		env.Governor = strings.TrimSpace(string(b))
	}
	// On an error the file system may be known nevertheless.
	dev, _ := procfs.FindDevice(src, dataDir)
	env.FileSystem, env.Device = dev.FileSystem, dev.Name
	return env
}

func kernel() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Release[:])
}

// CPUModel is the name of the first core's model in a /proc/cpuinfo; many ARM kernels give that of
// the board alone, or none. (The procfs library parses cpuinfo on Linux only.)
func CPUModel(cpuinfo string) string {
	board := ""
	for line := range strings.Lines(cpuinfo) {
		label, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(label) {
		case "model name":
			return strings.TrimSpace(value)
		case "Model":
			board = strings.TrimSpace(value)
		}
	}
	return board
}

func memory(fs prom.FS) int64 {
	m, err := fs.Meminfo()
	if err != nil || m.MemTotalBytes == nil {
		return 0
	}
	return int64(min(*m.MemTotalBytes, math.MaxInt64))
}

// openFilesLimit is what holds for this process: Go has raised its own soft
// limit to the hard one.
func openFilesLimit() int64 {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return 0
	}
	return int64(min(l.Cur, math.MaxInt64))
}

// gogc is the percentage in force, "off" where collection is by limit alone.
func gogc() string {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return ""
	}
	percent := s[0].Value.Uint64()
	if percent == math.MaxUint64 {
		return "off"
	}
	return strconv.FormatUint(percent, 10)
}
