package backend_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
)

// answer is a made-up one whose texts want to be more than text.
func answer() domain.SearchResponse {
	raw := 2.5
	return domain.SearchResponse{
		Query: "=SUM(A1)", Collection: "news", Method: domain.Hybrid, Degraded: []string{},
		Rerank: domain.RerankTrace{Backend: domain.BackendCrossEncoder, Model: "made-up"},
		Hits: []domain.Hit{{
			Rank: 1, Path: "/docs/a.txt", Title: "<script>alert(1)</script>", Heading: "# not a heading", Page: 3, ChunkID: 7, DocumentID: 5,
			Text: "+cmd|' /C calc'!A0\n> [link](javascript:x) **نامه** <img>", Score: 0.9, ScoreKind: domain.ScoreRelevance, RawScore: &raw,
			Ranks: domain.Ranks{BM25: new(4), Final: new(1)}, RerankDelta: new(3),
			More: []domain.MoreHit{{ChunkID: 8, Text: " @more", Score: 0.5, ScoreKind: domain.ScoreRelevance}},
		}, {Rank: 2, Path: "/docs/b.txt", Text: "-1 degrees, \"quoted\"", ChunkID: 9, DocumentID: 6, Ranks: domain.Ranks{Dense: new(2)}}},
	}
}

func export(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := backend.ExportSearch(path, time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), answer()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestASpreadsheetGetsNoFormula(t *testing.T) {
	text, marked := strings.CutPrefix(export(t, "results.CSV"), "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked || len(rows) != 4 {
		t.Fatalf("%d rows, marked %v, %v", len(rows), marked, err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	for row, want := range map[int]map[string]string{
		1: {"query": "'=SUM(A1)", "collection": "news", "time": "2026-11-30T09:00:00Z", "reranker": "cross-encoder", "model": "made-up", "rank": "1", "folded": "",
			"page": "3", "score": "0.9", "raw_score": "2.5", "rank_bm25": "4", "rank_dense": "", "rerank_delta": "3", "text": "'" + answer().Hits[0].Text},
		2: {"rank": "1", "folded": "yes", "path": "/docs/a.txt", "score": "0.5", "chunk_id": "8", "document_id": "5", "text": "' @more"},
		3: {"rank": "2", "rank_dense": "2", "text": "'-1 degrees, \"quoted\"", "title": "", "page": ""},
	} {
		for name, value := range want {
			if got := rows[row][at[name]]; got != value {
				t.Errorf("row %d: %s is %q, want %q", row, name, got, value)
			}
		}
	}
	for _, row := range rows {
		for _, c := range row {
			if strings.ContainsAny(c[:min(1, len(c))], "=+@\t\r") || strings.HasPrefix(c, "-") {
				t.Errorf("a cell begins like a formula: %q", c)
			}
		}
	}
}

func TestMarkdownHasNoMarkupOfDocuments(t *testing.T) {
	text := export(t, "results.md")
	for _, want := range []string{
		`# \=SUM\(A1\)`, `- collection: news`, `- time: 2026-11-30T09:00:00Z`, `- reranker: cross\-encoder, made\-up`,
		`## 1. \<script\>alert\(1\)\<\/script\>`, `page 3`, `relevance 0.900`, `words \#4`, `moved \+3`, `> \+cmd\|`, `> \> \[link\]\(javascript\:x\) \*\*نامه\*\* \<img\>`, `## 2. b\.txt`,
	} {
		if !strings.Contains(text, strings.ReplaceAll(want, `\/`, `/`)) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "<") && !strings.Contains(text, `\<`) || strings.Contains(strings.ReplaceAll(text, `\<`, ""), "<") {
		t.Errorf("markup: %s", text)
	}
}

func TestTheWholeAnswerIsInTheJSON(t *testing.T) {
	var got struct {
		At      time.Time `json:"at"`
		Version string    `json:"version"`
		domain.SearchResponse
	}
	if err := json.Unmarshal([]byte(export(t, "results.json")), &got); err != nil {
		t.Fatal(err)
	}
	if got.At.IsZero() || got.Version != backend.Version || len(got.Hits) != 2 || got.Hits[0].Text != answer().Hits[0].Text || *got.Hits[0].Ranks.BM25 != 4 || got.Hits[1].RerankDelta != nil {
		t.Errorf("%+v", got)
	}
}

func TestAnExportSaysWhereItCannotBe(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "results.xlsx"), filepath.Join(t.TempDir(), "no", "such", "folder.csv")} {
		if err := backend.ExportSearch(path, time.Now(), answer()); domain.CodeOf(err) != domain.CodeUsage || domain.HintOf(err) == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
}
