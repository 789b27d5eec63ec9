package host_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/host/sshtest"
)

// TestSudo works as root where sudo is there and asks for no password, and says
// what is the matter where it is not.
func TestSudo(t *testing.T) {
	s := sshtest.Start(t, sshtest.Options{})
	as := spec(t, s, false)
	as.Sudo = true
	r, err := fleet(t, s).Get(t.Context(), as)
	if _, missing := exec.LookPath("sudo"); missing != nil {
		if err == nil || !strings.Contains(err.Error(), s.Address+": sudo is asked for, but it is not installed there") {
			t.Errorf("without sudo: %v", err)
		}
		return
	}
	if err != nil {
		if !strings.Contains(err.Error(), "NOPASSWD") || os.Getuid() == 0 {
			t.Errorf("with a password: %v", err)
		}
		return
	}
	workAsRoot(t, r)
}

func workAsRoot(t *testing.T, r *host.Remote) {
	t.Helper()
	if out, err := r.Run(t.Context(), "id -u"); err != nil || out != "0\n" {
		t.Errorf("id is %q, %v", out, err)
	}
	dir := r.Folder("d")
	if err := r.MkdirAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := r.RemoveAll(dir); err != nil {
		t.Error(err)
	}
}
