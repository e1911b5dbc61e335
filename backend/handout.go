package backend

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/ledger"
	"fanous/backend/pipeline"
)

// Handout is what is given to another program that asks for passages. It leaves this one, and nobody knows where to.
type Handout struct {
	To    string // names the other program, for the ledger
	Query string
	Send  bool // yes to collections whose policy is ask
}

// HandOutSearch answers a search for another program. What the policy of the collection, or of another collection with one
// of the found documents, lets nobody have is refused; what is given is in the ledger before.
func (b *Backend) HandOutSearch(ctx context.Context, h Handout, req domain.SearchRequest) (domain.SearchResponse, error) {
	req.Send = h.Send
	resp, err := b.Search(ctx, req, nil)
	if err != nil {
		return domain.SearchResponse{}, err
	}
	var documents []int64
	var texts []string
	for _, hit := range resp.Hits {
		documents, texts = append(documents, hit.DocumentID), append(texts, hit.Text)
		for _, more := range hit.More {
			texts = append(texts, more.Text)
		}
		for _, other := range hit.Duplicates {
			documents = append(documents, other.DocumentID)
		}
	}
	c, err := b.store.Collection(ctx, resp.Collection)
	if err == nil {
		err = b.handOut(ctx, h, c, documents, texts, resp)
	}
	if err != nil {
		return domain.SearchResponse{}, err
	}
	return resp, nil
}

// HandOutChunk is Chunk for another program.
func (b *Backend) HandOutChunk(ctx context.Context, h Handout, id int64) (domain.ChunkView, error) {
	view, err := b.store.ChunkView(ctx, id)
	if err != nil {
		return domain.ChunkView{}, err
	}
	collections, err := b.store.Collections(ctx)
	if err != nil {
		return domain.ChunkView{}, err
	}
	at := slices.IndexFunc(collections, func(c domain.Collection) bool { return c.ID == view.Document.CollectionID })
	if at < 0 {
		return domain.ChunkView{}, domain.Errorf(domain.CodeNotFound, "search again", "passage %d is gone", id)
	}
	texts := slices.DeleteFunc([]string{view.Chunk.Text, view.Before, view.After}, func(text string) bool { return text == "" })
	if err := b.handOut(ctx, h, collections[at], []int64{view.Document.ID}, texts, view); err != nil {
		return domain.ChunkView{}, err
	}
	return view, nil
}

// handOut asks the policy and writes into the ledger; without an error what may be given.
func (b *Backend) handOut(ctx context.Context, h Handout, c domain.Collection, documents []int64, texts []string, what any) error {
	policy, err := b.store.Policy(ctx, c.ID, documents)
	if err != nil {
		return err
	}
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	there, err := b.store.Named(ctx, documents)
	if err != nil {
		return err
	}
	r := ledger.Request{Search: "mcp-" + pipeline.SearchName(), Collections: []string{c.Name}, Policy: policy, Host: h.To, Query: h.Query, Passages: texts}
	for _, d := range there {
		r.Documents = append(r.Documents, d.Hash)
	}
	refused := func(code, hint, reason string) error {
		return errors.Join(domain.Errorf(domain.CodeUsage, hint, "%s", reason), b.ledger.Refused(ctx, r, code))
	}
	switch {
	case b.cfg.Offline:
		return refused("offline", "switch offline off", "the offline switch is on, so nothing is given to other programs")
	case policy == domain.PolicyAllowed:
		r.By = domain.ByPolicy
	case policy == domain.PolicyAsk && h.Send:
		r.By = domain.BySession
	case policy == domain.PolicyAsk:
		return refused("policy", "start it with: fanous mcp --send", "the policy of "+c.Name+" is to ask first, and this program was not started with a yes")
	default:
		return refused("policy", "", "the policy of "+c.Name+", or of another collection that has one of these documents, lets nothing leave")
	}
	r.Body = body
	ended, err := b.ledger.Sending(ctx, r)
	if err != nil {
		return ledgerError(err)
	}
	return ended(ledger.Outcome{Code: "ok"})
}
