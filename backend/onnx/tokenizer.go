package onnx

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/daulet/tokenizers"
)

// Tokenizer turns text into the ids that a model was trained on. It is safe for concurrent use.
//
// Text is data: where it spells out one of the model's special tokens ("</s>"), that is left out,
// so that no text can end itself and begin another. Any string is accepted: a byte that is not
// UTF-8 counts as a space, and NUL, at which the library would stop, as an unknown character.
type Tokenizer struct {
	special  map[uint32]bool // ids that only we may put in
	bos, eos int64
	family   family
	rarity   []float32

	mu      sync.RWMutex // held for reading while encoding: Close waits
	lib     *tokenizers.Tokenizer
	release func() error // gives lib back
}

// Encoding is a text without special tokens around it.
type Encoding struct {
	IDs     []int64
	Offsets [][2]int // byte range of the text each id stands for
}

// OpenTokenizer loads a tokenizer.json for the caller alone; see Runtime.Tokenizer. It takes about a second for a
// multilingual vocabulary, and 75 MB.
func OpenTokenizer(path string) (*Tokenizer, error) {
	spec, err := readTokenizerSpec(path)
	if err != nil {
		return nil, fmt.Errorf("the tokenizer %s: %w", path, err)
	}
	lib, err := loadTokenizer(spec)
	if err != nil {
		return nil, fmt.Errorf("the tokenizer %s: %w", path, err)
	}
	return newTokenizer(spec, lib, func() error { return freeTokenizer(lib) }), nil
}

func newTokenizer(spec tokenizerSpec, lib *tokenizers.Tokenizer, release func() error) *Tokenizer {
	return &Tokenizer{special: spec.special, bos: spec.bos, eos: spec.eos, family: spec.family, rarity: spec.rarity, lib: lib, release: release}
}

func loadTokenizer(spec tokenizerSpec) (*tokenizers.Tokenizer, error) {
	tuneHeap()
	// Both heaps are left far larger than what remains in use.
	defer debug.FreeOSMemory()
	defer trimHeap()
	return tokenizers.FromBytes(spec.json)
}

func freeTokenizer(lib *tokenizers.Tokenizer) error {
	defer trimHeap()
	return lib.Close()
}

// Encode gives the first max ids of a text; max 0: all of them. A text of any length costs no more
// than its beginning where max is given.
func (t *Tokenizer) Encode(text string, max int) (Encoding, error) {
	if max <= 0 {
		return t.encode(text)
	}
	// Words are encoded apart from one another, so the beginning of a text has the ids it has in
	// the whole, but for the last ones before the cut.
	const margin = 64
	for size := 32 * (max + margin); ; size *= 8 {
		part := beginning(text, size)
		e, err := t.encode(part)
		if err != nil {
			return Encoding{}, err
		}
		if len(part) == len(text) || len(e.IDs) >= max+margin {
			n := min(max, len(e.IDs))
			return Encoding{IDs: e.IDs[:n], Offsets: e.Offsets[:n]}, nil
		}
	}
}

// Count is how many ids a text has.
func (t *Tokenizer) Count(text string) (int, error) {
	e, err := t.encode(text)
	return len(e.IDs), err
}

// Single is a text's ids as the model wants them: <s> text </s>, or [CLS] text [SEP].
func (t *Tokenizer) Single(ids []int64) []int64 {
	out := make([]int64, 0, len(ids)+2)
	out = append(out, t.bos)
	out = append(out, ids...)
	return append(out, t.eos)
}

// Pair is a query's and a passage's ids as a cross-encoder wants them, at most limit in all: <s> query </s></s> passage
// </s>, or [CLS] query [SEP] passage [SEP]. The passage is cut; the query only where the special tokens alone leave no
// room for it.
func (t *Tokenizer) Pair(query, passage []int64, limit int) []int64 {
	between := []int64{t.eos, t.eos}
	if t.family == bert {
		between = between[:1]
	}
	specials := len(between) + 2
	query = query[:min(len(query), max(0, limit-specials))]
	passage = passage[:min(len(passage), max(0, limit-specials-len(query)))]
	out := make([]int64, 0, len(query)+len(passage)+specials)
	out = append(out, t.bos)
	out = append(out, query...)
	out = append(out, between...)
	out = append(out, passage...)
	return append(out, t.eos)
}

