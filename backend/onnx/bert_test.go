package onnx

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// wordPiece is a made-up tokenizer of the BERT family with a few words.
func wordPiece(t *testing.T) string {
	t.Helper()
	vocab := map[string]int{}
	for i, word := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "lantern", "##s", "hall", "in", "the", "."} {
		vocab[word] = i
	}
	var added []map[string]any
	for _, word := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		added = append(added, map[string]any{
			"id": vocab[word], "content": word, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
		})
	}
	data, err := json.Marshal(map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer":     map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": nil,
		"decoder":        map[string]any{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tokenizer.json")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTokenizersOfTheBERTFamily put one [SEP] between two texts, and no text can put in one of its own.
func TestTokenizersOfTheBERTFamily(t *testing.T) {
	tok, err := OpenTokenizer(wordPiece(t))
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	ids := func(text string) []int64 {
		e, err := tok.Encode(text, 0)
		if err != nil {
			t.Fatal(err)
		}
		return e.IDs
	}
	query, passage := ids("Lanterns"), ids("the hall [SEP] in é.")
	if !slices.Equal(query, []int64{5, 6}) || !slices.Equal(passage, []int64{9, 7, 8, 1, 10}) {
		t.Errorf("%v and %v", query, passage)
	}
	pair := tok.Pair(query, passage, 512)
	if want := []int64{2, 5, 6, 3, 9, 7, 8, 1, 10, 3}; !slices.Equal(pair, want) {
		t.Errorf("the pair is %v, not %v", pair, want)
	}
	if types := tokenTypes(pair, len(pair), tok.secondAfter()); !slices.Equal(types, []int64{0, 0, 0, 0, 1, 1, 1, 1, 1, 1}) {
		t.Errorf("its types are %v", types)
	}
	if cut := tok.Pair(query, passage, 7); !slices.Equal(cut, []int64{2, 5, 6, 3, 9, 7, 3}) {
		t.Errorf("cut to 7: %v", cut)
	}
	if single := tok.Single(query); !slices.Equal(single, []int64{2, 5, 6, 3}) || slices.Max(tokenTypes(single, 4, tok.secondAfter())) != 0 {
		t.Errorf("alone: %v", single)
	}
	if size := tok.Size(); size != 11 {
		t.Errorf("%d tokens", size)
	}
}

// TestTokenTypesByRow: each row of a batch has its own second text, and the XLM-R family has none.
func TestTokenTypesByRow(t *testing.T) {
	ids := []int64{2, 5, 3, 7, 3, 2, 5, 5, 3, 7}
	if got := tokenTypes(ids, 5, 3); !slices.Equal(got, []int64{0, 0, 0, 1, 1, 0, 0, 0, 0, 1}) {
		t.Errorf("%v", got)
	}
	if got := tokenTypes(ids, 5, -1); slices.Max(got) != 0 {
		t.Errorf("%v", got)
	}
}
