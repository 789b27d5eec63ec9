package lang

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// failing loads a script that must fail and returns what is printed, with the
// folder of the script taken off.
func failing(t *testing.T, path string, cfg Config) string {
	t.Helper()
	v, err := evaluate(path, cfg)
	if err == nil {
		t.Fatalf("no error, main() = %v", v)
	}
	diagnostics(t, err)
	return strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), "")
}

func TestLoadFailures(t *testing.T) {
	tests := []struct {
		name   string
		text   string
		others []string
		want   string
	}{
		{
			"a circle of three",
			`load("a.star", "x")`,
			[]string{"a.star", `load("b.star", "x")`, "b.star", "\n" + `load("main.star", "x")`},
			`b.star:2:6: can't load "main.star": the files load each other in a circle: main.star -> a.star -> b.star -> main.star
    load("main.star", "x")
         ^~~~~~~~~~~
  called from a.star:1:1 (top level)
  called from main.star:1:1 (top level)`,
		},
		{
			"itself",
			`load("main.star", "x")`, nil,
			`main.star:1:6: can't load "main.star": the files load each other in a circle: main.star -> main.star
    load("main.star", "x")
         ^~~~~~~~~~~`,
		},
		{
			"syntax error in a loaded file",
			"\n" + `load("sub/a.star", "x")`,
			[]string{"sub/a.star", "x = f'a'\n"},
			`sub/a.star:1:5: there are no f-strings: write "… {} …".format(x)
    x = f'a'
        ^
  called from main.star:2:1 (top level)`,
		},
		{
			"name errors in a loaded file",
			`load("a.star", "x")`,
			[]string{"a.star", "x = first_one\ny = second_one\n"},
			`a.star:1:5: undefined: first_one
    x = first_one
        ^~~~~~~~~
  called from main.star:1:1 (top level)
a.star:2:5: undefined: second_one
    y = second_one
        ^~~~~~~~~~
  called from main.star:1:1 (top level)`,
		},
		{
			"runtime error in a loaded file",
			`load("a.star", "x")`,
			[]string{"a.star", "def f():\n    return [1][2]\n\nx = f()\n"},
			`a.star:2:15: list index 2 out of range [-1:0]
        return [1][2]
                  ^
  called from a.star:4:6 (top level)
  called from main.star:1:1 (top level)`,
		},
		{
			"library code of the user's call",
			"load(\"@std//library.star\", \"twice\")\n\ndef f(n):\n    return twice(\n        times = 2,\n        value = [n, 2],\n    )\n\nx = f(1)\n", nil,
			`main.star:6:17: refuse: no
            value = [n, 2],
                    ^~~~~~
  in @std//library.star:10:18 (_pass_on)
  in @std//library.star:6:24 (twice)
  called from main.star:9:6 (top level)`,
		},
		{
			"an argument that the library hands on",
			"load(\"@std//library.star\", \"thrice\")\n\nx = thrice(label = \"a\", base = [3])\n", nil,
			`main.star:3:32: int: cannot convert list to int
    x = thrice(label = "a", base = [3])
                                   ^~~
  in @std//library.star:14:15 (thrice)`,
		},
		{
			"an operand that the library hands on",
			"load(\"@std//library.star\", \"thrice\")\n\nx = thrice(3, 4)\n", nil,
			`main.star:3:15: int + string: there is no such operation; make a string of the other with str(x), or write "{}".format(x)
    x = thrice(3, 4)
                  ^
  in @std//library.star:15:45 (thrice)`,
		},
		{
			"tabs and wide characters keep the caret in place",
			"def main():\n\ttext = \"äöü→\" + refuse(1, other = \"ä\")\n", nil,
			"main.star:2:36: refuse: no\n    \ttext = \"äöü→\" + refuse(1, other = \"ä\")\n    \t                                  ^~~",
		},
		{
			"an argument of several lines is marked to the end of its first",
			"x = refuse(\n    1,\n    [\n        2,\n    ],\n)\n", nil,
			"main.star:3:5: refuse: no\n        [\n        ^",
		},
		{
			"windows line ends",
			"x = 1\r\ny = hello\r\n", nil,
			"main.star:2:5: undefined: hello\n    y = hello\n        ^~~~~",
		},
		{
			"not text", "x = 1\ny = \"\x00\"\n", nil,
			"main.star:2:6: a NUL byte: this is not a text file\n    y = \"\ufffd\"\n         ^",
		},
		{
			"not UTF-8", "x = \"ä\xff\"\n", nil,
			"main.star:1:7: invalid UTF-8: save the file as UTF-8 text\n    x = \"ä\ufffd\"\n          ^",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := failing(t, script(t, tt.text, tt.others...), testConfig()); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestEntryFailures(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "large.star"), strings.Repeat("# a comment\n", maxSource/10))
	tests := []struct{ name, path, want string }{
		{"missing", "none.star", "none.star: no such file or directory"},
		{"folder", "", "this is a folder, not a script"},
		{"device", "/dev/null", "/dev/null: this is not a regular file"},
		{"huge", "large.star", "large.star: the file is larger than 1024 KiB: not a script"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := tt.path
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, path)
			}
			_, err := Load(context.Background(), path, testConfig())
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

// TestHermetic follows symbolic links: what they lead to counts.
func TestHermetic(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(base, "outside.star"), "x = 1\n")
	write(t, filepath.Join(base, "in/part.star"), "x = 1\n")
	write(t, filepath.Join(base, "in/main.star"), `load("link.star", "x")`)
	write(t, filepath.Join(base, "in/main2.star"), `load("good.star", "x")`)
	write(t, filepath.Join(base, "in/main3.star"), `load("../outside.star", "x")`)
	for link, to := range map[string]string{"in/link.star": "../outside.star", "in/good.star": "part.star"} {
		if err := os.Symlink(to, filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		entry, root string
		ok          bool
	}{
		{"in/main.star", "", false},
		{"in/main.star", base, true},
		{"in/main2.star", "", true},
		{"in/main3.star", "", false},
		{"in/main3.star", base, true},
		{"in/main3.star", filepath.Join(base, "in"), false},
	}
	for _, tt := range tests {
		cfg := testConfig()
		cfg.Root = tt.root
		_, err := Load(context.Background(), filepath.Join(base, tt.entry), cfg)
		if (err == nil) != tt.ok {
			t.Errorf("%s with root %q: error %v, want success %v", tt.entry, tt.root, err, tt.ok)
		}
		if err != nil && !strings.Contains(err.Error(), "it lies outside of the root folder "+filepath.Join(base, "in")) {
			t.Errorf("%s: error %v does not say that the file lies outside", tt.entry, err)
		}
	}
}

// A file that is loaded twice is evaluated once.
func TestLoadOnce(t *testing.T) {
	path := script(t, `load("a.star", "x")
load("b.star", "y")

same = x == y
`, "a.star", "print(\"a\")\nx = [1]\n", "b.star", "load(\"./a.star\", \"x\")\ny = x\n")
	var out printed
	cfg := testConfig()
	cfg.Print = &out
	f, err := Load(context.Background(), path, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if out != "a\n" || len(f.Sources()) != 3 {
		t.Errorf("printed %q, %d sources; want a once and 3", out, len(f.Sources()))
	}
}
