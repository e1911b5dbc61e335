package backend_test

import (
	"os/exec"
	"strings"
	"testing"
)

// layers is the import order of the project: a package imports only from earlier layers, and
// packages of one layer never import each other. A package below a listed one (store/internal,
// models/starter) belongs to its parent's room and may import it and its siblings there.
func layers() [][]string {
	return [][]string{
		{"network"},
		{"backend/domain", "models"},
		{"backend/language", "backend/extract", "backend/chunk", "backend/onnx", "backend/cohere", "backend/failover", "backend/ledger", "backend/ocr", "backend/tree", "backend/keychain"},
		{"backend/embed", "backend/rerank", "backend/store", "backend/trial", "backend/reader"},
		{"backend/retrieve"},
		{"backend/pipeline"},
		{"backend/eval", "backend/bench", "backend/drill"},
		{"backend"},
		{"build/sample"}, // documents for the window
		{"app", "cmd/fanous"},
		{""}, // main
	}
}

// outside are the folders with programs and tools that build Fanous and are no part of it.
var outside = []string{"build", "magefiles"}

func TestImportOrder(t *testing.T) {
	for _, v := range violations(importGraph(t)) {
		t.Error(v)
	}
}

// TestImportOrderCatches proves that the rule can fail.
func TestImportOrderCatches(t *testing.T) {
	for name, graph := range map[string]map[string][]string{
		"a lower layer imports a higher one": {"backend/store": {"backend/retrieve"}},
		"two packages of one layer":          {"backend/rerank": {"backend/store"}},
		"a package without a layer":          {"backend/utils": nil},
		"a subpackage climbs":                {"backend/cohere/coheretest": {"backend/pipeline"}},
	} {
		if len(violations(graph)) == 0 {
			t.Errorf("%s: not caught", name)
		}
	}
}

func TestOnlyTheShellImportsWails(t *testing.T) {
	for pkg, imports := range allImports(t) {
		for _, imp := range imports {
			if strings.HasPrefix(imp, "github.com/wailsapp/") && roomOf(pkg) != "app" && pkg != "" {
				t.Errorf("%s imports %s: only app and main may", pkg, imp)
			}
		}
	}
}

func TestOnlyTheStoreKnowsSQL(t *testing.T) {
	for pkg, imports := range allImports(t) {
		for _, imp := range imports {
			if (imp == "database/sql" || strings.HasPrefix(imp, "modernc.org/sqlite")) && roomOf(pkg) != "backend/store" {
				t.Errorf("%s imports %s: only backend/store may", pkg, imp)
			}
		}
	}
}

func violations(graph map[string][]string) []string {
	layerOf := map[string]int{}
	for i, layer := range layers() {
		for _, room := range layer {
			layerOf[room] = i
		}
	}
	var out []string
	for pkg, imports := range graph {
		room := roomOf(pkg)
		layer, known := layerOf[room]
		if !known {
			out = append(out, pkg+" has no place in the import order: put it in one of the rooms of ARCHITECTURE.md")
			continue
		}
		for _, imp := range imports {
			other := roomOf(imp)
			if other == room {
				continue
			}
			if otherLayer, ok := layerOf[other]; !ok || otherLayer >= layer {
				out = append(out, pkg+" imports "+imp+", which is not below it")
			}
		}
	}
	return out
}

// roomOf finds the listed package that pkg is or stands under; pkg itself where there is none.
func roomOf(pkg string) string {
	best := ""
	for _, layer := range layers() {
		for _, room := range layer {
			if room != "" && room != "backend" && (pkg == room || strings.HasPrefix(pkg, room+"/")) && len(room) > len(best) {
				best = room
			}
		}
	}
	if best == "" {
		return pkg
	}
	return best
}

func importGraph(t *testing.T) map[string][]string {
	graph := map[string][]string{}
	for pkg, imports := range allImports(t) {
		ours := []string{}
		for _, imp := range imports {
			if rest, ok := strings.CutPrefix(imp, "fanous/"); ok {
				ours = append(ours, rest)
			}
		}
		graph[pkg] = ours
	}
	return graph
}

// allImports maps each package of the module (by its path below the module, "" for main) to what
// its non-test files import.
func allImports(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...")
	cmd.Dir = ".."
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	out := map[string][]string{}
	for line := range strings.Lines(string(raw)) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(strings.TrimPrefix(fields[0], "fanous"), "/")
		if isOutside(pkg) {
			continue
		}
		out[pkg] = fields[1:]
	}
	if len(out) < 5 {
		t.Fatalf("go list found only %d packages", len(out))
	}
	return out
}

func isOutside(pkg string) bool {
	for _, dir := range outside {
		if pkg == dir || strings.HasPrefix(pkg, dir+"/") {
			return true
		}
	}
	return false
}
