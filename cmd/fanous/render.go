package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// printer writes results for people. On a terminal matches are bold and right-to-left text is
// isolated, so that it cannot reorder the line it stands in.
type printer struct {
	w        io.Writer
	terminal bool
	coloured bool
}

func newPrinter(w io.Writer) *printer {
	f, ok := w.(interface{ Fd() uintptr })
	terminal := ok && term.IsTerminal(int(f.Fd()))
	return &printer{w: w, terminal: terminal, coloured: terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func (p *printer) response(r domain.SearchResponse, verbose bool) {
	for _, hit := range r.Hits {
		p.hit(hit, verbose)
	}
	switch {
	case !r.Searchable:
		fmt.Fprintln(p.w, "There is nothing searchable in this query: it has no words.")
	case len(r.Hits) == 0:
		fmt.Fprintf(p.w, "Nothing found in %s.\n", r.Collection)
	}
	if len(r.Filters) > 0 {
		fmt.Fprintf(p.w, "filters: %s\n", p.filters(r))
	}
	if r.Verdict.Message != "" {
		fmt.Fprintln(p.w, r.Verdict.Message)
	}
	fmt.Fprintln(p.w, servedBy(r))
	for _, d := range r.Degraded {
		fmt.Fprintf(p.w, "note: %s\n", d)
	}
	if verbose {
		p.trace(r)
	}
}

func (p *printer) hit(h domain.Hit, verbose bool) {
	head := []string{p.name(h.Title)}
	if h.Page > 0 {
		head = append(head, pageText(h.Format, h.Page))
	}
	if h.Line > 0 {
		head = append(head, fmt.Sprintf("line %d", h.Line))
	}
	if h.Heading != "" && h.Heading != h.Title {
		head = append(head, p.name(h.Heading))
	}
	if h.Cells != "" {
		head = append(head, "cells "+plainName(h.Cells))
	}
	if h.OCR > 0 {
		head = append(head, ocrText(h.OCR))
	}
	fmt.Fprintf(p.w, "%2d. %s%s  %s\n", h.Rank, scoreText(h), movement(h.RerankDelta), strings.Join(head, " · "))
	fmt.Fprintf(p.w, "    %s\n", plainName(domain.Location{Path: h.Path, Member: h.Member}.String()))
	for line := range strings.Lines(p.passage(h)) {
		fmt.Fprintf(p.w, "    │ %s\n", p.isolate(strings.TrimRight(line, "\n")))
	}
	if h.MoreInDocument > 0 {
		fmt.Fprintf(p.w, "    + %d more in this document\n", h.MoreInDocument)
	}
	for _, at := range h.Also {
		fmt.Fprintf(p.w, "    = the same file at %s\n", plainName(at.String()))
	}
	p.duplicates(h.Duplicates, verbose)
	if verbose {
		fmt.Fprintf(p.w, "    chunk %d · bm25 %s · dense %s · fused %s · rerank %s · final %s\n", h.ChunkID,
			rankScore(h.Ranks.BM25, h.Scores.BM25), rankScore(h.Ranks.Dense, h.Scores.Dense),
			rankScore(h.Ranks.Fused, h.Scores.Fused), rankScore(rankReranked(h), h.Scores.Rerank), rankScore(h.Ranks.Final, nil))
	}
	fmt.Fprintln(p.w)
}

// filters are those of a query as they were written, and how their dates were read.
func (p *printer) filters(r domain.SearchResponse) string {
	list := make([]string, len(r.Filters))
	for i, f := range r.Filters {
		list[i] = p.isolate(r.Query[f.Range[0]:f.Range[1]])
		if f.Date != "" && !strings.Contains(f.Value, f.Date) {
			list[i] += " (" + f.Date + ")"
		}
		if f.Or {
			list[i] = "OR " + list[i]
		}
	}
	return strings.Join(list, " ")
}

// ocrText says that a text was recognised, and how surely.
func ocrText(confidence float64) string { return fmt.Sprintf("OCR, confidence %.0f%%", 100*confidence) }

// pageText names a page as its format does.
func pageText(format string, page int) string {
	switch format {
	case "pptx", "odp":
		return fmt.Sprintf("slide %d", page)
	}
	return fmt.Sprintf("page %d", page)
}

// duplicates lists where else the hit's text stands, each file once unless verbose.
func (p *printer) duplicates(list []domain.Duplicate, verbose bool) {
	said := map[string]bool{}
	for _, d := range list {
		switch {
		case verbose:
			fmt.Fprintf(p.w, "    = chunk %d, %.0f%% the same: %s\n", d.ChunkID, 100*d.Similarity, plainName(d.Path))
		case !said[d.Path]:
			fmt.Fprintf(p.w, "    = the same in %s\n", plainName(d.Path))
		}
		said[d.Path] = true
	}
}

// passage is the hit's text with the matched words marked.
func (p *printer) passage(h domain.Hit) string {
	if !p.coloured {
		return plain(h.Text)
	}
	var b strings.Builder
	at := 0
	for _, m := range h.Highlights {
		b.WriteString(plain(h.Text[at:m[0]]))
		b.WriteString("\x1b[1;33m" + plain(h.Text[m[0]:m[1]]) + "\x1b[0m")
		at = m[1]
	}
	b.WriteString(plain(h.Text[at:]))
	return b.String()
}

// First strong isolate and pop directional isolate (Unicode Standard Annex 9).
const fsi, pdi = "\u2068", "\u2069"

func (p *printer) isolate(s string) string {
	if p.terminal && language.Direction(s) == "rtl" {
		return fsi + s + pdi
	}
	return s
}

// name is a title, a heading or a query within a line.
func (p *printer) name(s string) string { return p.isolate(plainName(s)) }

func (p *printer) trace(r domain.SearchResponse) {
	fmt.Fprintln(p.w, "\nstage        ms     in    out")
	for _, s := range r.Stages {
		fmt.Fprintf(p.w, "%-8s %7.1f %6d %6d\n", s.Name, s.MS, s.In, s.Out)
	}
	for _, s := range r.Rerank.Steps {
		who, how := string(s.Backend), "not used"
		if s.Backend == domain.BackendNone {
			who = "reranking"
		}
		if s.Failed {
			how = "failed"
		}
		fmt.Fprintf(p.w, "%s %s (%s): %s\n", who, how, s.Code, s.Reason)
	}
	if r.Rerank.Breaker != domain.BreakerNone {
		fmt.Fprintf(p.w, "breaker of Cohere: %s\n", r.Rerank.Breaker)
	}
	if r.Rerank.Hedged {
		fmt.Fprintln(p.w, "hedged: the local reranker was started beside Cohere, which was late")
	}
	if n1, n2 := r.Rerank.Stage1N, r.Rerank.Stage2N; n1 > 0 {
		fmt.Fprintf(p.w, "cascade: %d passages by the cheaper ranker, %d by the precise one", n1, n2)
		if r.Rerank.EarlyExit {
			fmt.Fprint(p.w, " (early exit)")
		}
		fmt.Fprintln(p.w)
	}
	if r.Rerank.MMRLambda != nil {
		fmt.Fprintf(p.w, "mmr: lambda %g\n", *r.Rerank.MMRLambda)
	}
	if r.Rerank.Calibration != nil {
		fmt.Fprintln(p.w, calibrationText(*r.Rerank.Calibration))
	}
}

// calibrationText says how well two rerankers are known to agree, and whether the local one's scores are on
// the other's scale.
func calibrationText(c domain.Calibration) string {
	agreement := func(v *float64) string {
		if v == nil {
			return "–"
		}
		return fmt.Sprintf("%.2f", *v)
	}
	return fmt.Sprintf("%s against %s: %s Kendall's tau %s, top-5 overlap %s, mean over searches (%d)",
		c.Local, c.Remote, c.Reason, agreement(c.KendallTau), agreement(c.Top5Overlap), c.Searches)
}

// servedBy is the line that says who ordered the list and what it cost.
func servedBy(r domain.SearchResponse) string {
	var b strings.Builder
	if r.Rerank.Backend == domain.BackendNone {
		fmt.Fprintf(&b, "%s order, not reranked", r.Method)
		if r.Rerank.Requested != domain.RerankOff && r.Rerank.FellBackFrom == nil && r.Rerank.Reason != "" {
			fmt.Fprintf(&b, ": %s", r.Rerank.Reason)
		}
	} else {
		fmt.Fprintf(&b, "%s, reranked by %s", r.Method, r.Rerank.Backend)
		detail := []string{}
		for _, s := range []string{r.Rerank.Model, r.Rerank.Device, r.Rerank.Precision} {
			if s != "" {
				detail = append(detail, s)
			}
		}
		if len(detail) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(detail, ", "))
		}
		fmt.Fprintf(&b, ", %d of %d candidates scored", r.Rerank.CandidatesOut, r.Rerank.CandidatesIn)
		if c := r.Rerank.Calibration; c != nil && c.Applied {
			fmt.Fprintf(&b, ", calibrated on %d pairs", c.Pairs)
		}
	}
	if r.Rerank.FellBackFrom != nil {
		fmt.Fprintf(&b, "; fallen back from %s: %s", *r.Rerank.FellBackFrom, r.Rerank.Reason)
	}
	for _, s := range r.Stages {
		if s.Name == domain.StageTotal {
			fmt.Fprintf(&b, " · %.0f ms", s.MS)
		}
	}
	return b.String()
}

