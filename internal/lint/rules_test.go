// Package lint holds the rules of the house as tests: who may import whom, where unsafe and cgo may stand.
package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/ptero-rt/ptero"

// rule says which of our packages the ones below dir may import. Entries ending in "/..." stand for a whole tree.
type rule struct {
	dir string
	may []string
}

// rules are tried in order; the first whose dir matches counts. A package that no rule matches may import all.
var rules = []rule{
	{"pte/...", []string{"pte/...", "internal/..."}},
	{"hal", nil},
	{"hal/...", []string{"hal/...", "internal/..."}},
	{"memory/pack/...", []string{"memory/pack/...", "internal/..."}},
	{"memory/...", []string{"hal", "memory/...", "internal/..."}},
	{"executor/...", []string{"pte", "hal", "memory", "executor", "internal/..."}},
	{"plan/...", []string{"pte", "executor", "memory", "memory/pack/...", "hal", "internal/..."}},
	{"backends/xnnpack/...", []string{"executor", "hal", "memory", "internal/...", "backends/cpu/...", "backends/xnnpack/..."}},
	{"backends/cpu/...", []string{"executor", "hal", "memory", "internal/...", "backends/cpu/..."}},
	{"backends/ethosu", []string{"executor", "hal", "memory", "internal/...", "backends/ethosu/stream"}},
	{"backends/ethosu/...", []string{"hal", "internal/...", "backends/ethosu/..."}},
	{"backends/nxp", []string{"executor", "hal", "memory", "internal/..."}},
	{"backends/nxp/...", []string{"hal", "internal/...", "backends/nxp/..."}},
	{"fixtures", nil},
	{"internal/ptebuild", []string{"pte", "pte/schema/...", "internal/..."}},
	{"internal/...", []string{"internal/..."}},
}

// cgo names the folders where `import "C"` may stand.
var cgo = []string{"backends/ethosu/core", "backends/ethosu/simc", "backends/nxp/core", "backends/nxp/simc", "backends/nxp/driver", "cmd/lib"}

func match(pattern, dir string) bool {
	if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
		return dir == tree || strings.HasPrefix(dir, tree+"/")
	}
	return dir == pattern
}

func TestHouseRules(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	set := token.NewFileSet()
	files := 0
	explained := map[string]bool{} // folders with a package comment
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "build" || d.Name() == "bin") && path != root {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, _ := filepath.Rel(root, path)
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		files++
		folder := filepath.ToSlash(filepath.Dir(rel))
		if !strings.HasSuffix(path, "_test.go") {
			explained[folder] = explained[folder] || f.Doc != nil || generated(f)
		}
		check(t, filepath.ToSlash(rel), f)
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 10)
	for folder, ok := range explained {
		if !ok {
			t.Errorf("%s: want a package comment that says what the package is for", folder)
		}
	}
}

// vague names say nothing about what is in a file.
var vague = regexp.MustCompile(`(^|_)(manager|helpers?|utils?|base|impl|info|data|handle|common|misc|debug|dev|zz)(_|\.)`)

func check(t *testing.T, file string, f *ast.File) {
	dir := filepath.ToSlash(filepath.Dir(file))
	test := strings.HasSuffix(file, "_test.go")
	if vague.MatchString(filepath.Base(file)) {
		t.Errorf("%s: a file is called by its noun", file)
	}
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		switch {
		case path == "unsafe":
			if !strings.HasSuffix(file, "_unsafe.go") && !strings.HasSuffix(file, "_unsafe_test.go") && !cgoFolder(dir) {
				t.Errorf("%s: unsafe stands only in files named *_unsafe.go", file)
			}
		case path == "C":
			if test || !cgoFolder(dir) {
				t.Errorf("%s: import \"C\" stands only in %v, and never in a test", file, cgo)
			}
		case path == "github.com/ebitengine/purego":
			if dir != "backends/nxp/driver" {
				t.Errorf("%s: purego stands only in driver packages", file)
			}
		case !test && strings.HasPrefix(path, module+"/"):
			ours := strings.TrimPrefix(path, module+"/")
			for _, r := range rules {
				if !match(r.dir, dir) {
					continue
				}
				allowed := false
				for _, m := range r.may {
					allowed = allowed || match(m, ours)
				}
				if !allowed {
					t.Errorf("%s: %s may not import %s", file, dir, ours)
				}
				break
			}
		}
	}
	if test || generated(f) {
		return
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			t.Errorf("%s: no init functions", file)
		}
	}
}

func cgoFolder(dir string) bool {
	for _, c := range cgo {
		if dir == c || strings.HasPrefix(dir, c) {
			return true
		}
	}
	return false
}

func generated(f *ast.File) bool { return ast.IsGenerated(f) }

// TestNoMachineWords keeps paths of one machine and registry hosts out of the tree.
func TestNoMachineWords(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	words := []string{"/wo" + "rk/", "/ro" + "ot/", "proxy.go" + "lang.org", "pypi" + ".org", "deb.deb" + "ian.org", "/tmp/pe" + "ers"}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "build" || d.Name() == "bin") {
			return fs.SkipDir
		}
		switch filepath.Ext(path) {
		case ".go", ".md", ".py", ".sh", ".s", ".c", ".h", ".fbs", ".cpp", "":
		default:
			return nil
		}
		if d.IsDir() {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		for _, w := range words {
			if strings.Contains(string(b), w) {
				t.Errorf("%s: holds %q", rel, w)
			}
		}
		return nil
	})
	require.NoError(t, err)
}
