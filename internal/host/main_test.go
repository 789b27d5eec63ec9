package host_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/host"
)

// The test binary is every process of these tests: the guards, a parent that
// can be killed, and programs that are hard to kill.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case host.GuardCommand:
			os.Exit(host.Guard(context.Background(), os.Args[2:], os.Stderr))
		case "parent":
			beParent(os.Args[2:])
		case "program":
			beProgram(os.Args[2:])
		}
	}
	os.Exit(m.Run())
}

// beParent stands for kvscen: it starts a program under a guard and sleeps.
func beParent(args []string) {
	logFile, argv := args[0], args[1:]
	_, err := host.Local{Self: os.Args[0]}.Start(context.Background(), host.Command{
		Argv: argv, Log: logFile, Grace: 200 * time.Millisecond,
	})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	time.Sleep(time.Minute)
}

// beProgram is a program of the given kind; its last argument marks it.
func beProgram(args []string) {
	kind, mark := args[0], args[1]
	switch kind {
	case "polite": // ends when it is asked to
		ask := make(chan os.Signal, 1)
		signal.Notify(ask, syscall.SIGTERM)
		fmt.Println("up")
		select {
		case <-ask:
			fmt.Println("bye")
			os.Exit(0)
		case <-time.After(time.Minute):
		}
	case "exit":
		fmt.Println("no luck")
		os.Exit(7)
	case "forker": // starts one child in its group
		spawn(nil, "stubborn", mark)
	case "tree": // and one that leaves the group and loses its parent
		spawn(nil, "stubborn", mark)
		spawn(&syscall.SysProcAttr{Setsid: true}, "orphaner", mark)
	case "orphaner":
		spawn(&syscall.SysProcAttr{Setsid: true}, "stubborn", mark)
		os.Exit(0)
	}
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	fmt.Println("up")
	time.Sleep(time.Minute)
}

func spawn(attr *syscall.SysProcAttr, kind, mark string) {
	cmd := exec.Command(os.Args[0], "program", kind, mark)
	cmd.SysProcAttr = attr
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
