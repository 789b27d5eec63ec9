package stdlib_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/stdlib"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := fs.ReadFile(stdlib.Files(), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRecipesExist(t *testing.T) {
	for _, name := range stdlib.Recipes() {
		if !strings.Contains(read(t, name+".star"), "\nneeds = requires(") {
			t.Errorf("%s.star does not say what it needs: needs = requires(...)", name)
		}
		if !strings.Contains(read(t, name+".star"), "\ndef "+name+"(") {
			t.Errorf("%s.star has no function %s", name, name)
		}
	}
}

// Every public function tells what its arguments mean.
func TestDocumented(t *testing.T) {
	function := regexp.MustCompile(`(?s)\ndef ([a-z]\w*)\((.*?)\):\n    """(.*?)"""`)
	files, err := fs.Glob(stdlib.Files(), "*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		text := read(t, file)
		documented := map[string]bool{}
		for _, m := range function.FindAllStringSubmatch(text, -1) {
			documented[m[1]] = true
			for param := range strings.SplitSeq(m[2], ",") {
				name, _, _ := strings.Cut(strings.TrimSpace(param), " ")
				if name != "" && !strings.Contains(m[3], "\n      "+name+": ") {
					t.Errorf("%s: %s: argument %s is not documented", file, m[1], name)
				}
			}
		}
		for _, m := range regexp.MustCompile(`(?m)^def ([a-z]\w*)\(`).FindAllStringSubmatch(text, -1) {
			if !documented[m[1]] {
				t.Errorf("%s: %s has no docstring", file, m[1])
			}
		}
	}
}

// The version that the recipe foretells is the one that is built in.
func TestEmbeddedVersion(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	built := regexp.MustCompile(`go\.etcd\.io/etcd/server/v3 v(\S+)`).FindStringSubmatch(string(mod))
	if built == nil {
		t.Fatal("go.mod does not require the server of etcd")
	}
	if want := `EMBEDDED_VERSION = "` + built[1] + `"`; !strings.Contains(read(t, "etcd.star"), want) {
		t.Errorf("etcd.star lacks %s", want)
	}
}
