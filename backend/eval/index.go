package eval

import (
	"context"
	"path/filepath"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
	"fanous/backend/store"
)

// datasetCollection is the collection that a dataset becomes in the evaluation's own index, and its name in the ledger.
const datasetCollection = "dataset"

// index puts the dataset into an index of the evaluation's own.
func index(ctx context.Context, s *store.Store, set Dataset, o Options) (*Place, error) {
	roots := []string{}
	if set.Files != "" {
		abs, err := filepath.Abs(set.Files)
		if err != nil {
			return nil, err
		}
		roots = append(roots, abs)
	}
	// The policy is ask: whether anything is asked of Cohere is decided by whoever gives a chain for it.
	c, err := s.AddCollection(ctx, datasetCollection, domain.PolicyAsk, roots...)
	if err != nil {
		return nil, err
	}
	place := &Place{Store: s, Collection: c, Name: func(d domain.Document, _ domain.Chunk) string { return d.Path }}
	progress := func(p domain.IndexProgress) { o.Progress("index", p.Embedded, p.ToEmbed) }
	in := pipeline.Ingest{Store: s, Reader: o.Reader, Embedder: o.Embedder, NoEmbedder: o.NoEmbedder, ChunkTokens: o.ChunkTokens}
	if set.Files != "" {
		place.Name = func(d domain.Document, _ domain.Chunk) string { return filepath.Base(d.Path) }
		report, err := in.Run(ctx, c, progress)
		if err == nil && report.Canceled {
			err = ctx.Err()
		}
		return place, err
	}
	return place, in.Add(ctx, c, func(yield func(pipeline.Source) bool) {
		for _, d := range set.Documents {
			if !yield(source(d)) {
				return
			}
		}
	}, progress)
}

func source(d Document) pipeline.Source {
	content := domain.Content{Format: "text", Title: d.Title}
	for text := range strings.SplitSeq(d.Text, "\n\n") {
		content.Blocks = append(content.Blocks, domain.Block{Text: text})
	}
	return pipeline.Source{Path: d.ID, Content: content}
}
