package onnx_test

import (
	"os"
	"path/filepath"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/models"
)

// otherTokenizer is one of the XLM-R family by its looks, with a vocabulary of its own.
const otherTokenizer = `{"version":"1.0","truncation":null,"padding":null,"normalizer":null,
"added_tokens":[
{"id":0,"content":"<s>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
{"id":2,"content":"</s>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}],
"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},
"post_processor":null,"decoder":null,
"model":{"type":"Unigram","unk_id":3,"vocab":[["<s>",0.0],["<pad>",0.0],["</s>",0.0],["<unk>",0.0],["▁lantern",-5.0],["▁",-6.0]],"byte_fallback":false}}`

func TestCheckVocabulary(t *testing.T) {
	starter, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*"))
	if err != nil || len(starter) == 0 {
		t.Fatal("FANOUS_MODELS has no starter model (go tool mage test sets it)", err)
	}
	graph := filepath.Join(starter[0], models.GraphFile)
	own, err := onnx.OpenTokenizer(filepath.Join(starter[0], models.TokenizerFile))
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if err := onnx.CheckVocabulary(graph, own); err != nil {
		t.Errorf("its own tokenizer: %v", err)
	}
	path := filepath.Join(t.TempDir(), models.TokenizerFile)
	if err := os.WriteFile(path, []byte(otherTokenizer), 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := onnx.OpenTokenizer(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := onnx.CheckVocabulary(graph, other); domain.CodeOf(err) != domain.CodeModelTokenizer {
		t.Errorf("one of %d tokens: %v", other.Size(), err)
	}
	if err := onnx.CheckVocabulary(path, own); err == nil {
		t.Error("a tokenizer is no model")
	}
}