func scoreText(h domain.Hit) string {
	switch {
	case h.ScoreKind == domain.ScoreRank:
		return fmt.Sprintf("%.2f (rank score, not relevance)", h.Score)
	case h.ScoreKind == domain.ScoreNone && h.Date.IsZero():
		return "no date"
	case h.ScoreKind == domain.ScoreNone:
		return h.Date.Local().Format(time.DateOnly)
	}
	return fmt.Sprintf("%.2f", h.Score)
}

func movement(delta *int) string {
	switch {
	case delta == nil:
		return ""
	case *delta > 0:
		return fmt.Sprintf(" ▲%d", *delta)
	case *delta < 0:
		return fmt.Sprintf(" ▼%d", -*delta)
	}
	return " ="
}

// rankReranked is the rank of a hit after reranking, which MMR may have changed since.
func rankReranked(h domain.Hit) *int {
	if h.RerankDelta == nil || h.Ranks.Fused == nil {
		return nil
	}
	return new(*h.Ranks.Fused - *h.RerankDelta)
}

func rankScore(rank *int, score *float64) string {
	switch {
	case rank == nil && score == nil:
		return "–"
	case score == nil:
		return fmt.Sprintf("#%d", *rank)
	case rank == nil:
		return fmt.Sprintf("(%.3f)", *score)
	}
	return fmt.Sprintf("#%d (%.3f)", *rank, *score)
}
