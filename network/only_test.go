package network_test

import (
	"go/ast"
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

// exempt are folders of programs and helpers that build and test Fanous, and of this package.
var exempt = []string{"build", "magefiles", "network", "models/cmd", "models/reference", "frontend", "app/webtest", "app/windowtest", "backend/cohere/coheretest",
	"backend/reader/readertest"}

// opens are what opens connections, by package. Of a type only a pointer may be named elsewhere.
var opens = map[string][]string{
	"net":        {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialIP", "DialUnix", "Dialer", "LookupHost", "LookupIP", "LookupAddr", "LookupTXT", "Resolver", "DefaultResolver"},
	"net/http":   {"Get", "Post", "PostForm", "Head", "DefaultClient", "DefaultTransport", "Client", "Transport"},
	"crypto/tls": {"Dial", "DialWithDialer", "Dialer", "Client"},
	"net/smtp":   {"*"}, "net/rpc": {"*"}, "net/textproto": {"Dial", "NewConn"}, "golang.org/x/net/websocket": {"*"}, "golang.org/x/net/proxy": {"*"}, "golang.org/x/net/http2": {"*"},
	"google.golang.org/grpc":       {"*"},
	"github.com/gorilla/websocket": {"*"}, "go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc": {"*"},
}

// TestNobodyElseOpensAConnection, in the whole tree, tests apart.
func TestNobodyElseOpensAConnection(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := filepath.ToSlash(strings.TrimPrefix(name, ".."+string(filepath.Separator)))
		if d.IsDir() && (slices.Contains(exempt, at) || at != ".." && strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, what := range opened(t, at, string(source)) {
			t.Errorf("%s: only package network may", what)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// TestTheRuleCatches proves that it can fail.
func TestTheRuleCatches(t *testing.T) {
	for _, line := range []string{
		`import "net/http"; var r, err = http.Get("http://x.invalid")`,
		`import "net/http"; var c = http.DefaultClient`,
		`import "net/http"; var c = &http.Client{}`,
		`import "net/http"; var c http.Client`,
		`import web "net/http"; var c = new(web.Transport)`,
		`import "net"; var c, err = net.Dial("tcp", "x.invalid:1")`,
		`import "net"; var d = net.Dialer{}`,
		`import . "net"; var c, err = Dial("tcp", "x.invalid:1")`,
		`import "crypto/tls"; var c, err = tls.Dial("tcp", "x.invalid:1", nil)`,
		`import "google.golang.org/grpc"; var c, err = grpc.NewClient("x.invalid")`,
		`import "golang.org/x/net/websocket"; var c = websocket.Dial`,
	} {
		if len(opened(t, "made up", "package p; "+line)) == 0 {
			t.Errorf("not caught: %s", line)
		}
	}
	if found := opened(t, "made up", `package p; import "net/http"; func f(c *http.Client, t *http.Transport) { c.Get("x") }`); len(found) > 0 {
		t.Error(found)
	}
}

// opened lists where a file does what only package network may.
func opened(t *testing.T, name, source string) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{} // what is forbidden of a package, by the name that the file gives it
	for _, imported := range file.Imports {
		where, err := strconv.Unquote(imported.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		for pkg, what := range opens {
			if where != pkg && !(slices.Contains(what, "*") && strings.HasPrefix(where, pkg+"/")) {
				continue
			}
			as := path.Base(where)
			if imported.Name != nil {
				as = imported.Name.Name
			}
			if as == "." || slices.Contains(what, "*") {
				found = append(found, set.Position(imported.Pos()).String()+" imports "+where)
			}
			names[as] = what
		}
	}
	pointers := map[ast.Node]bool{} // selectors behind a star
	ast.Inspect(file, func(n ast.Node) bool {
		if star, ok := n.(*ast.StarExpr); ok {
			pointers[star.X] = true
		}
		if s, ok := n.(*ast.SelectorExpr); ok && !pointers[s] {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(names[x.Name], s.Sel.Name) {
				found = append(found, set.Position(s.Pos()).String()+" uses "+x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return found
}
