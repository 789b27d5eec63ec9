package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/charts"
)

// The page is opened in a real browser, which draws every chart and complains of
// nothing.
func TestPageInABrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("chromium is not installed")
		}
		t.Skip("chromium is not installed")
	}
	r := oddRun(t)
	list, err := charts.Of(r)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d charts, %v", len(list), err)
	}
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := HTML(f, r, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--window-size=1200,900", "--virtual-time-budget=5000", "--dump-dom", "file://"+f.Name())
	var said strings.Builder
	cmd.Stderr = &said
	cmd.WaitDelay = 10 * time.Second
	page, err := cmd.Output()
	if err != nil {
		t.Fatalf("chromium: %v\n%s", err, said.String())
	}
	for line := range strings.Lines(said.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the browser says: %s", line)
		}
	}
	if want := fmt.Sprintf(`data-drawn="%d"`, len(list)); !strings.Contains(string(page), want) {
		t.Errorf("no %s: charts were not drawn", want)
	}
	if n := len(regexp.MustCompile(`<canvas`).FindAll(page, -1)); n != len(list) {
		t.Errorf("%d canvases for %d charts", n, len(list))
	}
}
