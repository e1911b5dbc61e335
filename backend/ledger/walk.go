package ledger

import "fanous/backend/domain"

// walk follows the chain line by line and notes what is wrong with it.
type walk struct {
	head         head // of the lines so far: the highest number, and the digest of its entry
	anchor       head // what was verified before must still be there
	noHead       bool
	whole        bool // the full parts have the sizes that they should have
	before       head // of the lines before the last
	joined       bool // the last line continues the one before it
	faults       []domain.LedgerFault
	acknowledged []domain.LedgerFault

	early        *link  // an entry that came before its turn, until the next line tells which of the two is in the wrong place
	strange      []byte // lines that are no whole entries, since the last that is one
	strangeLines int64
}

func (w *walk) line(text []byte) {
	before := w.head
	w.head.Bytes += int64(len(text)) + 1
	l, err := linkOf(text)
	if err != nil {
		w.settle()
		w.stray(text)
		return
	}
	if e := w.early; e != nil && l.N < e.N { // the chain goes on without it
		w.early = nil
		w.fault(domain.FaultMoved, e.N, e.N, []byte(e.hash))
	}
	w.settle()
	if l.N > w.head.Entries+1 && w.strangeLines == 0 {
		w.early = &l
		return
	}
	w.before = before
	w.take(l)
}

// settle takes the entry that came early: those between are missing.
func (w *walk) settle() {
	if e := w.early; e != nil {
		w.early = nil
		w.take(*e)
	}
}

// take goes on with an entry.
func (w *walk) take(l link) {
	next := w.head.Entries + 1
	if l.N < next {
		w.close(next - 1)
		w.fault(domain.FaultMoved, l.N, l.N, []byte(l.hash))
		return
	}
	untouched := w.strangeLines == 0 && l.N == next
	w.close(l.N - 1)
	w.joined = untouched && l.Prev == w.head.Hash
	if untouched && !w.joined { // the digest of each is right: one of the two was written by somebody else
		w.replaced()
	}
	w.head.Entries, w.head.Hash = l.N, l.hash
	if l.N == w.anchor.Entries && l.hash != w.anchor.Hash {
		w.replaced()
	}
	w.acknowledged = append(w.acknowledged, l.Faults...)
}

func (w *walk) stray(text []byte) {
	w.strangeLines++
	w.strange = append(append(w.strange, text...), '\n')
}

// close says what became of the entries up to last that did not come, of which the strange lines may be the rest.
func (w *walk) close(last int64) {
	first := w.head.Entries + 1
	switch lost := last - w.head.Entries; {
	case lost == 0 && w.strangeLines > 0:
		w.fault(domain.FaultAdded, last, last+1, w.strange)
	case lost > 0 && w.strangeLines == 0:
		w.fault(domain.FaultMissing, first, last, nil)
	case lost > 0 && lost == w.strangeLines:
		w.fault(domain.FaultChanged, first, last, w.strange)
	case lost > 0:
		w.fault(domain.FaultDamaged, first, last, w.strange)
	}
	w.strange, w.strangeLines = nil, 0
}

func (w *walk) fault(kind domain.FaultKind, first, last int64, found []byte) {
	f := domain.LedgerFault{Kind: kind, First: first, Last: last}
	if found != nil {
		f.Found = Digest(found)
	}
	w.faults = append(w.faults, f)
}

// replaced says that the last entry is another one than the one that was written.
func (w *walk) replaced() {
	w.fault(domain.FaultReplaced, max(w.head.Entries, 1), max(w.head.Entries, 1), []byte(w.head.Hash))
}

// end compares with the head. The rest is what follows the last line feed.
func (w *walk) end(h head, rest []byte) {
	w.settle()
	if w.noHead {
		if len(rest) > 0 {
			w.stray(rest)
			w.close(w.head.Entries)
		}
		w.fault(domain.FaultHead, w.head.Entries, w.head.Entries, []byte(w.head.Hash))
		return
	}
	_, torn := h.after(rest)
	if len(rest) > 0 && !(torn && w.head.Bytes == h.Bytes) {
		w.stray(rest)
	}
	last := w.head
	if w.anchor.Entries > h.Entries {
		if w.anchor == last { // only what came after it was to be read
			w.fault(domain.FaultMissing, h.Entries+1, last.Entries, nil)
		}
		h = w.anchor
	}
	w.close(max(h.Entries, last.Entries))
	switch {
	case last.Entries < h.Entries:
		w.head.Entries, w.head.Hash = h.Entries, h.Hash
	case last.Entries == h.Entries && last.Hash != h.Hash:
		if h != w.anchor { // else it is noted
			w.replaced()
		}
		w.head.Hash = h.Hash
	case w.before == h && w.joined && len(rest) == 0: // a crash kept the head from following; the next entry does that
		w.head = w.before
	case last.Entries > h.Entries:
		w.fault(domain.FaultAdded, h.Entries+1, last.Entries, []byte(last.Hash))
	case w.whole && last.Bytes != h.Bytes && len(rest) == 0: // nothing could be written after it
		w.fault(domain.FaultHead, h.Entries, h.Entries, []byte(h.Hash))
	}
}
