package store

import (
	"fmt"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store/storetest"
)

// benchBatch is how many chunks one Put stores.
const benchBatch = 4000

// BenchmarkPut measures analysing and storing without vectors, in chunks a second, and analysing alone on one
// core as a share of that time. Sentences are as long as those of the sentence test sets (24 words),
// passages are of the size that the chunker packs (150 words, about 200 tokens).
func BenchmarkPut(b *testing.B) {
	for _, size := range []struct {
		name  string
		words int
	}{{"sentences", 24}, {"passages", 150}} {
		b.Run(size.name, func(b *testing.B) {
			s := open(b, "")
			c := collection(b, s, "bench")
			w := writer(b, s)
			src := storetest.New(b, 1)
			var analysing, storing time.Duration
			chunks := 0
			for b.Loop() {
				b.StopTimer()
				docs := benchDocuments(c, src, chunks, size.words)
				start := time.Now()
				analyseAll(docs)
				analysing += time.Since(start)
				b.StartTimer()
				start = time.Now()
				put(b, w, docs...)
				storing += time.Since(start)
				chunks += benchBatch
			}
			b.ReportMetric(float64(chunks)/storing.Seconds(), "chunks/s")
			b.ReportMetric(analysing.Seconds()/storing.Seconds(), "analysing/storing")
			b.ReportMetric(float64(s.Bytes())/float64(chunks), "bytes/chunk")
		})
	}
}

// analyseAll makes the terms of documents as Put does, on one core, and lets them go.
func analyseAll(docs []DocumentRows) {
	var buf []byte
	for _, d := range docs {
		for _, c := range d.Chunks {
			buf = language.AppendTerms(buf[:0], head(d.Title, c.Place.Heading))
			buf = language.AppendTerms(buf[:0], c.Text)
		}
	}
}

// benchDocuments makes documents of 40 chunks, benchBatch chunks in all.
func benchDocuments(c domain.Collection, src *storetest.Source, from, words int) []DocumentRows {
	var docs []DocumentRows
	for at := 0; at < benchBatch; at += 40 {
		d := document(c, fmt.Sprintf("/doc%d", from+at))
		d.Title = src.Text(3)
		for i := range 40 {
			d.Chunks = append(d.Chunks, ChunkRow{Chunk: domain.Chunk{Ordinal: i, Text: src.Text(words)}})
		}
		docs = append(docs, d)
	}
	return docs
}
