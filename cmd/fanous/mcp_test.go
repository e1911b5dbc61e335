package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"fanous/backend/domain"
)

// TestAnotherProgramSearches over pipes: what the policy allows is given and in the ledger, and nothing else is.
func TestAnotherProgramSearches(t *testing.T) {
	data, texts := t.TempDir(), t.TempDir()
	for _, name := range []string{"open", "asked", "shut"} {
		if err := os.MkdirAll(filepath.Join(texts, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(texts, name, name+".txt"), []byte("the lantern of the "+name+" house"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	environment := append(os.Environ(), "FANOUS_DATA="+data, "FANOUS_RUNTIME="+filepath.Join(data, "none"), "CO_API_KEY=") // keywords are enough
	fanous := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command(testedProgram(t), args...)
		cmd.Env = environment
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return out
	}
	for name, policy := range map[string]string{"open": "allowed", "asked": "ask", "shut": "never"} {
		fanous("index", filepath.Join(texts, name), "--collection", name)
		fanous("collections", "policy", name, policy)
	}
	session := func(flags ...string) *mcp.ClientSession {
		t.Helper()
		cmd := exec.Command(testedProgram(t), append([]string{"mcp"}, flags...)...)
		cmd.Env = environment
		s, err := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	call := func(s *mcp.ClientSession, tool string, arguments any, into any) string {
		t.Helper()
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		text := r.Content[0].(*mcp.TextContent).Text
		if !r.IsError {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			return ""
		}
		return text
	}

	s := session()
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 2 {
		t.Fatalf("%+v, %v", tools, err)
	}
	var found searchOutput
	if failed := call(s, "search", searchInput{Query: "lantern", Collection: "open"}, &found); failed != "" || len(found.Hits) != 1 || !strings.Contains(found.Hits[0].Text, "open house") {
		t.Fatalf("%s %+v", failed, found)
	}
	var shown showOutput
	if failed := call(s, "show", showInput{found.Hits[0].ChunkID}, &shown); failed != "" || shown.Text != found.Hits[0].Text {
		t.Errorf("%s %+v", failed, shown)
	}
	for collection, want := range map[string]string{"asked": "fanous mcp --send", "shut": "lets nothing leave", "none": "there is no collection"} {
		if failed := call(s, "search", searchInput{Query: "lantern", Collection: collection}, nil); !strings.Contains(failed, want) || strings.Contains(failed, "house") {
			t.Errorf("%s: %s", collection, failed)
		}
	}
	asked, shut := chunkIn(t, fanous, "asked"), chunkIn(t, fanous, "shut")
	for _, chunk := range []int64{asked, shut, 1 << 40} {
		if failed := call(s, "show", showInput{chunk}, nil); failed == "" || strings.Contains(failed, "house") {
			t.Errorf("passage %d: %s", chunk, failed)
		}
	}
	yes := session("--send")
	if failed := call(yes, "search", searchInput{Query: "lantern", Collection: "asked"}, &found); failed != "" || len(found.Hits) != 1 {
		t.Errorf("with --send: %s %+v", failed, found)
	}
	if failed := call(yes, "show", showInput{shut}, nil); !strings.Contains(failed, "lets nothing leave") {
		t.Errorf("with --send: %s", failed)
	}

	var entries []domain.LedgerRecord
	if err := json.Unmarshal(fanous("ledger", "--json"), &entries); err != nil {
		t.Fatal(err)
	}
	kinds := map[domain.LedgerKind]int{}
	for _, e := range entries {
		kinds[e.Kind]++
		if e.Host != "mcp: tester" || e.Kind == domain.LedgerSent && (e.Bytes == 0 || len(e.Passages) == 0 || e.Ended == nil || e.Collections[0] == "shut") {
			t.Errorf("%+v", e)
		}
	}
	if kinds[domain.LedgerSent] != 3 || kinds[domain.LedgerRefused] != 5 {
		t.Errorf("%v", kinds)
	}
}

// chunkIn is a passage of a collection, as the analyst finds it.
func chunkIn(t *testing.T, fanous func(...string) []byte, collection string) int64 {
	t.Helper()
	var r domain.SearchResponse
	if err := json.Unmarshal(fanous("search", "lantern", "--collection", collection, "--json"), &r); err != nil {
		t.Fatal(err)
	}
	return r.Hits[0].ChunkID
}
