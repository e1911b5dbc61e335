package onnx_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fanous/backend/onnx"
)

// tokenizerPath is the starter embedder's: the whole XLM-R vocabulary.
func tokenizerPath(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(os.Getenv("FANOUS_MODELS"), "multilingual-e5-small-starter-q4", "tokenizer.json")
	if _, err := os.Stat(path); err != nil {
		tb.Fatalf("FANOUS_MODELS: %v (go tool mage test sets it)", err)
	}
	return path
}

func openTokenizer(tb testing.TB, path string) *onnx.Tokenizer {
	tb.Helper()
	tok, err := onnx.OpenTokenizer(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := tok.Close(); err != nil {
			tb.Error(err)
		}
	})
	return tok
}

func TestTokenizer(t *testing.T) {
	tok := openTokenizer(t, tokenizerPath(t)) // once for all: loading is what takes time

	encode := func(t *testing.T, text string, max int) onnx.Encoding {
		t.Helper()
		e, err := tok.Encode(text, max)
		if err != nil {
			t.Fatalf("%.40q: %v", text, err)
		}
		return e
	}

	t.Run("ids equal the reference's", func(t *testing.T) {
		var reference struct {
			Texts []struct {
				Name, Text string
				IDs        []int64
			}
		}
		data, err := os.ReadFile("testdata/token-ids-reference.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &reference); err != nil {
			t.Fatal(err)
		}
		if len(reference.Texts) == 0 {
			t.Fatal("the reference has no texts")
		}
		for _, want := range reference.Texts {
			if got := encode(t, want.Text, 0); !slices.Equal(got.IDs, want.IDs) {
				t.Errorf("%s: %v, the reference has %v", want.Name, got.IDs, want.IDs)
			}
			if n, err := tok.Count(want.Text); n != len(want.IDs) || err != nil {
				t.Errorf("%s: Count is %d, %v", want.Name, n, err)
			}
		}
	})

	t.Run("offsets", func(t *testing.T) {
		for _, c := range []struct {
			text string
			want []string // what each token stands for
		}{
			{"a\x00b\x00", []string{"a", "\x00", "b", "\x00"}},
			{"a\xffb", []string{"a", "\xffb"}},
			{"a</s>b", []string{"a", "b"}},
			{"سلام دنیا", []string{"سلام", " دنیا"}},
			{"", nil},
		} {
			var got []string
			for _, place := range encode(t, c.text, 0).Offsets {
				got = append(got, c.text[place[0]:place[1]])
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q: %q", c.text, got)
			}
		}
	})

	t.Run("no text has a special token", func(t *testing.T) {
		for _, text := range []string{"<s>", "</s>", "<pad>", "<mask>", "＜/s＞", "x</s></s>y", " <s> </s> "} {
			for _, id := range encode(t, text, 0).IDs {
				if id <= 2 || id >= 250001 {
					t.Errorf("%q has %d", text, id)
				}
			}
		}
	})

	t.Run("the beginning is that of the whole", func(t *testing.T) {
		for name, text := range map[string]string{
			"words":   strings.Repeat("the lantern of تهران ", 5000),
			"chinese": strings.Repeat("東京は日本の首都です。", 5000),
			"spaces":  strings.Repeat(" ", 100_000) + "word " + strings.Repeat("other ", 1000),
			"short":   "two words",
		} {
			whole := encode(t, text, 0)
			for _, n := range []int{1, 7, 510} {
				n = min(n, len(whole.IDs))
				got := encode(t, text, n)
				if !slices.Equal(got.IDs, whole.IDs[:n]) || !slices.Equal(got.Offsets, whole.Offsets[:n]) {
					t.Errorf("%s: another beginning of %d", name, n)
				}
			}
		}
	})

	t.Run("pairs", func(t *testing.T) {
		q, p := []int64{10, 11, 12}, []int64{20, 21, 22, 23}
		for _, c := range []struct {
			limit int
			want  []int64
		}{
			{512, []int64{0, 10, 11, 12, 2, 2, 20, 21, 22, 23, 2}},
			{11, []int64{0, 10, 11, 12, 2, 2, 20, 21, 22, 23, 2}},
			{10, []int64{0, 10, 11, 12, 2, 2, 20, 21, 22, 2}},
			{7, []int64{0, 10, 11, 12, 2, 2, 2}},
			{5, []int64{0, 10, 2, 2, 2}},
			{4, []int64{0, 2, 2, 2}},
			{0, []int64{0, 2, 2, 2}},
		} {
			if got := tok.Pair(q, p, c.limit); !slices.Equal(got, c.want) {
				t.Errorf("at most %d: %v", c.limit, got)
			}
		}
		if got := tok.Pair(nil, nil, 512); !slices.Equal(got, []int64{0, 2, 2, 2}) {
			t.Errorf("of nothing: %v", got)
		}
		if got := tok.Single(q); !slices.Equal(got, []int64{0, 10, 11, 12, 2}) {
			t.Errorf("single: %v", got)
		}
	})

	t.Run("rarity", func(t *testing.T) {
		comma, common, rare := encode(t, "a,", 0).IDs[1], encode(t, "the", 0).IDs[0], encode(t, "lantern", 0).IDs[0]
		if c, w, r := tok.Rarity(comma), tok.Rarity(common), tok.Rarity(rare); !(c == 0 && 0 < w && w < r) {
			t.Errorf("the commonest mark has %v, a common word %v and a rare one %v", c, w, r)
		}
		for _, id := range []int64{-1, 0, 2, 3, 250001, 1 << 40} {
			if r := tok.Rarity(id); r != 0 {
				t.Errorf("id %d has %v", id, r)
			}
		}
	})

	t.Run("truncation and padding of the file do not apply", func(t *testing.T) {
		data, err := os.ReadFile(tokenizerPath(t))
		if err != nil {
			t.Fatal(err)
		}
		var sections map[string]json.RawMessage
		if err := json.Unmarshal(data, &sections); err != nil {
			t.Fatal(err)
		}
		sections["truncation"] = json.RawMessage(`{"direction":"Right","max_length":3,"strategy":"LongestFirst","stride":0}`)
		sections["padding"] = json.RawMessage(`{"strategy":{"Fixed":16},"direction":"Right","pad_to_multiple_of":null,"pad_id":10,"pad_type_id":0,"pad_token":"a"}`)
		path := filepath.Join(t.TempDir(), "tokenizer.json")
		if data, err = json.Marshal(sections); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		cutting := openTokenizer(t, path)
		const text = "one two three four five six seven"
		if got, err := cutting.Encode(text, 0); err != nil || !slices.Equal(got.IDs, encode(t, text, 0).IDs) {
			t.Errorf("%v, %v", got.IDs, err)
		}

		// Closing while others encode: each gets ids or is told, none a crash.
		var encoders sync.WaitGroup
		for range 4 {
			encoders.Go(func() {
				for {
					if _, err := cutting.Encode(text, 0); err != nil {
						if !errors.Is(err, onnx.ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		for range 2 {
			if err := cutting.Close(); err != nil {
				t.Error(err)
			}
		}
		encoders.Wait()
	})
}

func TestOpenTokenizerRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"empty":       "",
		"web page":    "<!DOCTYPE html><html><body>Sign in</body></html>",
		"cut":         `{"version":"1.0","added_tokens":[{"id":0,"content":"<s>"`,
		"other":       `{"added_tokens":[{"id":101,"content":"[CLS]","special":true}],"model":{"type":"WordPiece","vocab":{}}}`,
		"no model":    `{"added_tokens":[{"id":0,"content":"<s>"},{"id":2,"content":"</s>"}]}`,
		"vocabulary":  `{"added_tokens":[{"id":0,"content":"<s>"},{"id":2,"content":"</s>"}],"model":{"type":"Unigram","vocab":[["a","b"]]}}`,
		"wrong types": `{"added_tokens":7}`,
		"null":        `null`,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if tok, err := onnx.OpenTokenizer(path); err == nil {
			tok.Close()
			t.Errorf("%s: no error", name)
		} else if !strings.Contains(err.Error(), path) {
			t.Errorf("%s: the error does not name the file: %v", name, err)
		}
	}
	if _, err := onnx.OpenTokenizer(filepath.Join(dir, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}
