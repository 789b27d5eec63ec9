package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"sync"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// binaries finds our binary for each architecture, and what it is called on a
// machine: by its content, so that it is copied there once.
type binaries struct {
	self string

	mu     sync.Mutex
	hashes map[string]string // by path
}

// find gives the binary for Linux on arch: ourselves, or SELF-linux-ARCH beside
// us.
func (b *binaries) find(arch string) (string, error) {
	if runtime.GOOS == "linux" && arch == runtime.GOARCH {
		return b.self, nil
	}
	other := b.self + "-linux-" + arch
	if _, err := os.Stat(other); err != nil {
		return "", fmt.Errorf("it is linux/%s, and this kvscen is %s/%s: put one built for it (GOOS=linux GOARCH=%s go build) at %s, or say upload = False, which has no embedded members and a weaker guard",
			arch, runtime.GOOS, runtime.GOARCH, arch, other)
	}
	return other, nil
}

// hash names the content of a file.
func (b *binaries) hash(file string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h := b.hashes[file]; h != "" {
		return h, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	if b.hashes == nil {
		b.hashes = make(map[string]string)
	}
	b.hashes[file] = hex.EncodeToString(sum.Sum(nil))[:16]
	return b.hashes[file], nil
}

// upload copies our binary there, unless it is there already, and sees that it
// can be run.
func (r *Remote) upload(ctx context.Context, b *binaries) error {
	file, err := b.find(r.arch)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Name(), err)
	}
	hash, err := b.hash(file)
	if err != nil {
		return fmt.Errorf("read our own binary: %w", err)
	}
	to := path.Join(r.base, "bin", hash, "kvscen")
	err = r.tryBinary(ctx, to)
	if exit, ok := errors.AsType[*sshlink.ExitError](err); ok && exit.Status == statusAbsent {
		if err := r.place(ctx, file, to); err != nil {
			return fmt.Errorf("copy kvscen to %s: %w", r.Name(), err)
		}
		err = r.tryBinary(ctx, to)
	}
	if err != nil {
		return fmt.Errorf("kvscen can't be run on %s as %s, is its file system mounted noexec? dir= names another one: %w", r.Name(), to, err)
	}
	r.self = to
	return nil
}

// statusAbsent says that a file is not there.
const statusAbsent = 99

// tryBinary sees whether our binary is there and runs: a guard without a
// program to run complains with a status of its own.
func (r *Remote) tryBinary(ctx context.Context, file string) error {
	_, err := r.Run(ctx, fmt.Sprintf(`[ -x %[1]s ] || exit %[2]d
%[1]s %[3]s -- >/dev/null 2>&1
[ $? -eq %[4]d ] || { %[1]s %[3]s --; exit 1; }`, sshlink.Quote(file), statusAbsent, GuardCommand, exitUsage))
	return err
}

// place puts a program there, whole or not at all: the end of the connection looks
// like the end of the file.
func (r *Remote) place(ctx context.Context, file, to string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	script := fmt.Sprintf(`set -e
mkdir -p %s
t=%s.$$
trap 'rm -f "$t"' EXIT
cat >"$t"
[ "$(wc -c <"$t")" -eq %d ] || { echo "it came incomplete" >&2; exit 1; }
chmod 755 "$t"
mv "$t" %[2]s`, sshlink.Quote(path.Dir(to)), sshlink.Quote(to), info.Size())
	_, err = r.link.Run(ctx, sshlink.Command{Script: script, Stdin: f, Moves: true, Sudo: r.spec.Sudo})
	return err
}
