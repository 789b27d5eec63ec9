package host

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLastLines(t *testing.T) {
	tests := []struct {
		text    string
		n       int
		partial bool
		want    []string
	}{
		{"", 3, false, nil},
		{"\n", 3, false, nil},
		{"a\nb\nc\n", 2, false, []string{"b", "c"}},
		{"a\r\nb", 5, false, []string{"a", "b"}},
		{"rest\nb\nc\n", 5, true, []string{"b", "c"}},
		{"one long rest", 5, true, []string{"one long rest"}},
		{strings.Repeat("x", 2000), 1, false, []string{strings.Repeat("x", tailLine) + "…"}},
		{"a\xff\n", 1, false, []string{"a�"}},
		{"a\npanic: b\n\ngoroutine 1\nc\nd\ne\n", 3, false, []string{"panic: b", "", "goroutine 1"}},
		{"a\nfatal error: b\nc\n", 3, false, []string{"a", "fatal error: b", "c"}},
		{"no panic: b\nc\nd\n", 1, false, []string{"d"}},
	}
	for _, test := range tests {
		if got := lastLines(test.text, test.n, test.partial); !slices.Equal(got, test.want) {
			t.Errorf("lastLines(%.20q, %d, %v) = %q, want %q", test.text, test.n, test.partial, got, test.want)
		}
	}
}

func TestTailIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, bytes.Repeat([]byte("0123456789abcde\n"), 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, err := Local{}.Tail(path, 1<<20)
	if err != nil || len(lines) != tailBytes/16-1 {
		t.Errorf("got %d lines, %v; want those of the last 64 KiB", len(lines), err)
	}
	if _, err := (Local{}).Tail(path+".none", 1); err == nil {
		t.Error("no error for a log that is missing")
	}
}

func TestDiskUsage(t *testing.T) {
	dir := t.TempDir()
	empty, err := Local{}.DiskUsage(dir)
	if err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(dir, "full")
	if err := os.WriteFile(full, bytes.Repeat([]byte{1}, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	sparse := filepath.Join(dir, "sparse")
	if err := os.WriteFile(sparse, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 1<<30); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(full, filepath.Join(dir, "again")); err != nil {
		t.Fatal(err)
	}
	used, err := Local{}.DiskUsage(dir)
	if grown := used - empty; err != nil || grown < 1<<20 || grown > 3<<19 {
		t.Errorf("1 MiB, a link to it and a hole of 1 GiB use %d bytes, %v", grown, err)
	}
	if _, err := (Local{}).DiskUsage(filepath.Join(dir, "none")); err == nil {
		t.Error("no error for a folder that is missing")
	}
}

func TestEnviron(t *testing.T) {
	t.Setenv("ETCD_NAME", "stray")
	t.Setenv("TZ", "UTC")
	got := environ(map[string]string{"A": "1"})
	if slices.Contains(got, "ETCD_NAME=stray") || !slices.Contains(got, "TZ=UTC") || got[len(got)-1] != "A=1" {
		t.Errorf("environment is %q", got)
	}
}

func TestLookPathOfNone(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		"/none/etcd":   `the program "/none/etcd" is not installed: stat /none/etcd: no such file or directory`,
		"no-such-etcd": `the program "no-such-etcd" is not installed: executable file not found in $PATH`,
		dir:            fmt.Sprintf(`the program %q can't be run: is a directory`, dir),
	} {
		_, err := Local{}.LookPath(name)
		if got := fmt.Sprint(err); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
