package sshlink

import (
	"os"
	"os/user"
	"path/filepath"
	"time"
)

// Settings is what a Dialer goes by.
type Settings struct {
	Home       string   // of the user: "~" in ssh_config, and its .ssh
	User       string   // to log in as, where nothing else says
	Configs    []string // files in the form of ssh_config, the first value counts; those missing are passed over
	KnownHosts []string // where ssh_config names none; those missing are passed over
	Keys       []string // private keys to try where none is named; those missing are passed over
	Agent      string   // socket of the SSH agent; empty: none
	// Ask asks the user for the passphrase of a key. Nil: nobody can be asked.
	Ask    func(prompt string) ([]byte, error)
	Limits Limits
}

// Limits are the deadlines of the steps. None may be 0.
type Limits struct {
	Connect   time.Duration // TCP
	Handshake time.Duration // keys and login, without the time for which the user is asked
	Session   time.Duration // opening one
	Command   time.Duration // a whole command
	Read      time.Duration // silence of a command that moves data
	KeepEvery time.Duration // between two keepalives
	Patience  time.Duration // with a machine of which nothing at all is heard while it owes the answer to one
}

// DefaultLimits has a silent machine reported within 8 s.
func DefaultLimits() Limits {
	return Limits{
		Connect: 10 * time.Second, Handshake: 15 * time.Second, Session: 10 * time.Second,
		Command: 30 * time.Second, Read: 15 * time.Second,
		KeepEvery: time.Second, Patience: 7 * time.Second,
	}
}

// UserSettings are those of the user who runs this program, as ssh has them.
func UserSettings() (Settings, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Settings{}, err
	}
	s := Settings{
		Home:  home,
		Agent: os.Getenv("SSH_AUTH_SOCK"),
		Configs: []string{
			filepath.Join(home, ".ssh", "config"),
			"/etc/ssh/ssh_config",
		},
		KnownHosts: []string{
			filepath.Join(home, ".ssh", "known_hosts"), filepath.Join(home, ".ssh", "known_hosts2"),
			"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2",
		},
		Ask:    askTerminal,
		Limits: DefaultLimits(),
	}
	for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
		s.Keys = append(s.Keys, filepath.Join(home, ".ssh", name))
	}
	if u, err := user.Current(); err == nil {
		s.User = u.Username
	}
	return s, nil
}
