package backend

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/models"
)

// ExportSearch writes an answer into a file, whole or not at all, in place of one that is there: with every rank and
// score, and the passages. The file's ending says how: .csv, .json or .md.
func ExportSearch(path string, at time.Time, resp domain.SearchResponse) error {
	write, err := exporter(path)
	if err != nil {
		return err
	}
	_, err = models.WriteFile(path, func(w io.Writer) error { return write(w, at, resp) })
	if err != nil {
		return domain.Errorf(domain.CodeUsage, "name a file in a folder that you may write to", "the results were not written: %w", err)
	}
	return nil
}

// CanExport says why results cannot be written into a file of that name; nil: as far as the name goes they can.
func CanExport(path string) error {
	_, err := exporter(path)
	return err
}

func exporter(path string) (func(io.Writer, time.Time, domain.SearchResponse) error, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return writeCSV, nil
	case ".json":
		return writeJSON, nil
	case ".md":
		return writeMarkdown, nil
	}
	return nil, domain.Errorf(domain.CodeUsage, "name a file that ends in .csv, .json or .md", "%s is no kind of file that results can be written into", filepath.Base(path))
}

func writeJSON(w io.Writer, at time.Time, resp domain.SearchResponse) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		At      time.Time `json:"at"`
		Version string    `json:"version"` // of the program
		domain.SearchResponse
	}{at, Version, resp})
}

var columns = []string{
	"query", "collection", "time", "method", "reranker", "model", "rank", "folded", "title", "path", "member", "page", "heading", "cells", "line", "ocr",
	"score", "score_kind", "raw_score", "rerank_delta", "rank_bm25", "rank_dense", "rank_fused", "rank_final",
	"score_bm25", "score_dense", "score_fused", "score_rerank", "chunk_id", "document_id", "text",
}

// writeCSV writes a line for each passage, those that are folded under another one too. It begins with a byte order mark,
// without which spreadsheets take UTF-8 for something else.
func writeCSV(w io.Writer, at time.Time, resp domain.SearchResponse) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	_ = out.Write(columns) // Error tells
	for _, h := range resp.Hits {
		of := []string{cell(resp.Query), cell(resp.Collection), at.Format(time.RFC3339), string(resp.Method), string(resp.Rerank.Backend), cell(resp.Rerank.Model), number(&h.Rank)}
		_ = out.Write(append(of[:7:7], "", cell(h.Title), cell(h.Path), cell(h.Member), positive(h.Page), cell(h.Heading), cell(h.Cells), positive(h.Line), share(h.OCR),
			number(&h.Score), string(h.ScoreKind), number(h.RawScore), number(h.RerankDelta), number(h.Ranks.BM25), number(h.Ranks.Dense), number(h.Ranks.Fused), number(h.Ranks.Final),
			number(h.Scores.BM25), number(h.Scores.Dense), number(h.Scores.Fused), number(h.Scores.Rerank), number(&h.ChunkID), number(&h.DocumentID), cell(h.Text)))
		for _, m := range h.More {
			line := make([]string, len(columns))
			copy(line, of)
			line[7], line[8], line[9], line[10], line[11], line[12] = "yes", cell(h.Title), cell(h.Path), cell(h.Member), positive(m.Page), cell(m.Heading)
			line[16], line[17], line[28], line[29], line[30] = number(&m.Score), string(m.ScoreKind), number(&m.ChunkID), number(&h.DocumentID), cell(m.Text)
			_ = out.Write(line)
		}
	}
	out.Flush()
	return out.Error()
}

// number is a figure, or nothing where there is none.
func number[T int | int64 | float64](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

func positive(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func share(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprint(v)
}

func writeMarkdown(w io.Writer, at time.Time, resp domain.SearchResponse) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n\n", plain(resp.Query))
	ranker := string(resp.Rerank.Backend)
	if resp.Rerank.Model != "" {
		ranker += ", " + resp.Rerank.Model
	}
	fmt.Fprintf(out, "- collection: %s\n- time: %s\n- method: %s\n- reranker: %s\n", plain(resp.Collection), at.Format(time.RFC3339), resp.Method, plain(ranker))
	for _, why := range resp.Degraded {
		fmt.Fprintf(out, "- note: %s\n", plain(why))
	}
	for _, h := range resp.Hits {
		title := h.Title
		if title == "" {
			title = filepath.Base(h.Path)
		}
		fmt.Fprintf(out, "\n## %d. %s\n\n%s\n\n", h.Rank, plain(title), plain(strings.Join(placeOf(h), " · ")))
		fmt.Fprintf(out, "%s %.3f%s\n\n%s", h.ScoreKind, h.Score, plain(standings(h)), quoted(h.Text))
		for _, m := range h.More {
			fmt.Fprintf(out, "\n%s %.3f\n\n%s", m.ScoreKind, m.Score, quoted(m.Text))
		}
	}
	return out.Flush()
}

// placeOf says where a hit stands, the file first.
func placeOf(h domain.Hit) []string {
	place := []string{domain.Location{Path: h.Path, Member: h.Member}.String()}
	if h.Page > 0 {
		place = append(place, fmt.Sprintf("page %d", h.Page))
	}
	if h.Heading != "" {
		place = append(place, h.Heading)
	}
	if h.Cells != "" {
		place = append(place, "cells "+h.Cells)
	}
	if h.Line > 0 {
		place = append(place, fmt.Sprintf("line %d", h.Line))
	}
	return place
}

// standings are the ranks of a hit in each list, and how far reranking moved it.
func standings(h domain.Hit) string {
	var out strings.Builder
	for _, list := range []struct {
		name string
		rank *int
	}{{"words", h.Ranks.BM25}, {"meaning", h.Ranks.Dense}, {"fused", h.Ranks.Fused}} {
		if list.rank != nil {
			fmt.Fprintf(&out, ", %s #%d", list.name, *list.rank)
		}
	}
	if h.RerankDelta != nil {
		fmt.Fprintf(&out, ", moved %+d", *h.RerankDelta)
	}
	return out.String()
}

// special is what Markdown, or the HTML that it is made into, could take for more than text.
const special = "\\`*_{}[]<>()#+-.!|~&=:@$^\"'"

// plain is a text of a document on one line of Markdown.
func plain(text string) string {
	var out strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if strings.ContainsRune(special, r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// quoted is a passage as a quotation, line by line.
func quoted(text string) string {
	var out strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		out.WriteString("> " + plain(line) + "\n")
	}
	return out.String()
}
