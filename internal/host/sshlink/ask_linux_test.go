package sshlink_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// askVariable makes the test binary ask for a passphrase.
const askVariable = "KVSCEN_TEST_ASK"

// TestNoTerminalToAskOn runs itself in a session without a terminal, as CI and
// services have none.
func TestNoTerminalToAskOn(t *testing.T) {
	if os.Getenv(askVariable) != "" {
		s, err := sshlink.UserSettings()
		if err == nil {
			_, err = s.Ask("Passphrase: ")
		}
		t.Log(err)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestNoTerminalToAskOn$", "-test.v")
	cmd.Env = append(os.Environ(), askVariable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "there is no terminal to ask for its passphrase; add it to the SSH agent with ssh-add") {
		t.Errorf("%v\n%s", err, out)
	}
}
