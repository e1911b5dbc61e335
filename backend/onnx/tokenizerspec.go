package onnx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
)

// tokenizerSpec is what we need to know of a tokenizer.json besides what the library does with it.
type tokenizerSpec struct {
	json     []byte // without the truncation and padding that it would apply by itself
	special  map[uint32]bool
	bos, eos int64
	rarity   []float32
}

func readTokenizerSpec(path string) (tokenizerSpec, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return tokenizerSpec{}, err
	}
	var sections map[string]json.RawMessage
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
	spec := tokenizerSpec{special: make(map[uint32]bool), bos: -1, eos: -1}
	for _, token := range added {
		switch token.Content {
		case "<s>":
			spec.bos = int64(token.ID)
		case "</s>":
			spec.eos = int64(token.ID)
		}
		// The unknown token is what a strange character honestly is.
		if token.Special && token.Content != "<unk>" {
			spec.special[token.ID] = true
		}
	}
	if spec.bos < 0 || spec.eos < 0 {
		return tokenizerSpec{}, errors.New("it has no <s> and </s>: not of the XLM-R family")
	}
	if spec.rarity, err = unigram(sections["model"]); err != nil {
		return tokenizerSpec{}, fmt.Errorf("its vocabulary: %w", err)
	}
	sections["truncation"] = json.RawMessage("null")
	sections["padding"] = json.RawMessage("null")
	if spec.json, err = json.Marshal(sections); err != nil {
		return tokenizerSpec{}, err
	}
	return spec, nil
}

// unigram reads how rare the pieces of a Unigram model are; another kind does not say.
func unigram(model json.RawMessage) ([]float32, error) {
	var kind struct {
		Type  string          `json:"type"`
		Vocab json.RawMessage `json:"vocab"`
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

func (p *piece) UnmarshalJSON(b []byte) error {
	comma := bytes.LastIndexByte(b, ',') // a quarter of a million of them: no second parser for each
	score, err := strconv.ParseFloat(string(bytes.Trim(b[comma+1:], " ]\n\r\t")), 32)
	if err != nil {
		return err
	}
	*p = piece(score)
	return nil
}
