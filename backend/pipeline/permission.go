package pipeline

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/rerank"
)

// permission is what may leave of a pool. The policy is read again whenever something is about to leave.
func (s *Searcher) permission(ctx context.Context, req domain.SearchRequest, collection domain.Collection, pool []Entry) (rerank.Permission, error) {
	documents := make([]int64, len(pool))
	var bytes []string // their digests
	for i, e := range pool {
		documents[i] = e.Document.ID
		if !slices.Contains(bytes, e.Document.Hash) {
			bytes = append(bytes, e.Document.Hash)
		}
	}
	now := func(ctx context.Context) (domain.Policy, error) { return s.Store.Policy(ctx, collection.ID, documents) }
	policy, err := now(ctx)
	if err != nil {
		return rerank.Permission{}, err
	}
	return rerank.Permission{
		Policy: policy, Send: req.Send, Once: req.Once, Offline: req.Offline || s.Offline, Now: now,
		Search: SearchName(), Collections: []string{collection.Name}, Documents: bytes,
	}, nil
}

// SearchName makes a name for a search, or for what is like one in the ledger: there and in a trace nothing else names it.
func SearchName() string {
	name := make([]byte, 8)
	_, _ = rand.Read(name) // it cannot fail
	return hex.EncodeToString(name)
}
