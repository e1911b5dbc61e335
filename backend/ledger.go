package backend

import (
	"context"
	"errors"
	"fmt"
	"os"

	"fanous/backend/domain"
)

// Ledger lists what left this machine and what was kept here, the latest first.
func (b *Backend) Ledger(ctx context.Context, filter domain.LedgerFilter) ([]domain.LedgerRecord, error) {
	if filter.Limit < 0 || filter.Before < 0 {
		return nil, domain.Errorf(domain.CodeUsage, "give a number from 0 on", "the limit is %d, before is %d", filter.Limit, filter.Before)
	}
	list, err := b.ledger.List(ctx, filter)
	return list, ledgerError(err)
}

// LedgerState says whether the ledger is whole, of what was not verified before.
func (b *Backend) LedgerState(ctx context.Context) (domain.LedgerState, error) {
	s, err := b.ledger.State(ctx)
	return s, ledgerError(err)
}

// VerifyLedger reads every entry of the ledger.
func (b *Backend) VerifyLedger(ctx context.Context) (domain.LedgerState, error) {
	s, err := b.ledger.Verify(ctx)
	return s, ledgerError(err)
}

// AcknowledgeLedger says that somebody has seen what is wrong with the ledger, so that sending may go on. That is an entry
// of the ledger.
func (b *Backend) AcknowledgeLedger(ctx context.Context) (domain.LedgerState, error) {
	s, err := b.ledger.Acknowledge(ctx)
	return s, ledgerError(err)
}

// ExportLedger writes the entries of a filter into a new file, as they are in the ledger, and says how many.
func (b *Backend) ExportLedger(ctx context.Context, path string, filter domain.LedgerFilter) (n int, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return 0, domain.Errorf(domain.CodeUsage, "name a file that does not exist yet", "there is a file %s", path)
	}
	if err != nil {
		return 0, domain.Errorf(domain.CodeUsage, "name a file in a folder that you may write to", "%w", err)
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	n, err = b.ledger.Export(ctx, f, filter)
	if err == nil {
		err = f.Sync()
	}
	return n, ledgerError(err)
}

func ledgerError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return domain.Errorf(domain.CodeInternal, "look at the folder of the ledger, in the data folder, and at the disk", "the ledger: %w", err)
}

// ledgerComponent is the ledger as one part of the state of everything.
func (b *Backend) ledgerComponent(ctx context.Context) domain.Component {
	s, err := b.ledger.State(ctx)
	c := domain.Component{Name: "ledger", Ready: true, Version: fmt.Sprintf("%d entries", s.Entries)}
	if s.Problem != "" {
		c = domain.Component{
			Name: "ledger", Code: domain.CodeDamaged, Reason: s.Problem, Hint: "see what it is: fanous ledger --verify; then: fanous ledger --acknowledge",
		}
	}
	if err != nil {
		c.Hint = "look at the folder of the ledger, in the data folder"
	}
	return c
}

// Allow is the analyst's yes for a whole collection whose policy is ask; a policy of never stays.
func (b *Backend) Allow(ctx context.Context, name string) error {
	c, err := b.store.Collection(ctx, name)
	switch {
	case err != nil || c.Policy == domain.PolicyAllowed:
		return err
	case c.Policy == domain.PolicyNever:
		return domain.Errorf(domain.CodeUsage, "if you are sure: fanous collections policy "+name+" allowed", "the policy of %s is never", name)
	}
	return b.store.SetPolicy(ctx, name, domain.PolicyAllowed)
}
