package backend_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"fanous/backend"
	"fanous/backend/domain"
)

// searchOnce opens a backend without models over one small file, searches and closes.
func searchOnce(t *testing.T, toml string, change func(*backend.Config), req domain.SearchRequest) {
	t.Helper()
	t.Setenv("FANOUS_RUNTIME", filepath.Join(t.TempDir(), "none"))
	cfg, err := load(t, toml)
	if err != nil {
		t.Fatal(err)
	}
	change(&cfg)
	b, err := backend.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(file, []byte("secret fruit"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{file}}, nil); err != nil {
		t.Fatal(err)
	}
	req.Method, req.Rerank = domain.BM25, domain.RerankOff
	resp, err := b.Search(t.Context(), req, nil)
	if err != nil || len(resp.Hits) != 1 {
		t.Fatalf("%d hits, error %v", len(resp.Hits), err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := backend.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	list, err := again.History(t.Context(), 0)
	if err != nil || len(list) != map[bool]int{true: 1, false: 0}[cfg.History] {
		t.Errorf("history %v keeps %d searches, error %v", cfg.History, len(list), err)
	}
}

// collector is an OTLP server that keeps what it is sent.
type collector struct {
	mu   sync.Mutex
	got  bytes.Buffer
	code int
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = io.Copy(&c.got, r.Body)
	w.WriteHeader(c.code)
}

func TestTracesGoWhereTheSettingsSayAndNowhereElse(t *testing.T) {
	fruit := domain.SearchRequest{Query: "fruit"}
	offline := domain.SearchRequest{Query: "fruit", Offline: true}
	for name, tt := range map[string]struct {
		toml string
		code int
		req  domain.SearchRequest
		sent bool
	}{
		"set":                 {`otlp_endpoint = "URL/v1/traces"`, 200, fruit, true},
		"a server that fails": {`otlp_endpoint = "URL/v1/traces"` + "\nhistory = false", 503, fruit, true},
		"not set":             {``, 200, fruit, false},
		"offline":             {`otlp_endpoint = "URL/v1/traces"` + "\noffline = true", 200, fruit, false},
		"an offline search":   {`otlp_endpoint = "URL/v1/traces"`, 200, offline, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := &collector{code: tt.code}
			server := httptest.NewServer(c)
			defer server.Close()
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL) // another program's setting is not ours
			searchOnce(t, strings.ReplaceAll(tt.toml, "URL", server.URL), func(*backend.Config) {}, tt.req)
			sent := c.got.String()
			if strings.Contains(sent, "rerank.elapsed_ms") != tt.sent || (sent != "") != tt.sent {
				t.Errorf("sent %q", sent)
			}
			if strings.Contains(sent, "secret") || strings.Contains(sent, "fruit") {
				t.Errorf("it tells %q", sent)
			}
		})
	}
}

func TestAProviderThatIsPassedInIsTold(t *testing.T) {
	exporter := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	searchOnce(t, "", func(c *backend.Config) { c.Tracing = provider }, domain.SearchRequest{Query: "fruit"})
	var names []string
	for _, s := range exporter.GetSpans() {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "bm25 fuse group search" {
		t.Errorf("spans %s", got)
	}
}
