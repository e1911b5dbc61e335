package retrieve

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"fanous/backend/language"
	"fanous/backend/store"
)

// refined is how many of the passages that words find are read again, where a search asks for no more.
const refined = 40

// Constants of BM25. Passages are short and of about one length, where a word says once what it has to say: less
// depends on how often it stands there and how long they are than FTS5's own 1.2 and 0.75 have it.
const (
	saturation = 0.9
	lengthPart = 0.5
)

// refine orders what words have found by reading it: BM25 over the words of the query, each counted once however many
// terms find it, where a word that is missing counts in part if one like it stands there. A score is the share of that of
// a passage in which every word stands once.
//
// It gives the passages, too, as far as it had to read them.
func (r *Retriever) refine(ctx context.Context, req Request, list []store.Scored) ([]store.Scored, []store.Passage, error) {
	words := req.Query.Words()
	if len(list) == 0 || words.Len() == 0 {
		return list, nil, nil
	}
	weights, err := r.weights(ctx, req.CollectionID, words.Matches())
	if err != nil {
		return nil, nil, err
	}
	ids := make([]int64, len(list))
	for i, s := range list {
		ids[i] = s.ChunkID
	}
	passages, err := r.store.Passages(ctx, ids)
	if err != nil || len(passages) == 0 {
		return nil, nil, err
	}
	readings := read(words, passages)
	mean := 0.0
	for _, r := range readings {
		mean += r.length / float64(len(passages))
	}
	out := make([]store.Scored, len(passages))
	for i, p := range passages {
		out[i].ChunkID = p.Chunk.ID
		k := saturation * (1 - lengthPart + lengthPart*readings[i].length/max(mean, 1))
		for j, c := range readings[i].counts {
			times := float64(c.Times)
			if c.Times == 0 {
				times = c.Like
			}
			out[i].Score += weights[j] * times * (saturation + 1) / (times + k)
		}
	}
	slices.SortFunc(out, store.CompareScored)
	return out, passages, nil
}

// reading is how the words of a query stand in a passage, and how many words that has.
type reading struct {
	counts []language.Count
	length float64
}

// read counts the words in every passage, on all cores: it takes most of the time of ordering.
func read(words *language.Words, passages []store.Passage) []reading {
	readings := make([]reading, len(passages))
	readers := min(runtime.GOMAXPROCS(0), len(passages))
	var done sync.WaitGroup
	for first := range readers {
		own := words.Clone()
		done.Go(func() {
			for i := first; i < len(passages); i += readers {
				p, counts := passages[i], make([]language.Count, words.Len())
				n := own.Count(p.Document.Title, counts) + own.Count(p.Chunk.Place.Heading, counts) + own.Count(p.Chunk.Text, counts)
				readings[i] = reading{counts, float64(n)}
			}
		})
	}
	done.Wait()
	return readings
}

// weights says how much each word tells, by how rare it is in the collection; together they are 1.
func (r *Retriever) weights(ctx context.Context, collection int64, matches []string) ([]float64, error) {
	const exact = 1000 // rows, beyond which an estimate will do
	in, err := r.store.MatchFrequency(ctx, collection, matches, exact)
	if err != nil {
		return nil, err
	}
	all, err := r.store.AboutChunks(ctx, collection)
	if err != nil {
		return nil, err
	}
	weights := make([]float64, len(matches))
	sum := 0.0
	for i, n := range in {
		weights[i] = max(math.Log((float64(all)-float64(n)+0.5)/(float64(n)+0.5)), 1e-6)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights, nil
}
