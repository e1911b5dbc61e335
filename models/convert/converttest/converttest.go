// Package converttest makes small model folders in the hub's layout for tests, with made-up weights. Nothing of them is
// random: the reference implementation's numbers for them are recorded (models/reference/converted.py).
package converttest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"fanous/models/safetensors"
	"fanous/models/safetensors/safetensorstest"
)

// Sizes of every model made here.
const (
	Vocabulary = 120
	Positions  = 66
	Hidden     = 32
	Layers     = 2
	Heads      = 4
	FFN        = 64
	Types      = 2
)

// Kind is a model to make.
type Kind struct {
	Architecture string // XLMRobertaModel, XLMRobertaForSequenceClassification, BertModel or BertForSequenceClassification
	Type         string // of the tensors: F32, F16, BF16
	Shards       int    // files of weights; 0 is one without an index
	Bare         bool   // the encoder's tensors have no prefix
	BERTTokens   bool   // the tokenizer is of the BERT family
}

// Recorded are the kinds whose numbers models/reference/converted.py records.
func Recorded() []Kind {
	return []Kind{
		{Architecture: "XLMRobertaModel", Type: "F32"}, {Architecture: "XLMRobertaForSequenceClassification", Type: "F32"},
		{Architecture: "BertModel", Type: "F32"}, {Architecture: "BertForSequenceClassification", Type: "F32"},
		{Architecture: "BertForSequenceClassification", Type: "F32", BERTTokens: true},
	}
}

// Name is what a folder of the kind may be called.
func (k Kind) Name() string {
	name := "madeup-weights-" + k.Architecture + "-" + k.Type
	if k.BERTTokens {
		name += "-BERT-tokens"
	}
	return name
}

// Cross says whether the model gives scores, not vectors.
func (k Kind) Cross() bool {
	return k.Architecture == "XLMRobertaForSequenceClassification" || k.bertCross()
}

func (k Kind) bertCross() bool { return k.Architecture == "BertForSequenceClassification" }

func (k Kind) bert() bool { return k.Architecture == "BertModel" || k.bertCross() }

// Folder writes the model into dir. edit, where there is one, may change the description before it is written.
func Folder(dir string, k Kind, edit func(config map[string]any)) error {
	config := k.config()
	if edit != nil {
		edit(config)
	}
	files := map[string]any{"config.json": config, "tokenizer.json": tokenizer()}
	if k.BERTTokens {
		files["tokenizer.json"] = wordPiece()
	}
	if !k.Cross() {
		files["1_Pooling/config.json"] = map[string]any{"word_embedding_dimension": Hidden, "pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}
	}
	for name, content := range files {
		if err := writeJSON(filepath.Join(dir, filepath.FromSlash(name)), content); err != nil {
			return err
		}
	}
	return k.writeWeights(dir)
}

func (k Kind) config() map[string]any {
	c := map[string]any{
		"architectures": []string{k.Architecture}, "model_type": "xlm-roberta", "hidden_size": Hidden,
		"num_hidden_layers": Layers, "num_attention_heads": Heads, "intermediate_size": FFN, "vocab_size": Vocabulary,
		"max_position_embeddings": Positions, "type_vocab_size": Types, "layer_norm_eps": 1e-5, "hidden_act": "gelu",
		"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2,
	}
	if k.bert() {
		c["model_type"], c["layer_norm_eps"], c["pad_token_id"] = "bert", 1e-12, 0
	}
	if k.Cross() {
		c["id2label"], c["label2id"] = map[string]string{"0": "LABEL_0"}, map[string]int{"LABEL_0": 0}
	}
	return c
}

func tokenizer() map[string]any {
	vocabulary := [][]any{{"<s>", 0.0}, {"<pad>", 0.0}, {"</s>", 0.0}, {"<unk>", 0.0}}
	for i := len(vocabulary); i < Vocabulary-20; i++ { // fewer tokens than rows
		vocabulary = append(vocabulary, []any{fmt.Sprintf("▁%c%c", 'a'+i%26, 'a'+i/26), -float64(i)})
	}
	var added []map[string]any
	for id, content := range []string{"<s>", "<pad>", "</s>", "<unk>"} {
		added = append(added, map[string]any{"id": id, "content": content, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	return map[string]any{
		"version": "1.0", "added_tokens": added,
		"pre_tokenizer": map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
		"model":         map[string]any{"type": "Unigram", "unk_id": 3, "vocab": vocabulary},
	}
}

// wordPiece has the BERT family's special tokens in the places of the other's.
func wordPiece() map[string]any {
	vocabulary := map[string]int{"[CLS]": 0, "[PAD]": 1, "[SEP]": 2, "[UNK]": 3}
	for i := len(vocabulary); i < Vocabulary-20; i++ {
		vocabulary[fmt.Sprintf("%c%c", 'a'+i%26, 'a'+i/26)] = i
	}
	var added []map[string]any
	for _, content := range []string{"[CLS]", "[PAD]", "[SEP]", "[UNK]"} {
		added = append(added, map[string]any{"id": vocabulary[content], "content": content, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	return map[string]any{
		"version": "1.0", "added_tokens": added,
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary,
		},
	}
}

func (k Kind) writeWeights(dir string) error {
	tensors := k.tensors()
	if k.Shards == 0 {
		return os.WriteFile(filepath.Join(dir, safetensors.WeightsFile), safetensorstest.File(tensors...), 0o644)
	}
	places := map[string]string{}
	for shard := range k.Shards {
		name := fmt.Sprintf("model-%05d-of-%05d.safetensors", shard+1, k.Shards)
		part := tensors[len(tensors)*shard/k.Shards : len(tensors)*(shard+1)/k.Shards]
		for _, t := range part {
			places[t.Name] = name
		}
		if err := os.WriteFile(filepath.Join(dir, name), safetensorstest.File(part...), 0o644); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(dir, safetensors.IndexFile), map[string]any{"weight_map": places})
}

func writeJSON(path string, content any) error {
	data, err := json.MarshalIndent(content, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
