package procfs

import (
	"os/exec"
	"testing"
	"time"
)

// BenchmarkMirror tells what a sample costs the host that is sampled, of a member
// and all else that a reading holds. At one sample a second 10 ms are 1 % of a
// core.
func BenchmarkMirror(b *testing.B) {
	if _, err := Local(); err != nil {
		b.Skip(err)
	}
	cmd := exec.Command("/bin/sh", "-c", MirrorScript)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	m, err := NewMirror(in, out, 10*time.Second)
	if err != nil {
		b.Fatal(err)
	}
	r, err := NewReader(m, Config{Groups: []Group{{Roots: func() []int { return []int{cmd.Process.Pid} }}}, Interface: "lo"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.Read(); err != nil {
			b.Fatal(err)
		}
	}
	in.Close()
	if err := m.Close(); err != nil {
		b.Error(err)
	}
	_ = cmd.Wait()
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	b.ReportMetric(used.Seconds()*1000/float64(b.N), "host-ms/sample")
}
