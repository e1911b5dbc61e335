package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
)

// sendScope is what the analyst's yes is for, where a collection's policy is ask.
type sendScope string

const (
	sendNothing    sendScope = "no"
	sendOnce       sendScope = "once"
	sendSearch     sendScope = "search"
	sendCollection sendScope = "collection"
)

const searchLong = `Find the passages that answer a query.

A query is words. Besides:
  "annual report"         these words, one after the other
  -draft  -"old plan"     not with these
  lease OR rental         one of them, also written |
  file:reports  file:*.pdf  file:"my plan"
                          a part of the path, or of the path within the file; with * and ? whole names
  type:pdf  type:mail     a format, an extension, or mail, sheet, slides, word, image, web, code, archive
  lang:fa  lang:Persian   what the passage is written in
  after:2023-05  before:1402/5/1
                          the date of the document; a year, month or day, also Solar Hijri, in any digits
  in:heading budget       the word or phrase behind it stands in the title or the headings above
Filters are negated by a minus (-type:pdf) and joined by OR (type:pdf OR type:docx); type:pdf,docx is the same.
Their names can be Persian: پرونده: نوع: زبان: پس‌از: پیش‌از: در:عنوان. What is none of these is words.
Filters alone list the newest documents. Put a query with quotes or a minus in single quotes.`

func newSearch(g *globals) *cobra.Command {
	var req domain.SearchRequest
	var lambda float64
	var asJSON, verbose, calibrate bool
	var send sendScope
	var file string
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find the passages that answer a query",
		Long:  searchLong,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Query = strings.Join(args, " ")
			// A flag that was given is not an unset field: 0 is then the user's value and is refused.
			for name, value := range map[string]int{"top": req.Top, "candidates": req.Candidates, "per-document": req.PerDocument} {
				if cmd.Flags().Changed(name) && value <= 0 {
					return domain.Errorf(domain.CodeUsage, "choose values with 0 < top <= candidates", "--%s is %d", name, value)
				}
			}
			for name, value := range map[string]*int{"top": &req.Top, "candidates": &req.Candidates, "per-document": &req.PerDocument} {
				if !cmd.Flags().Changed(name) {
					*value = 0 // the settings say
				}
			}
			if !cmd.Flags().Changed("fusion") {
				req.Fusion = "" // likewise
			}
			if cmd.Flags().Changed("mmr") {
				req.MMR = &lambda
			}
			if file != "" {
				if err := backend.CanExport(file); err != nil {
					return err
				}
			}
			req.Send, req.Once = send == sendSearch, send == sendOnce
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				if send == sendCollection {
					if err := b.Allow(cmd.Context(), req.Collection); err != nil {
						return err
					}
				}
				resp, err := b.Search(cmd.Context(), req, nil)
				if err != nil {
					return err
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), resp)
				} else {
					newPrinter(cmd.OutOrStdout()).response(resp, verbose)
				}
				if err == nil && file != "" {
					if err = backend.ExportSearch(file, time.Now(), resp); err == nil {
						fmt.Fprintf(cmd.ErrOrStderr(), "the results are in %s\n", file)
					}
				}
				if err == nil && calibrate {
					err = b.Calibrate(cmd.Context())
				}
				if err == nil && len(resp.Hits) == 0 {
					return errNothingFound
				}
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&req.Collection, "collection", domain.DefaultCollection, "collection to search")
	f.Var(newEnum(&req.Method, domain.Hybrid, domain.BM25, domain.Semantic), "method", "what retrieves the candidates")
	f.Var(newEnum(&req.Rerank, domain.RerankAuto, domain.RerankCohere, domain.RerankLocal, domain.RerankOff), "rerank", "what orders them")
	f.Var(newEnum(&req.Fusion, domain.FusionConvex, domain.FusionRRF), "fusion", "how the arms of a hybrid search are joined")
	f.IntVar(&req.Candidates, "candidates", domain.DefaultCandidates, "passages taken from each arm and reranked")
	f.IntVar(&req.Top, "top", domain.DefaultTop, "results shown")
	f.IntVar(&req.PerDocument, "per-document", domain.DefaultPerDocument, "passages shown of one document")
	f.Float64Var(&lambda, "mmr", 0, "prefer results that differ: maximal marginal relevance with this `LAMBDA`, from 1 (by relevance alone) to 0 (off unless given)")
	f.BoolVar(&req.Variety, "variety", false, "the same with the lambda of the settings (mmr)")
	f.BoolVar(&req.Offline, "offline", false, "send nothing, whatever the collection's policy says")
	f.Var(newEnum(&send, sendNothing, sendOnce, sendSearch, sendCollection), "send", "where the policy is ask, let passages leave the machine: "+
		"in one request (once), in all of this search (search, which --send alone means), or from now on (collection)")
	f.Lookup("send").NoOptDefVal = string(sendSearch)
	f.BoolVar(&calibrate, "calibrate", false, "after the answer, let the local reranker score what Cohere has scored, and keep both scores (no text)")
	f.StringVar(&file, "export", "", "write the results into `FILE`, which ends in .csv, .json or .md")
	f.BoolVar(&asJSON, "json", false, "print the answer and its whole trace as JSON")
	f.BoolVarP(&verbose, "verbose", "v", false, "say where each result came from and what every stage cost")
	return cmd
}
