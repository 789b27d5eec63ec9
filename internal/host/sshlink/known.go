package sshlink

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	known "golang.org/x/crypto/ssh/knownhosts"
)

// verifier holds one machine against the files of known hosts.
type verifier struct {
	as         string   // name in known_hosts, with the port
	files      []string // that exist
	add        string   // file that a line for it would be added to
	check      ssh.HostKeyCallback
	algorithms []string // kinds of key that are known of it; empty: it is not known
}

func newVerifier(r route) (*verifier, error) {
	v := &verifier{as: r.knownAs()}
	if len(r.known) > 0 {
		v.add = r.known[0]
	}
	for _, file := range r.known {
		if _, err := os.Stat(file); err == nil {
			v.files = append(v.files, file)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the known hosts: %w", err)
		}
	}
	db, err := knownhosts.NewDB(v.files...)
	if err != nil {
		return nil, fmt.Errorf("read the known hosts: %w", err)
	}
	v.check, v.algorithms = db.HostKeyCallback(), db.HostKeyAlgorithms(v.as)
	return v, nil
}

// verify is the callback of the handshake.
func (v *verifier) verify(name string, remote net.Addr, key ssh.PublicKey) error {
	err := v.check(name, remote, key)
	mismatch, ok := errors.AsType[*known.KeyError](err)
	switch {
	case err == nil:
		return nil
	case ok && len(mismatch.Want) == 0:
		return &HostKeyError{Text: v.unknown(key), Line: knownhosts.Line([]string{v.as}, key)}
	case ok:
		return &HostKeyError{Text: v.changed(key, mismatch.Want), Changed: true}
	}
	return fmt.Errorf("verify its host key: %w", err)
}

// HostKeyError refuses a machine that known_hosts does not know, or knows
// otherwise.
type HostKeyError struct {
	Text    string
	Line    string // to add to known_hosts, if the key is the machine's; empty where it has changed
	Changed bool
}

func (e *HostKeyError) Error() string { return e.Text }

func (v *verifier) unknown(key ssh.PublicKey) string {
	return fmt.Sprintf(`its host key is not known: %s %s
  Compare the fingerprint with what "ssh-keygen -lf /etc/ssh/ssh_host_%s_key.pub" prints on that machine. If it is the same, add this line to %s:
  %s`, key.Type(), ssh.FingerprintSHA256(key), shortType(key), v.add, knownhosts.Line([]string{v.as}, key))
}

func (v *verifier) changed(key ssh.PublicKey, want []known.KnownKey) string {
	var b strings.Builder
	fmt.Fprintf(&b, "its host key has changed: it shows %s %s, but known is", key.Type(), ssh.FingerprintSHA256(key))
	for _, w := range want {
		fmt.Fprintf(&b, "\n  %s %s (%s:%d)", w.Key.Type(), ssh.FingerprintSHA256(w.Key), w.Filename, w.Line)
	}
	fmt.Fprintf(&b, "\n  Somebody may stand between you and the machine; or it was set up anew, and then its line has to be replaced.")
	return b.String()
}

// shortType is the kind of a key as it stands in the names of sshd's files.
func shortType(key ssh.PublicKey) string {
	switch t := key.Type(); {
	case strings.Contains(t, "ed25519"):
		return "ed25519"
	case strings.Contains(t, "ecdsa"):
		return "ecdsa"
	}
	return "rsa"
}
