package convert

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/models"
	"fanous/models/convert/converttest"
	"fanous/models/onnxgraph"
	"fanous/models/safetensors"
)

var fixtures = flag.String("fixtures", "", "write the made-up models into this `FOLDER`, for models/reference/converted.py")

var cross = converttest.Kind{Architecture: "XLMRobertaForSequenceClassification", Type: "F32"}

// source makes a folder to convert.
func source(t *testing.T, k converttest.Kind, edit func(map[string]any)) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), k.Name())
	if err := converttest.Folder(dir, k, edit); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWriteFixtures(t *testing.T) {
	if *fixtures == "" {
		t.Skip("only with -fixtures")
	}
	for _, k := range converttest.Recorded() {
		if err := converttest.Folder(filepath.Join(*fixtures, k.Name()), k, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFolder(t *testing.T) {
	for _, k := range converttest.Recorded() {
		k.Type = "F16"
		for _, precision := range []onnxgraph.Precision{"", onnxgraph.FP16, onnxgraph.Int8, onnxgraph.Int8Words4, onnxgraph.Q4} {
			k.Bare = precision == "" && !k.Cross()
			dst := filepath.Join(t.TempDir(), "made")
			var done, total int64
			m, err := Folder(t.Context(), source(t, k, nil), dst, Options{
				Manifest: models.Manifest{Name: "made"}, Precision: precision, Progress: func(d, all int64) { done, total = d, all },
			})
			if err != nil {
				t.Errorf("%s as %s: %v", k.Name(), precision, err)
				continue
			}
			if m.Precision == "" || (m.Role == models.Reranker) != k.Cross() || m.MaxTokens < 32 || len(m.Files) != 3 {
				t.Errorf("%s as %s: %+v", k.Name(), precision, m)
			}
			if !strings.Contains(m.Source, "made from weights with SHA-256 ") {
				t.Errorf("the source is %q", m.Source)
			}
			if done != total || total == 0 {
				t.Errorf("progress ended at %d of %d", done, total)
			}
			if state, err := m.Verify(t.Context(), nil, filepath.Dir(dst)); err != nil || state.State != models.Installed {
				t.Errorf("%s as %s: %+v, %v", k.Name(), precision, state, err)
			}
		}
	}
}

func TestShardsGiveTheSameGraph(t *testing.T) {
	made := func(k converttest.Kind) models.Manifest {
		m, err := Folder(t.Context(), source(t, k, nil), t.TempDir(), Options{Manifest: models.Manifest{Name: "made"}})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	sharded := cross
	sharded.Shards = 3
	one, several := made(cross), made(sharded)
	if one.Digest() != several.Digest() {
		t.Error("the graph of three files of weights differs from the one of a single file")
	}
	if one.Source == several.Source {
		t.Error("both name the same weights")
	}
}

func TestFolderRefuses(t *testing.T) {
	set := func(key string, value any) func(map[string]any) {
		return func(c map[string]any) { c[key] = value }
	}
	embedder := converttest.Kind{Architecture: "BertModel", Type: "F32"}
	for name, test := range map[string]struct {
		kind converttest.Kind
		edit func(map[string]any)
		want string
		o    Options
	}{
		"another architecture":   {cross, set("architectures", []string{"LlamaForCausalLM"}), "it is a LlamaForCausalLM", Options{}},
		"no architecture":        {cross, set("architectures", nil), "0 architectures", Options{}},
		"another activation":     {cross, set("hidden_act", "relu"), `"relu"`, Options{}},
		"relative positions":     {cross, set("position_embedding_type", "relative_key"), `"relative_key"`, Options{}},
		"a decoder":              {cross, set("is_decoder", true), "decoder", Options{}},
		"three labels":           {cross, set("id2label", map[string]string{"0": "a", "1": "b", "2": "c"}), "3 numbers a pair", Options{}},
		"labels not said":        {cross, func(c map[string]any) { delete(c, "id2label") }, "2 numbers a pair", Options{}},
		"a huge width":           {cross, set("hidden_size", 1<<30), "hidden_size is 1073741824", Options{}},
		"no layers":              {cross, set("num_hidden_layers", 0), "num_hidden_layers is 0", Options{}},
		"heads do not divide":    {cross, set("num_attention_heads", 5), "do not divide", Options{}},
		"padding":                {cross, set("pad_token_id", 100), "pad_token_id is 100", Options{}},
		"another width":          {cross, set("hidden_size", 64), `has the shape [120 32], not [120 64]`, Options{}},
		"more layers":            {cross, set("num_hidden_layers", 3), `no tensor "roberta.encoder.layer.2.attention.self.query.weight"`, Options{}},
		"fewer layers":           {cross, set("num_hidden_layers", 1), "which a model of its description has not", Options{}},
		"fewer words":            {cross, set("vocab_size", 110), "not [110 32]", Options{}},
		"a bi-encoder":           {embedder, nil, "it is a bi-encoder (BertModel)", Options{Manifest: models.Manifest{Role: models.Reranker}}},
		"a cross-encoder":        {cross, nil, "it is a cross-encoder", Options{Manifest: models.Manifest{Role: models.Embedder}}},
		"too many tokens":        {cross, nil, "it has 64 positions", Options{Manifest: models.Manifest{MaxTokens: 65}}},
		"another dim":            {embedder, nil, "32 long", Options{Manifest: models.Manifest{Dim: 384}}},
		"an unknown precision":   {cross, nil, `precision "fp8"`, Options{Precision: "fp8"}},
		"a wrong type of floats": {converttest.Kind{Architecture: cross.Architecture, Type: "I64"}, nil, "of type I64", Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			dst := t.TempDir()
			test.o.Manifest.Name = "made"
			_, err := Folder(t.Context(), source(t, test.kind, test.edit), dst, test.o)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			role := strings.Contains(test.want, "encoder (") || strings.Contains(test.want, "numbers a pair") || strings.HasPrefix(test.want, "it is a cross")
			if errors.Is(err, ErrRole) != role {
				t.Errorf("%v: is ErrRole %v", err, !role)
			}
			if files, _ := os.ReadDir(dst); len(files) > 0 {
				t.Errorf("%d files were written before the model was refused", len(files))
			}
		})
	}
}

func TestFolderRefusesWhatLacksFiles(t *testing.T) {
	for name, want := range map[string]string{
		"config.json":           "config.json",
		"tokenizer.json":        "tokenizer.json",
		safetensors.WeightsFile: "neither model.safetensors nor",
	} {
		src := source(t, cross, nil)
		if err := os.Remove(filepath.Join(src, name)); err != nil {
			t.Fatal(err)
		}
		_, err := Folder(t.Context(), src, t.TempDir(), Options{Manifest: models.Manifest{Name: "made"}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestFolderRefusesAnotherTokenizer(t *testing.T) {
	vocabulary := map[string]int{"<s>": 0, "</s>": 1, "x": converttest.Vocabulary}
	for content, want := range map[any]string{
		`{"model":{"vocab":{}},"added_tokens":[{"id":0,"content":"[BOS]"}]}`: "XLM-R or BERT family",
		`{"model":{"vocab":7},"added_tokens":[]}`:                            "its vocabulary",
		`<html>`:    "tokenizer.json",
		&vocabulary: "a token 120, and the word table 120 rows",
	} {
		src := source(t, cross, nil)
		text, ok := content.(string)
		if !ok {
			vocab, err := json.Marshal(content)
			if err != nil {
				t.Fatal(err)
			}
			text = `{"model":{"vocab":` + string(vocab) + `},"added_tokens":[{"id":0,"content":"<s>"},{"id":1,"content":"</s>"}]}`
		}
		if err := os.WriteFile(filepath.Join(src, models.TokenizerFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Folder(t.Context(), src, t.TempDir(), Options{Manifest: models.Manifest{Name: "made"}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFolderRefusesAnotherPooling(t *testing.T) {
	embedder := converttest.Kind{Architecture: "XLMRobertaModel", Type: "F32"}
	for content, want := range map[string]string{
		`{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false}`: "pooling is cls",
		`{}`: "pooling is unknown",
		"":   "how token vectors become one is not known",
	} {
		src := source(t, embedder, nil)
		path := filepath.Join(src, filepath.FromSlash(poolingFile))
		err := os.WriteFile(path, []byte(content), 0o644)
		if content == "" {
			err = os.Remove(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = Folder(t.Context(), src, t.TempDir(), Options{Manifest: models.Manifest{Name: "made"}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", content, err)
		}
	}
}

func TestFolderStops(t *testing.T) {
	src, dst := source(t, cross, nil), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Folder(ctx, src, dst, Options{Manifest: models.Manifest{Name: "made"}, Progress: func(int64, int64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if _, err := models.Load(dst); err == nil {
		t.Error("a manifest was written")
	}
}
