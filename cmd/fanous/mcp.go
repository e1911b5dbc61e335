package main

import (
	"cmp"
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

// maxHandedOut is how many results one call gives at most.
const maxHandedOut = 20

func newMCP(g *globals) *cobra.Command {
	var send bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let another program search, by the Model Context Protocol on standard input and output",
		Long: "Let another program search, by the Model Context Protocol on standard input and output.\n\n" +
			"What is given to it leaves Fanous. A collection whose policy is never gives nothing, one that asks gives only where\n" +
			"this was started with --send, and everything that was given or refused is in the ledger. It ends when its input does.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				return newToolServer(b, send).Run(cmd.Context(), &mcp.StdioTransport{})
			})
		},
	}
	cmd.Flags().BoolVar(&send, "send", false, "where a collection's policy is ask: yes, for as long as this runs")
	return cmd
}

// searchInput is what another program asks for.
type searchInput struct {
	Query      string `json:"query" jsonschema:"what to look for, in any language; \"exact phrase\" and -word are understood"`
	Collection string `json:"collection,omitempty" jsonschema:"the collection to search; empty: default"`
	Method     string `json:"method,omitempty" jsonschema:"hybrid (by words and meaning), bm25 (by words) or semantic (by meaning); empty: hybrid"`
	Top        int    `json:"top,omitempty" jsonschema:"how many results, at most 20; 0: 5"`
}

// searchOutput is what it gets.
type searchOutput struct {
	Clear    bool     `json:"clear" jsonschema:"false: nothing clearly answers the query"`
	Ranker   string   `json:"ranker" jsonschema:"what ordered the results"`
	Degraded []string `json:"degraded" jsonschema:"what the search had to do without"`
	Hits     []hitOut `json:"hits"`
}

type hitOut struct {
	ChunkID int64   `json:"chunk_id" jsonschema:"names the passage for show"`
	Title   string  `json:"title"`
	Path    string  `json:"path"`
	Page    int     `json:"page,omitempty"`
	Heading string  `json:"heading,omitempty"`
	Text    string  `json:"text"`
	Score   float64 `json:"score"`
	Kind    string  `json:"score_kind" jsonschema:"relevance, or rank where nothing was reranked"`
}

type showInput struct {
	ChunkID int64 `json:"chunk_id" jsonschema:"of a result"`
}

type showOutput struct {
	Path    string `json:"path"`
	Title   string `json:"title"`
	Page    int    `json:"page,omitempty"`
	Heading string `json:"heading,omitempty"`
	Before  string `json:"before,omitempty"`
	Text    string `json:"text"`
	After   string `json:"after,omitempty"`
}

// newToolServer makes a server with the tools search and show.
func newToolServer(b *backend.Backend, send bool) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "fanous", Version: backend.Version}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "search", Description: "Find passages of the analyst's own documents that answer a query."},
		func(ctx context.Context, call *mcp.CallToolRequest, in searchInput) (*mcp.CallToolResult, searchOutput, error) {
			req := domain.SearchRequest{Query: in.Query, Collection: in.Collection, Method: domain.Method(in.Method), Top: min(cmp.Or(in.Top, domain.DefaultTop), maxHandedOut)}
			resp, err := b.HandOutSearch(ctx, handout(call, in.Query, send), req)
			return nil, outputOf(resp), said(err)
		})
	mcp.AddTool(server, &mcp.Tool{Name: "show", Description: "Give a passage with the text around it."},
		func(ctx context.Context, call *mcp.CallToolRequest, in showInput) (*mcp.CallToolResult, showOutput, error) {
			v, err := b.HandOutChunk(ctx, handout(call, "", send), in.ChunkID)
			return nil, showOutput{
				Path: domain.Location{Path: v.Document.Path, Member: v.Document.Member}.String(), Title: v.Document.Title,
				Page: v.Chunk.Place.Page, Heading: v.Chunk.Place.Heading, Before: v.Before, Text: v.Chunk.Text, After: v.After,
			}, said(err)
		})
	return server
}

// handout names the program that asks.
func handout(call *mcp.CallToolRequest, query string, send bool) backend.Handout {
	name := "mcp"
	if p := call.Session.InitializeParams(); p != nil && p.ClientInfo != nil && p.ClientInfo.Name != "" {
		name = "mcp: " + p.ClientInfo.Name
	}
	return backend.Handout{To: name, Query: query, Send: send}
}

// said is an error with what to do about it, as the other program's people read it.
func said(err error) error {
	if hint := domain.HintOf(err); hint != "" {
		return domain.Errorf(domain.CodeOf(err), hint, "%w (what to do: %s)", err, hint)
	}
	return err
}

func outputOf(r domain.SearchResponse) searchOutput {
	out := searchOutput{Clear: r.Verdict.Clear, Ranker: string(r.Rerank.Backend), Degraded: append([]string{}, r.Degraded...), Hits: []hitOut{}}
	for _, h := range r.Hits {
		out.Hits = append(out.Hits, hitOut{
			ChunkID: h.ChunkID, Title: h.Title, Path: domain.Location{Path: h.Path, Member: h.Member}.String(), Page: h.Page, Heading: h.Heading,
			Text: h.Text, Score: h.Score, Kind: string(h.ScoreKind),
		})
	}
	return out
}
