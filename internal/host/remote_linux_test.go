package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/host/sshlink"
	"github.com/kvscen/kvscen/internal/host/sshtest"
)

// spec reaches a server, below a folder of the test's own.
func spec(t *testing.T, s *sshtest.Server, upload bool) host.Spec {
	t.Helper()
	return host.Spec{
		Target: sshlink.Target{Addr: s.Address, Port: s.Port, User: s.User, Key: s.Key},
		Dir:    t.TempDir(), Upload: upload,
	}
}

// fleet makes the machines of a run whose user knows the servers.
func fleet(t *testing.T, servers ...*sshtest.Server) *host.Hosts {
	t.Helper()
	t.Setenv("HOME", sshtest.Home(t, "", servers...))
	t.Setenv("SSH_AUTH_SOCK", "")
	settings, err := sshlink.UserSettings()
	if err != nil {
		t.Fatal(err)
	}
	settings.Ask = nil
	h := host.NewHosts(host.Config{Self: os.Args[0], Run: "run-1", SSH: settings})
	t.Cleanup(h.Close)
	return h
}

func remote(t *testing.T, s *sshtest.Server, upload bool) *host.Remote {
	t.Helper()
	r, err := fleet(t, s).Get(t.Context(), spec(t, s, upload))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// must takes the value of a call that must not fail.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestRemoteFiles(t *testing.T) {
	r := remote(t, sshtest.Start(t, sshtest.Options{}), false)
	dir := r.Folder("it's a $dir")
	if err := r.MkdirAll(dir); err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("'\x00$\n"), 100_000)
	for _, name := range []string{"b.jar", "a.jar", "c.txt"} {
		if err := r.WriteFile(filepath.Join(dir, "sub", name), text); err != nil {
			t.Fatal(err)
		}
	}
	if got := must[[]byte](t)(os.ReadFile(filepath.Join(dir, "sub", "b.jar"))); !bytes.Equal(got, text) {
		t.Errorf("%d bytes of %d arrived", len(got), len(text))
	}
	want := []string{filepath.Join(dir, "sub", "a.jar"), filepath.Join(dir, "sub", "b.jar")}
	if got := must[[]string](t)(r.Glob(filepath.Join(dir, "sub", "[ab]*.jar"))); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := must[[]string](t)(r.Glob(filepath.Join(dir, "*.none"))); len(got) > 0 {
		t.Errorf("got %q", got)
	}
	local := must[int64](t)(host.Local{}.DiskUsage(dir))
	if got := must[int64](t)(r.DiskUsage(dir)); got != local || got < int64(3*len(text)) {
		t.Errorf("disk usage %d, seen from here %d", got, local)
	}
	if _, err := r.DiskUsage(dir + "/none"); err == nil {
		t.Error("a missing folder has a disk usage")
	}
	if err := r.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.Folder("")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run's folder is still there: %v", err)
	}
	if os.Getuid() != 0 {
		if err := r.MkdirAll("/proc/none"); err == nil {
			t.Error("a folder was made below /proc")
		}
	}
}

