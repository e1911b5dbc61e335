package onnx

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"

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
	if spec.rarity, sections["model"], err = unigram(sections["model"]); err != nil {
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

// unigram reads the vocabulary of a Unigram model: how rare its pieces are, and the model with the vocabulary in the
// packed form that the library, as we build it, reads several times faster (build/native/replacements). Another kind
// of model says nothing of rarity and stays as it is.
func unigram(model jsontext.Value) ([]float32, jsontext.Value, error) {
	var sections map[string]jsontext.Value
	if err := json.Unmarshal(model, &sections); err != nil {
		return nil, nil, err
	}
	if string(sections["type"]) != `"Unigram"` {
		return nil, model, nil
	}
	var v vocabulary
	if err := json.Unmarshal(sections["vocab"], &v); err != nil {
		return nil, nil, err
	}
	packed, err := jsontext.AppendQuote(nil, v.packed)
	if err != nil {
		return nil, nil, err
	}
	sections["vocab"] = packed
	model, err = json.Marshal(sections)
	return v.rarity(), model, err
}

// vocabulary is that of a Unigram model, whose entries are written ["text", score].
type vocabulary struct {
	scores []float32
	packed []byte // of each entry: the length of its text in bytes, a space, the score, a space, the text
}

// UnmarshalJSONFrom reads the entries without making a value of each: there are a quarter of a million of them.
func (v *vocabulary) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if token, err := d.ReadToken(); err != nil || token.Kind() != '[' {
		return errors.Join(errors.New("it is not a list"), err)
	}
	var text []byte
	for d.PeekKind() == '[' {
		var err error
		if text, err = v.entry(d, text[:0]); err != nil {
			return fmt.Errorf("entry %d: %w", len(v.scores), err)
		}
	}
	token, err := d.ReadToken()
	if err != nil || token.Kind() != ']' {
		return errors.Join(fmt.Errorf("entry %d is not a text and a score", len(v.scores)), err)
	}
	return nil
}

// entry reads one entry, whose text it appends to scratch.
func (v *vocabulary) entry(d *jsontext.Decoder, scratch []byte) ([]byte, error) {
	if _, err := d.ReadToken(); err != nil { // its bracket
		return nil, err
	}
	if d.PeekKind() != '"' {
		return nil, errors.New("no text")
	}
	raw, err := d.ReadValue()
	if err != nil {
		return nil, err
	}
	text, err := jsontext.AppendUnquote(scratch, raw)
	if err != nil {
		return nil, err
	}
	if d.PeekKind() != '0' {
		return nil, errors.New("no score")
	}
	if raw, err = d.ReadValue(); err != nil {
		return nil, err
	}
	score, err := strconv.ParseFloat(string(raw), 32)
	if err != nil {
		return nil, err
	}
	v.scores = append(v.scores, float32(score))
	v.packed = strconv.AppendInt(v.packed, int64(len(text)), 10)
	v.packed = append(append(append(append(v.packed, ' '), raw...), ' '), text...)
	token, err := d.ReadToken()
	if err == nil && token.Kind() != ']' {
		err = errors.New("more than a text and a score")
	}
	return text, err
}

// rarity says of each entry how much less probable it is than the commonest, in nats.
func (v *vocabulary) rarity() []float32 {
	// Scores are log-probabilities; the special tokens' is 0, which no real piece has.
	commonest := float32(math.Inf(-1))
	for _, score := range v.scores {
		if score < 0 {
			commonest = max(commonest, score)
		}
	}
	rarity := make([]float32, len(v.scores))
	for i, score := range v.scores {
		if score < 0 {
			rarity[i] = commonest - score
		}
	}
	return rarity
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
