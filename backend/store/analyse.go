package store

import (
	"context"
	"runtime"

	"fanous/backend/language"
)

// analyseBlock is how many chunks one goroutine analyses at a time.
const analyseBlock = 32

// analysed hands out the terms of chunks in order while goroutines make them ahead of the writer.
type analysed struct {
	blocks chan chan []termRow // in the order of the chunks, each filled when it is ready
	rows   []termRow           // what is left of the block in hand
}

// termRow is what is worked out of a chunk's text.
type termRow struct{ head, body, language string }

// analyse starts making the terms of every chunk of docs. It ends when all are taken or ctx is done.
func analyse(ctx context.Context, docs []DocumentRows) *analysed {
	workers := runtime.GOMAXPROCS(0)
	a := &analysed{blocks: make(chan chan []termRow, 4*workers)}
	type job struct {
		doc    *DocumentRows
		chunks []ChunkRow
		out    chan []termRow
	}
	jobs := make(chan job)
	go func() {
		defer close(a.blocks)
		defer close(jobs)
		for i := range docs {
			doc := &docs[i]
			for at := 0; at < len(doc.Chunks); at += analyseBlock {
				j := job{doc, doc.Chunks[at:min(at+analyseBlock, len(doc.Chunks))], make(chan []termRow, 1)}
				select {
				case a.blocks <- j.out:
				case <-ctx.Done():
					return
				}
				select {
				case jobs <- j:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	for range workers {
		go func() {
			var buf []byte
			for j := range jobs {
				rows := make([]termRow, len(j.chunks))
				for i, c := range j.chunks {
					if i > 0 && c.Place.Heading == j.chunks[i-1].Place.Heading {
						rows[i].head = rows[i-1].head
					} else {
						buf = language.AppendTerms(buf[:0], head(j.doc.Title, c.Place.Heading))
						rows[i].head = string(buf)
					}
					buf, rows[i].language = language.AppendPassage(buf[:0], c.Text)
					rows[i].body = string(buf)
				}
				j.out <- rows
			}
		}()
	}
	return a
}

// head is the text of the head column. It must be what the view fts_N_source says.
func head(title, heading string) string { return title + " " + heading }

// next gives the terms of the next chunk.
func (a *analysed) next(ctx context.Context) (termRow, error) {
	for len(a.rows) == 0 {
		select {
		case block, ok := <-a.blocks:
			if !ok {
				return termRow{}, context.Cause(ctx)
			}
			select {
			case a.rows = <-block:
			case <-ctx.Done():
				return termRow{}, ctx.Err()
			}
		case <-ctx.Done():
			return termRow{}, ctx.Err()
		}
	}
	row := a.rows[0]
	a.rows = a.rows[1:]
	return row, nil
}

// skip passes over n chunks that are not stored.
func (a *analysed) skip(ctx context.Context, n int) error {
	for range n {
		if _, err := a.next(ctx); err != nil {
			return err
		}
	}
	return nil
}
