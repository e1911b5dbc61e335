package onnx

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// tokenizerSpec is what we need to know of a tokenizer.json besides what the library does with it.
type tokenizerSpec struct {
	json     []byte // without the truncation and padding that it would apply by itself
	content  digest // of what decides which ids a text has
	special  map[uint32]bool
	bos, eos int64
	family   family
	rarity   []float32
}

// family is how a model was taught to read two texts.
type family int

const (
	xlmr family = iota // <s> query </s></s> passage </s>
	bert               // [CLS] query [SEP] passage [SEP], of which what comes after the first [SEP] has token type 1
)

// markers are the tokens before and after a text, by family.
func (f family) markers() (before, after string) {
	if f == bert {
		return "[CLS]", "[SEP]"
	}
	return "<s>", "</s>"
}

type digest [sha256.Size]byte

func readTokenizerSpec(path string) (tokenizerSpec, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return tokenizerSpec{}, err
	}
	var sections map[string]jsontext.Value
	if err := json.Unmarshal(data, &sections); err != nil {
		return tokenizerSpec{}, fmt.Errorf("not a tokenizer, or damaged: %w", err)
	}
	var added []struct {
		ID      uint32 `json:"id"`
		Content string `json:"content"`
		Special bool   `json:"special"`
	}
	if err := json.Unmarshal(sections["added_tokens"], &added); err != nil {
		return tokenizerSpec{}, fmt.Errorf("its added tokens: %w", err)
	}
	spec := tokenizerSpec{content: contentDigest(sections), special: make(map[uint32]bool)}
	ids := map[string]uint32{}
	for _, token := range added {
		ids[token.Content] = token.ID
		// The unknown token is what a strange character honestly is.
		if token.Special && token.Content != "<unk>" && token.Content != "[UNK]" {
			spec.special[token.ID] = true
		}
	}
	if err := spec.choose(ids); err != nil {
		return tokenizerSpec{}, err
	}
	if spec.rarity, err = unigram(sections["model"]); err != nil {
		return tokenizerSpec{}, fmt.Errorf("its vocabulary: %w", err)
	}
	sections["truncation"] = jsontext.Value("null")
	sections["padding"] = jsontext.Value("null")
	if spec.json, err = json.Marshal(sections); err != nil {
		return tokenizerSpec{}, err
	}
	return spec, nil
}

// contentDigest is the same for tokenizers that give every text the same ids. What they put around a text or cut from it
// does not count: we do that ourselves.
func contentDigest(sections map[string]jsontext.Value) digest {
	hash := sha256.New()
	for _, name := range []string{"added_tokens", "normalizer", "pre_tokenizer", "model"} {
		fmt.Fprintf(hash, "%d ", len(sections[name]))
		hash.Write(sections[name])
	}
	return digest(hash.Sum(nil))
}

// unigram reads how rare the pieces of a Unigram model are; another kind does not say.
func unigram(model jsontext.Value) ([]float32, error) {
	var kind struct {
		Type  string         `json:"type"`
		Vocab jsontext.Value `json:"vocab"`
	}
	if err := json.Unmarshal(model, &kind); err != nil {
		return nil, err
	}
	if kind.Type != "Unigram" {
		return nil, nil
	}
	var pieces []piece
	if err := json.Unmarshal(kind.Vocab, &pieces); err != nil {
		return nil, err
	}
	// Scores are log-probabilities; the special tokens' is 0, which no real piece has.
	commonest := float32(math.Inf(-1))
	for _, p := range pieces {
		if p < 0 {
			commonest = max(commonest, float32(p))
		}
	}
	rarity := make([]float32, len(pieces))
	for i, p := range pieces {
		if p < 0 {
			rarity[i] = commonest - float32(p)
		}
	}
	return rarity, nil
}

// piece is the score of a vocabulary's entry, which is written ["text", score].
type piece float32

// UnmarshalJSONFrom reads an entry without making a string of its text: there are a quarter of a million of them.
func (p *piece) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	kinds := []jsontext.Kind{'[', '"', '0', ']'}
	for _, want := range kinds {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		if token.Kind() != want {
			return fmt.Errorf("a piece is not a text and a score: %v", token.Kind())
		}
		if want == '0' {
			*p = piece(token.Float())
		}
	}
	return nil
}

// choose finds the family whose special tokens there are.
func (s *tokenizerSpec) choose(ids map[string]uint32) error {
	for _, f := range []family{xlmr, bert} {
		before, after := f.markers()
		bos, ok1 := ids[before]
		eos, ok2 := ids[after]
		if ok1 && ok2 {
			s.family, s.bos, s.eos = f, int64(bos), int64(eos)
			return nil
		}
	}
	return errors.New("it has neither <s> and </s> nor [CLS] and [SEP]: not of the XLM-R or BERT family")
}
