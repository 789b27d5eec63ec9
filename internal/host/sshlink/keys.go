package sshlink

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// keyring holds the private keys that were opened, so that a passphrase is asked
// for once, however many machines want the key.
type keyring struct {
	ask    func(prompt string) ([]byte, error)
	asking atomic.Bool

	mu     sync.Mutex
	opened map[string]ssh.Signer // by file
}

const askTimes = 3 // for one passphrase

// signers gives the keys to try on a route in their order, and what each is
// called; closeAgent is to be called when they are no longer needed.
func (k *keyring) signers(r route) (list []ssh.Signer, closeAgent func(), err error) {
	held, closeAgent := agentSigners(r.agent)
	for _, file := range r.keys {
		s, err := k.load(file, held)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			closeAgent()
			return nil, nil, err
		}
		list = append(list, s)
	}
	if !r.keysOnly {
		for _, s := range held {
			if !contains(list, s.PublicKey()) {
				list = append(list, s)
			}
		}
	}
	if len(list) == 0 {
		closeAgent()
		return nil, nil, fmt.Errorf("there is no key to log in with: none of %q can be found, and the SSH agent holds none", r.keys)
	}
	return list, closeAgent, nil
}

// agentSigners are the keys of the agent. One that does not answer has none.
func agentSigners(socket string) ([]ssh.Signer, func()) {
	if socket == "" {
		return nil, func() {}
	}
	conn, err := net.DialTimeout("unix", socket, time.Second)
	if err != nil {
		return nil, func() {}
	}
	list, err := agent.NewClient(conn).Signers()
	if err != nil {
		conn.Close()
		return nil, func() {}
	}
	return list, func() { conn.Close() }
}

func contains(list []ssh.Signer, key ssh.PublicKey) bool { return find(list, key) != nil }

func find(list []ssh.Signer, key ssh.PublicKey) ssh.Signer {
	for _, s := range list {
		if string(s.PublicKey().Marshal()) == string(key.Marshal()) {
			return s
		}
	}
	return nil
}

// load reads the key of a file. The passphrase of one that is encrypted is asked
// for only when the server wants that very key and the agent does not hold it.
func (k *keyring) load(file string, held []ssh.Signer) (ssh.Signer, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the private key: %w", err)
	}
	s, err := ssh.ParsePrivateKey(text)
	missing, encrypted := errors.AsType[*ssh.PassphraseMissingError](err)
	if !encrypted {
		if err != nil {
			return nil, fmt.Errorf("read the private key %s: %w", file, err)
		}
		return s, nil
	}
	public := missing.PublicKey
	if public == nil { // of the older formats
		if public, err = publicKey(file + ".pub"); err != nil {
			return nil, fmt.Errorf("the private key %s is encrypted, and its public key can't be read: %w", file, err)
		}
	}
	if s := find(held, public); s != nil {
		return s, nil
	}
	return &lockedKey{ring: k, file: file, text: text, public: public}, nil
}

func publicKey(file string) (ssh.PublicKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey(text)
	return key, err
}

// lockedKey is an encrypted key, opened when it is first used.
type lockedKey struct {
	ring   *keyring
	file   string
	text   []byte
	public ssh.PublicKey
}

var _ ssh.AlgorithmSigner = (*lockedKey)(nil)

func (k *lockedKey) PublicKey() ssh.PublicKey { return k.public }

func (k *lockedKey) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	s, err := k.ring.open(k)
	if err != nil {
		return nil, err
	}
	return s.Sign(rand, data)
}

// SignWithAlgorithm lets RSA keys sign by SHA-2.
func (k *lockedKey) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	s, err := k.ring.open(k)
	if err != nil {
		return nil, err
	}
	if by, ok := s.(ssh.AlgorithmSigner); ok {
		return by.SignWithAlgorithm(rand, data, algorithm)
	}
	return s.Sign(rand, data)
}

// open asks for the passphrase unless the key was opened before.
func (k *keyring) open(key *lockedKey) (ssh.Signer, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.opened[key.file]; s != nil {
		return s, nil
	}
	if k.ask == nil {
		return nil, fmt.Errorf("the private key %s is encrypted, and nobody can be asked for its passphrase", key.file)
	}
	k.asking.Store(true)
	defer k.asking.Store(false)
	for range askTimes {
		passphrase, err := k.ask(fmt.Sprintf("Passphrase of the key %s: ", key.file))
		if err != nil {
			return nil, fmt.Errorf("the private key %s is encrypted: %w", key.file, err)
		}
		s, err := ssh.ParsePrivateKeyWithPassphrase(key.text, passphrase)
		if err == nil {
			k.opened[key.file] = s
			return s, nil
		}
	}
	return nil, fmt.Errorf("the private key %s could not be opened: %d wrong passphrases", key.file, askTimes)
}
