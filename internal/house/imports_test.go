package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/kvscen/kvscen/"

// may is the table of the house: what each package may import of this module,
// outside its tests. A folder that is not listed has the row of the folder
// above it. "*" is everything.
var may = map[string][]string{
	"cmd/kvscen":            {"*"},
	"bench":                 {"*"},
	"lang":                  {},
	"builtins":              {"internal/compare", "internal/plan", "internal/result", "drivers"},
	"stdlib":                {},
	"scenarios":             {},
	"drivers":               {},
	"drivers/cassandra":     {"drivers"},
	"drivers/consul":        {"drivers"},
	"drivers/etcd":          {"drivers", "drivers/promtext"},
	"drivers/etcdv2":        {"drivers", "drivers/promtext"},
	"drivers/inproc":        {"drivers"},
	"drivers/leveldb":       {"drivers", "drivers/inproc"},
	"drivers/pebble":        {"drivers", "drivers/inproc"},
	"drivers/bbolt":         {"drivers", "drivers/inproc"},
	"drivers/mem":           {"drivers"},
	"drivers/drivertest":    {"drivers"},
	"drivers/promtext":      {"drivers"},
	"drivers/zookeeper":     {"drivers"},
	"engine":                {"engine/load", "engine/sample", "internal/plan", "internal/result", "internal/cluster", "internal/host", "internal/procfs", "drivers"},
	"engine/load":           {"internal/plan", "internal/result", "internal/dist", "drivers"},
	"engine/sample":         {"internal/procfs", "internal/host", "internal/result"},
	"internal/charts":       {"internal/charts", "internal/result"}, // draw draws what the folder above makes
	"internal/cluster":      {"internal/plan", "internal/host"},
	"internal/compare":      {"internal/result"},
	"internal/dist":         {},
	"internal/doctor":       {"internal/host", "internal/plan"},
	"internal/history":      {"internal/result"},
	"internal/host":         {"internal/host/sshlink"},
	"internal/host/sshlink": {},
	"internal/host/sshtest": {},
	"internal/house":        {},
	"internal/live":         {"engine"},
	"internal/merge":        {"internal/result"},
	"internal/outline":      {"internal/plan"},
	"internal/plan":         {},
	"internal/procfs":       {"internal/host"},
	"internal/progress":     {"engine"},
	"internal/reference":    {"builtins", "stdlib", "drivers", "internal/plan", "internal/result", "internal/report", "internal/scenario", "internal/sheets", "lang"},
	"internal/report":       {"internal/charts", "internal/compare", "internal/history", "internal/result"},
	"internal/result":       {},
	"internal/sheets":       {"internal/report", "internal/result"},
	"internal/scenario":     {"lang", "builtins", "stdlib", "internal/plan", "internal/result", "drivers"},
	"internal/testserver":   {},
}

// only lists who may import some packages of others.
var only = map[string][]string{
	"go.starlark.net/":                      {"lang", "builtins", "internal/scenario", "internal/reference"},
	"go.etcd.io/etcd/":                      {"drivers/etcd", "drivers/etcdv2", "drivers/etcd/serve", "bench"},
	"go.etcd.io/bbolt":                      {"drivers/bbolt", "bench"},
	"github.com/syndtr/goleveldb/":          {"drivers/leveldb", "bench"},
	"github.com/cockroachdb/pebble/":        {"drivers/pebble", "bench"},
	"github.com/apache/cassandra":           {"drivers/cassandra", "bench"},
	"github.com/hashicorp/consul/":          {"drivers/consul", "bench"},
	"github.com/go-zookeeper/":              {"drivers/zookeeper", "bench"},
	"golang.org/x/crypto/ssh":               {"internal/host"},
	"github.com/HdrHistogram/":              {"engine/load", "internal/result", "bench"},
	"github.com/prometheus/procfs":          {"internal/procfs", "engine/sample"},
	"github.com/olekukonko/tablewriter":     {"internal/report", "internal/outline", "cmd/kvscen"},
	"gonum.org/v1/plot":                     {"internal/charts/draw"},
	"github.com/spf13/cobra":                {"cmd/kvscen", "internal/reference"},
	"net/http":                              {"drivers", "internal/cluster", "internal/live", "bench"},
	"os/exec":                               {"internal/host", "internal/doctor", "internal/testserver", "bench"},
	"github.com/rogpeppe/go-internal/":      {},
	"github.com/prometheus/common/expfmt":   {"drivers"},
	"github.com/prometheus/client_model/go": {"drivers"},
	"github.com/prometheus/client_golang/":  {"internal/live"},
}

// file is one Go file outside the tests.
type file struct {
	folder  string // below the module's root
	name    string
	imports []string
	lines   int
}

func files(t *testing.T) []file {
	t.Helper()
	root := filepath.Join("..", "..")
	var list []file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && p != root && d.Name() != "..") {
			if d != nil && d.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		if d.IsDir() || filepath.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), p, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		f := file{folder: path.Dir(filepath.ToSlash(rel)), name: filepath.ToSlash(rel), lines: strings.Count(string(text), "\n")}
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f.imports = append(f.imports, name)
		}
		list = append(list, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Fatalf("only %d files found below %s", len(list), root)
	}
	return list
}

// row is the row of the table that a folder falls under.
func row(folder string) (string, bool) {
	for f := folder; f != "."; f = path.Dir(f) {
		if _, ok := may[f]; ok {
			return f, true
		}
	}
	return "", false
}

func TestWhoImportsWhom(t *testing.T) {
	for _, f := range files(t) {
		key, ok := row(f.folder)
		if !ok {
			t.Errorf("%s: the folder is not in the table of the house", f.name)
			continue
		}
		for _, name := range f.imports {
			own, ours := strings.CutPrefix(name, module)
			if !ours || own == f.folder || slices.Contains(may[key], "*") || slices.Contains(may[key], own) {
				continue
			}
			t.Errorf("%s imports %s; %s may import %v", f.name, own, key, may[key])
		}
	}
}

func TestWhoImportsOthers(t *testing.T) {
	for _, f := range files(t) {
		for _, name := range f.imports {
			for prefix, folders := range only {
				if !strings.HasPrefix(name, prefix) && name != prefix {
					continue
				}
				below := func(folder string) bool { return f.folder == folder || strings.HasPrefix(f.folder, folder+"/") }
				if !slices.ContainsFunc(folders, below) {
					t.Errorf("%s imports %s; only %v may", f.name, name, folders)
				}
			}
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	const most = 400
	for _, f := range files(t) {
		if f.lines > most {
			t.Errorf("%s has %d lines, more than %d", f.name, f.lines, most)
		}
	}
}
