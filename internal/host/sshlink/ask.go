package sshlink

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"
)

// askTerminal asks on the terminal that this process belongs to, whatever its
// standard input is.
func askTerminal(prompt string) ([]byte, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.New("there is no terminal to ask for its passphrase; add it to the SSH agent with ssh-add")
	}
	defer tty.Close()
	fmt.Fprint(tty, prompt)
	answer, err := term.ReadPassword(int(tty.Fd()))
	fmt.Fprintln(tty)
	return answer, err
}
