package ledger

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fanous/backend/domain"
	"fanous/models"
)

// textsName is the file of the texts, where the analyst wants them kept. They are beside the chain and not in it, where
// their digests are: what was deleted can be forgotten, and the chain still says that it was sent.
const textsName = "texts.jsonl"

// Texts are those of one sending.
type Texts struct {
	N           int64    `json:"n"` // the entry
	Collections []string `json:"collections"`
	Documents   []string `json:"documents"` // digests of the bytes of those that the passages are from
	Query       string   `json:"query"`
	Passages    []string `json:"passages"`
}

func (l *Ledger) textsPath() string { return filepath.Join(l.dir, textsName) }

// addTexts writes the texts of an entry before the entry itself, so that a sending has them or is none.
func (l *Ledger) addTexts(n int64, r Request) error {
	line, err := json.Marshal(Texts{N: n, Collections: r.Collections, Documents: r.Documents, Query: r.Query, Passages: r.Passages})
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	f, err := os.OpenFile(l.textsPath(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// eachText gives the kept texts. A line that a crash cut short has none.
func (l *Ledger) eachText(ctx context.Context, each func(Texts)) error {
	f, err := os.Open(l.textsPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, blockSize)
	for {
		line, err := r.ReadBytes('\n')
		var t Texts
		if json.Unmarshal(line, &t) == nil {
			each(t)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	}
}

// fillTexts puts the kept texts into the records of sendings.
func (l *Ledger) fillTexts(ctx context.Context, records []domain.LedgerRecord) error {
	at := map[int64]int{}
	for i, r := range records {
		at[r.N] = i
	}
	return l.eachText(ctx, func(t Texts) {
		if i, ok := at[t.N]; ok && records[i].Kind == domain.LedgerSent {
			records[i].QueryText, records[i].PassageTexts = t.Query, t.Passages
		}
	})
}

// ForgetTexts forgets the texts of the sendings that keep says no to.
func (l *Ledger) ForgetTexts(ctx context.Context, keep func(Texts) bool) error {
	if _, err := os.Stat(l.textsPath()); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	unlock, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	var kept bytes.Buffer
	var failed error
	forgotten := 0
	if err := l.eachText(ctx, func(t Texts) {
		if !keep(t) {
			forgotten++
			return
		}
		failed = errors.Join(failed, json.NewEncoder(&kept).Encode(t))
	}); err != nil || failed != nil || forgotten == 0 {
		return errors.Join(err, failed)
	}
	return models.WritePrivate(l.textsPath(), func(w io.Writer) error {
		_, err := kept.WriteTo(w)
		return err
	})
}
