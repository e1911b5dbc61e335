package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
)

// LedgerService shows what left this machine and what was kept here.
type LedgerService struct {
	engine *engine
	shell  Shell
}

// List gives entries, the latest first, each sending with its end.
func (s *LedgerService) List(filter domain.LedgerFilter) ([]domain.LedgerRecord, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) ([]domain.LedgerRecord, error) {
		return b.Ledger(ctx, filter)
	})
}

// State says whether the ledger is whole, of what was not verified before.
func (s *LedgerService) State() (domain.LedgerState, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.LedgerState, error) {
		return b.LedgerState(ctx)
	})
}

// Verify reads every entry.
func (s *LedgerService) Verify() (domain.LedgerState, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.LedgerState, error) {
		return b.VerifyLedger(ctx)
	})
}

// Acknowledge says that the analyst has seen what is wrong, so that sending may go on.
func (s *LedgerService) Acknowledge() (domain.LedgerState, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.LedgerState, error) {
		return b.AcknowledgeLedger(ctx)
	})
}

// LedgerExport is a file that entries were written into. Its Path is empty where the analyst changed their mind.
type LedgerExport struct {
	Path    string `json:"path"`
	Entries int    `json:"entries"`
}

// Export asks for a new file and writes entries into it, as they are in the ledger.
func (s *LedgerService) Export(filter domain.LedgerFilter) (LedgerExport, error) {
	path, err := s.shell.ChooseNewFile("ledger.jsonl")
	if err != nil || path == "" {
		return LedgerExport{}, err
	}
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (LedgerExport, error) {
		n, err := b.ExportLedger(ctx, path, filter)
		return LedgerExport{Path: path, Entries: n}, err
	})
}

// Allow is the analyst's yes for a whole collection whose policy is to ask.
func (s *LedgerService) Allow(collection string) error {
	return run(s.engine, func(ctx context.Context, b *backend.Backend) error {
		return b.Allow(ctx, collection)
	})
}