func TestRemoteLookPath(t *testing.T) {
	r := remote(t, sshtest.Start(t, sshtest.Options{}), false)
	if got := must[string](t)(r.LookPath("sh")); !filepath.IsAbs(got) {
		t.Errorf("sh is %q", got)
	}
	for _, name := range []string{"no-such-program", "cd", "/etc/passwd", "/none"} {
		if got, err := r.LookPath(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

func TestCopyLog(t *testing.T) {
	r := remote(t, sshtest.Start(t, sshtest.Options{}), false)
	far, near := filepath.Join(t.TempDir(), "far"), filepath.Join(t.TempDir(), "near")
	for _, text := range []string{"", "one\n", "one\ntwo\n", "one\ntwo\nth"} {
		if text != "" {
			if err := os.WriteFile(far, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.CopyLog(far, near); err != nil {
			t.Fatal(err)
		}
		if got := must[[]byte](t)(os.ReadFile(near)); string(got) != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

func TestRemotePorts(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	used, ephemeral, err := remote(t, server, false).Ports()
	if err != nil || !used[server.Port] || len(strings.Fields(ephemeral)) != 2 {
		t.Errorf("sshd's port is among those in use: %v; %q, %v", used[server.Port], ephemeral, err)
	}
}

// TestUpload copies the binary once, and says what is wrong with a machine that
// it can't be run on.
func TestUpload(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	h, s := fleet(t, server), spec(t, server, true)
	first := must[*host.Remote](t)(h.Get(t.Context(), s))
	self := must[string](t)(first.Self())
	before := must[os.FileInfo](t)(os.Stat(self))
	other := host.NewHosts(host.Config{Self: os.Args[0], Run: "run-2", SSH: must[sshlink.Settings](t)(sshlink.UserSettings())})
	t.Cleanup(other.Close)
	must[*host.Remote](t)(other.Get(t.Context(), s))
	if after := must[os.FileInfo](t)(os.Stat(self)); !os.SameFile(before, after) {
		t.Error("the binary was copied again")
	}
	if again := must[*host.Remote](t)(h.Get(t.Context(), s)); again != first {
		t.Error("the machine was connected to again")
	}
	s.Upload = false
	if _, err := must[*host.Remote](t)(h.Get(t.Context(), s)).Self(); err == nil || !strings.Contains(err.Error(), "upload = True") {
		t.Errorf("without upload: %v", err)
	}
}

func TestRemoteProcess(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	h := fleet(t, server)
	for _, upload := range []bool{true, false} {
		t.Run(fmt.Sprintf("upload=%v", upload), func(t *testing.T) {
			r := must[*host.Remote](t)(h.Get(t.Context(), spec(t, server, upload)))
			remoteLives(t, r)
		})
	}
}

func remoteLives(t *testing.T, r *host.Remote) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	start := func(grace time.Duration, argv ...string) host.Process {
		t.Helper()
		if err := os.RemoveAll(log); err != nil {
			t.Fatal(err)
		}
		c := host.Command{
			Argv: argv, Dir: dir, Log: log, Grace: grace,
			Env: map[string]string{"COLOUR": "it's red"},
		}
		return must[host.Process](t)(r.Start(t.Context(), c))
	}
	// By itself.
	p := start(0, "/bin/sh", "-c", `echo "$COLOUR $KVSCEN_RUN $PWD"; exit 7`)
	<-p.Done()
	if exit, ok := errors.AsType[*host.ExitError](p.Err()); !ok || exit.Code != 7 {
		t.Errorf("it ended by %v", p.Err())
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if text := must[[]byte](t)(os.ReadFile(log)); string(text) != "it's red "+r.Folder("")+" "+dir+"\n" {
		t.Errorf("its log is %q", text)
	}
	// When it is asked to.
	p = start(5*time.Second, os.Args[0], "program", "polite", dir)
	isUp(t, log)
	if marked(t, dir)["polite"] != p.PID() {
		t.Errorf("pid %d, there are %v", p.PID(), marked(t, dir))
	}
	if err := p.Stop(t.Context()); err != nil || p.Err() != nil {
		t.Errorf("a polite program: %v, %v", err, p.Err())
	}
	// After its grace, and with what it started.
	p = start(time.Second, os.Args[0], "program", "forker", dir)
	isUp(t, log)
	if err := p.Stop(t.Context()); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("a stubborn program: %v, %v", err, p.Err())
	}
	noneLeft(t, dir)
	// At once.
	p = start(time.Minute, os.Args[0], "program", "stubborn", dir)
	isUp(t, log)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.Stop(ctx); err != nil {
		t.Error(err)
	}
	noneLeft(t, dir)
	if _, err := r.Start(t.Context(), host.Command{Argv: []string{"/bin/true"}, Dir: dir + "/none", Log: log}); err == nil {
		t.Error("a program was started in a folder that does not exist")
	}
}

// isUp waits until a program has written that it listens to signals, or not.
func isUp(t *testing.T, log string) {
	t.Helper()
	for end := time.Now().Add(within); ; time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(log)
		if strings.Contains(string(text), "up\n") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("it does not come up: %q", text)
		}
	}
}

func noneLeft(t *testing.T, mark string) {
	t.Helper()
	for end := time.Now().Add(within); len(marked(t, mark)) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("left behind: %v", marked(t, mark))
		}
	}
}

// TestCutOff: a machine that is cut off ends its members by itself, and we
// notice.
func TestCutOff(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	relay := sshtest.NewRelay(t, server.Endpoint(), 0)
	behind := server.At(t, relay.Address)
	r := remote(t, behind, true)
	dir := t.TempDir()
	p := must[host.Process](t)(r.Start(t.Context(), host.Command{
		Argv: []string{os.Args[0], "program", "tree", dir}, Dir: dir, Log: filepath.Join(dir, "log"), Grace: time.Second,
	}))
	time.Sleep(12 * time.Second)
	select {
	case <-p.Done():
		t.Fatal("it ended while we are there:", p.Err())
	default:
	}
	relay.Cut()
	select {
	case <-p.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("a machine that was cut off was not noticed within 10 s")
	}
	if lost, ok := errors.AsType[*sshlink.LostError](p.Err()); !ok || lost.Name != "127.0.0.1" {
		t.Errorf("it ended by %v", p.Err())
	}
	noneLeft(t, dir)
}

// TestOtherArchitecture names the binary that is missing.
func TestOtherArchitecture(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a machine that is like this one")
	}
	server := sshtest.Start(t, sshtest.Options{})
	bin := t.TempDir()
	// A uname that tells another machine.
	if err := os.WriteFile(filepath.Join(bin, "uname"), []byte("#!/bin/sh\n[ $1 = -m ] && echo riscv64 || echo Linux\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	odd := sshtest.Start(t, sshtest.Options{Env: "PATH=" + bin + ":/usr/bin:/bin"})
	_, err := fleet(t, server, odd).Get(t.Context(), spec(t, odd, true))
	if err == nil || !strings.Contains(err.Error(), "linux/riscv64") || !strings.Contains(err.Error(), "GOARCH=riscv64") {
		t.Errorf("got %v", err)
	}
}

// TestClock compares this machine with itself, over a path that takes its time.
func TestClock(t *testing.T) {
	server := sshtest.Start(t, sshtest.Options{})
	relay := sshtest.NewRelay(t, server.Endpoint(), 100*time.Millisecond)
	c, err := remote(t, server.At(t, relay.Address), false).Clock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c.Offset.Abs() > c.Bound || c.Bound < 100*time.Millisecond {
		t.Errorf("offset %v, give or take %v", c.Offset, c.Bound)
	}
}
