package backend

import (
	"log/slog"
	"net/url"
	"os"

	"go.opentelemetry.io/otel/trace"

	"fanous/backend/domain"
	"fanous/backend/retrieve"
)

// SearchSettings are what a search does where a request does not say, and what is kept and told of it.
type SearchSettings struct {
	Candidates    int     // of requests that name none
	Top           int     // the same; 0 < Top <= Candidates
	LexicalWeight float64 // share of the lexical arm in a convex fusion, in [0,1]
	// Thresholds are the normalised scores under which nothing clearly matches, in place of the rerankers' own.
	Thresholds   map[domain.Backend]float64
	EarlyExit    bool   // a cascade leaves its precise ranker out where the cheaper one is sure
	RerankOff    bool   // the kill switch: no request is reranked, whatever it asks for
	History      bool   // searches are kept in the index
	LedgerTexts  bool   // the ledger keeps the texts of what is sent, beside their digests
	OTLPEndpoint string // where OpenTelemetry traces are sent; empty: there are none

	// Tracing is told of searches in place of OTLPEndpoint; nil: it is not set.
	Tracing trace.TracerProvider
	Log     *slog.Logger // of degradations; nil: nowhere. Nothing of a query or a passage is ever in it
}

// searchFile is the part of config.toml that is about searching.
type searchFile struct {
	Candidates               *int     `toml:"candidates"`
	Top                      *int     `toml:"top"`
	LexicalWeight            *float64 `toml:"lexical_weight"`
	ThresholdCohere          *float64 `toml:"threshold_cohere"`
	ThresholdCrossEncoder    *float64 `toml:"threshold_cross_encoder"`
	ThresholdLateInteraction *float64 `toml:"threshold_late_interaction"`
	Rerank                   *string  `toml:"rerank"`
	EarlyExit                *bool    `toml:"early_exit"`
	History                  *bool    `toml:"history"`
	LedgerTexts              *bool    `toml:"ledger_texts"`
	OTLPEndpoint             *string  `toml:"otlp_endpoint"`
}

func defaultSearchSettings() SearchSettings {
	return SearchSettings{
		Candidates: domain.DefaultCandidates, Top: domain.DefaultTop, LexicalWeight: retrieve.DefaultLexicalWeight,
		Thresholds: map[domain.Backend]float64{}, History: true, Log: slog.Default(),
	}
}

// read takes the settings over from the file.
func (c *SearchSettings) read(f searchFile) error {
	set(&c.Candidates, f.Candidates)
	set(&c.Top, f.Top)
	set(&c.LexicalWeight, f.LexicalWeight)
	set(&c.EarlyExit, f.EarlyExit)
	set(&c.History, f.History)
	set(&c.LedgerTexts, f.LedgerTexts)
	set(&c.OTLPEndpoint, f.OTLPEndpoint)
	for backend, threshold := range map[domain.Backend]*float64{
		domain.BackendCohere: f.ThresholdCohere, domain.BackendCrossEncoder: f.ThresholdCrossEncoder,
		domain.BackendLateInteraction: f.ThresholdLateInteraction,
	} {
		if threshold != nil {
			c.Thresholds[backend] = *threshold
		}
	}
	if f.Rerank != nil {
		return c.setRerank("rerank", *f.Rerank)
	}
	return nil
}

func (c *SearchSettings) readEnvironment() error {
	const name = "FANOUS_RERANK"
	if value := os.Getenv(name); value != "" {
		return c.setRerank(name, value)
	}
	return nil
}

func (c *SearchSettings) setRerank(name, value string) error {
	switch value {
	case "off":
		c.RerankOff = true
	case "auto":
		c.RerankOff = false
	default:
		return domain.Errorf(domain.CodeUsage, `choose "off" to switch reranking off for every search, or "auto"`, "%s is %q", name, value)
	}
	return nil
}

func (c *SearchSettings) validate() error {
	const share = "give a number from 0 to 1"
	switch {
	case c.Top <= 0 || c.Top > c.Candidates:
		return domain.Errorf(domain.CodeUsage, "choose values with 0 < top <= candidates", "top is %d and candidates is %d", c.Top, c.Candidates)
	case c.Candidates > domain.MaxCandidates:
		return domain.Errorf(domain.CodeUsage, "choose fewer", "candidates is %d and the most is %d", c.Candidates, domain.MaxCandidates)
	case !(c.LexicalWeight >= 0 && c.LexicalWeight <= 1):
		return domain.Errorf(domain.CodeUsage, share+"; the vector arm has the rest",
			"lexical_weight is %v, which leaves %v for the vector arm", c.LexicalWeight, 1-c.LexicalWeight)
	}
	for _, s := range []struct {
		name    string
		backend domain.Backend
	}{
		{"threshold_cohere", domain.BackendCohere}, {"threshold_cross_encoder", domain.BackendCrossEncoder},
		{"threshold_late_interaction", domain.BackendLateInteraction},
	} {
		if v, given := c.Thresholds[s.backend]; given && !(v >= 0 && v <= 1) {
			return domain.Errorf(domain.CodeUsage, share, "%s is %v", s.name, v)
		}
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
	return req
}
