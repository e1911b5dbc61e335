package extract

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"fanous/backend/domain"
)

// csvSample is how many records are looked at to find out what separates fields.
const csvSample = 50

// readCSV reads a table of separated values. A file in which nothing separates is plain text.
func readCSV(ctx context.Context, text string) (domain.Content, error) {
	separator, lines := csvSeparator(text)
	if separator == 0 {
		return readText(ctx, text)
	}
	var skipped int
	for range lines { // of a first line that only names the separator
		_, text, _ = strings.Cut(text, "\n")
		skipped++
	}
	r := newCSV(text, separator)
	var t tables
	s := sheet{tables: &t, level: 1}
	for n := 0; !t.full; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return domain.Content{}, ctx.Err()
		}
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil { // with lazy quotes there is no error left that could come
			return readText(ctx, text)
		}
		line, _ := r.FieldPos(0)
		cells := make([]cell, len(record))
		for i, field := range record {
			cells[i] = cell{i + 1, field}
		}
		s.row(0, cells, domain.Place{Line: line + skipped})
	}
	content := domain.Content{Blocks: t.out.blocks}
	if t.full {
		content.Warnings = []string{t.warning()}
	}
	return content, nil
}

func newCSV(text string, separator rune) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = separator, true, -1, true
	return r
}

// csvSeparator finds the character with which most records of the sample have the same number of
// fields, more than one; 0: none. lines is how many lines before the table say so themselves.
func csvSeparator(text string) (separator rune, lines int) {
	if first, _, _ := strings.Cut(text, "\n"); len(first) == len("sep=;") && strings.EqualFold(first[:4], "sep=") {
		return rune(first[4]), 1
	}
	sample := text
	if len(sample) > headSize {
		sample = sample[:strings.LastIndexByte(sample[:headSize], '\n')+1]
	}
	best, bestFields := 0.8, 1 // the share of records that agree, less than which is chance
	for _, candidate := range ",;\t|" {
		r := newCSV(sample, candidate)
		counts := map[int]int{}
		records := 0
		for ; records < csvSample; records++ {
			record, err := r.Read()
			if err != nil {
				break
			}
			counts[len(record)]++
		}
		for fields, n := range counts {
			share := float64(n) / float64(records)
			if fields > 1 && (share > best || share == best && fields > bestFields) {
				separator, best, bestFields = candidate, share, fields
			}
		}
	}
	return separator, 0
}
