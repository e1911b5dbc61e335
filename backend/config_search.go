package backend

import (
	"log/slog"
	"net/url"

	"go.opentelemetry.io/otel/trace"

	"fanous/backend/domain"
	"fanous/backend/retrieve"
	"fanous/backend/store"
)

// SearchSettings are what a search does where a request does not say, and what is kept and told of it.
type SearchSettings struct {
	Candidates    int           // of requests that name none
	Top           int           // the same; 0 < Top <= Candidates
	PerDocument   int           // the same
	Fusion        domain.Fusion // the same
	LexicalWeight float64       // share of the lexical arm in a convex fusion, in [0,1]
	MMR           float64       // lambda of requests that want variety and name none
	// Thresholds are the normalised scores under which nothing clearly matches, in place of the rerankers' own.
	Thresholds    map[domain.Backend]float64
	EarlyExit     bool   // a cascade leaves its precise ranker out where the cheaper one is sure
	RerankOff     bool   // the kill switch: no request is reranked, whatever it asks for
	History       bool   // searches are kept in the index
	HistoryLength int    // of them, the latest
	DrillDays     int    // the window makes a drill when the last one is so old; 0: never
	LedgerTexts   bool   // the ledger keeps the texts of what is sent, beside their digests
	OTLPEndpoint  string // where OpenTelemetry traces are sent; empty: there are none

	// Tracing is told of searches in place of OTLPEndpoint; nil: it is not set.
	Tracing trace.TracerProvider
	Log     *slog.Logger // of degradations; nil: nowhere. Nothing of a query or a passage is ever in it
}

func defaultSearchSettings() SearchSettings {
	return SearchSettings{
		Candidates: domain.DefaultCandidates, Top: domain.DefaultTop, PerDocument: domain.DefaultPerDocument,
		Fusion: domain.FusionConvex, LexicalWeight: retrieve.DefaultLexicalWeight, MMR: domain.DefaultMMR,
		Thresholds: map[domain.Backend]float64{}, History: true, HistoryLength: store.MaxHistory, Log: slog.Default(),
	}
}

func (c *SearchSettings) validate() error {
	if c.Top <= 0 || c.Top > c.Candidates {
		return domain.Errorf(domain.CodeUsage, "choose values with 0 < top <= candidates", "top is %d and candidates is %d", c.Top, c.Candidates)
	}
	if c.OTLPEndpoint != "" {
		if u, err := url.Parse(c.OTLPEndpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			return domain.Errorf(domain.CodeUsage, "give an address such as http://localhost:4318/v1/traces, without a password",
				"otlp_endpoint is not an address that traces can be sent to")
		}
	}
	return nil
}

// withDefaults fills in what the request leaves to the settings.
func (c *SearchSettings) withDefaults(req domain.SearchRequest) domain.SearchRequest {
	if req.Candidates == 0 {
		req.Candidates = c.Candidates
	}
	if req.Top == 0 {
		req.Top = c.Top
	}
	if req.PerDocument == 0 {
		req.PerDocument = c.PerDocument
	}
	if req.Fusion == "" {
		req.Fusion = c.Fusion
	}
	if req.Variety && req.MMR == nil {
		req.MMR = &c.MMR
	}
	return req
}
