package sshtest

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// WriteKey makes a private key, "rsa" or else "ed25519", encrypted where there is
// a passphrase, and returns the public one.
func WriteKey(t testing.TB, file, kind, passphrase string) ssh.PublicKey {
	t.Helper()
	var private crypto.PrivateKey
	var err error
	if kind == "rsa" {
		private, err = rsa.GenerateKey(rand.Reader, 2048)
	} else {
		_, private, err = ed25519.GenerateKey(rand.Reader)
	}
	if err != nil {
		t.Fatal(err)
	}
	var block *pem.Block
	if passphrase == "" {
		block, err = ssh.MarshalPrivateKey(private, "test")
	} else {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "test", []byte(passphrase))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer.PublicKey()
}

// Home makes a home folder whose .ssh knows the servers and has config as its
// configuration, with the key of the first server as id_ed25519.
func Home(t testing.TB, config string, servers ...*Server) string {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, ".ssh")
	var known strings.Builder
	for _, s := range servers {
		known.WriteString(s.KnownLine)
	}
	files := map[string]string{"config": config, "known_hosts": known.String()}
	if len(servers) > 0 {
		key, err := os.ReadFile(servers[0].Key)
		if err != nil {
			t.Fatal(err)
		}
		files["id_ed25519"] = string(key)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}