// secondAfter is the token after whose first occurrence a model that tells two texts apart by token types has those of
// the second one; -1: none, for the model was not taught so.
func (t *Tokenizer) secondAfter() int64 {
	if t.family == bert {
		return t.eos
	}
	return -1
}

// tokenTypes are the types of ids, in rows of a length: 0, and 1 after the first token that is after.
func tokenTypes(ids []int64, row int, after int64) []int64 {
	types := make([]int64, len(ids))
	for start := 0; start < len(ids); start += row {
		end := min(start+row, len(ids))
		first := slices.Index(ids[start:end], after)
		for i := start + first + 1; first >= 0 && i < end; i++ {
			types[i] = 1
		}
	}
	return types
}

// Rarity is how much rarer a token is than the commonest one in the text that the vocabulary was
// made from, in nats; 0 where the vocabulary does not say, as of the unknown token.
func (t *Tokenizer) Rarity(id int64) float64 {
	if id < 0 || id >= int64(len(t.rarity)) {
		return 0
	}
	return float64(t.rarity[id])
}

// Close frees the tokenizer after the calls under way. Closing twice is harmless.
func (t *Tokenizer) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lib == nil {
		return nil
	}
	t.lib = nil
	return t.release()
}

func (t *Tokenizer) encode(text string) (Encoding, error) {
	if text == "" {
		return Encoding{}, nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.lib == nil {
		return Encoding{}, fmt.Errorf("tokenizer: %w", ErrClosed)
	}
	text, nuls := plain(text)
	e, err := t.lib.EncodeWithOptionsErr(text, false, tokenizers.WithReturnOffsets())
	if err != nil {
		return Encoding{}, fmt.Errorf("tokenizer: %w", err)
	}
	if len(e.Offsets) != len(e.IDs) {
		return Encoding{}, errors.New("tokenizer: it gave ids without their places")
	}
	out := Encoding{IDs: make([]int64, 0, len(e.IDs)), Offsets: make([][2]int, 0, len(e.IDs))}
	for i, id := range e.IDs {
		// The library finds special tokens in a text however it is told not to, and normalising
		// makes them out of other characters too (full-width "＜/s＞").
		if t.special[id] {
			continue
		}
		out.IDs = append(out.IDs, int64(id))
		out.Offsets = append(out.Offsets, [2]int{nuls.original(e.Offsets[i][0]), nuls.original(e.Offsets[i][1])})
	}
	return out, nil
}

// nul is what the library gets in place of NUL: the last code point, as unknown as NUL itself.
const nul = "\U0010FFFF"

// standIns are the offsets, in the text that the library got, just after each nul.
type standIns []int

// original is the offset in the text as it was given.
func (s standIns) original(offset uint) int {
	before, found := slices.BinarySearch(s, int(offset))
	if found {
		before++
	}
	return int(offset) - before*(len(nul)-1)
}

// plain replaces what the library cannot take.
func plain(text string) (string, standIns) {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return text, nil
	}
	var (
		b    strings.Builder
		nuls standIns
	)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == 0:
			b.WriteString(nul)
			nuls = append(nuls, b.Len())
		case r == utf8.RuneError && n == 1:
			b.WriteByte(' ')
		default:
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String(), nuls
}

// beginning is about size bytes of a text, cut at a space where one is near, else between runes.
func beginning(text string, size int) string {
	if len(text) <= size {
		return text
	}
	const near = 1024
	if i := strings.LastIndexByte(text[max(0, size-near):size], ' '); i >= 0 {
		return text[:max(0, size-near)+i]
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size]
}
