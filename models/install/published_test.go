package install

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fanous/models"
	"fanous/models/convert"
	"fanous/models/convert/converttest"
	"fanous/models/fetch"
	"fanous/models/onnxgraph"
)

func published(t *testing.T, architecture, manifest string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "published")
	put(t, filepath.Join(dir, "README.md"), []byte("made up"))
	if err := converttest.Folder(dir, converttest.Kind{Architecture: architecture, Type: "F32", Shards: 2}, nil); err != nil {
		t.Fatal(err)
	}
	if manifest != "" {
		put(t, filepath.Join(dir, models.ManifestFile), []byte(manifest))
	}
	return dir
}

// TestImportPublishedWeights makes a model of them, in the precision that is wanted, under a name that says so unless a
// manifest has one.
func TestImportPublishedWeights(t *testing.T) {
	for name, test := range map[string]struct {
		architecture, manifest string
		precision              onnxgraph.Precision
		want                   string
		role                   models.Role
	}{
		"a reranker":        {"XLMRobertaForSequenceClassification", "", "", "published-fp32", models.Reranker},
		"for a GPU":         {"XLMRobertaForSequenceClassification", "", onnxgraph.FP16, "published-fp16", models.Reranker},
		"an embedder":       {"BertModel", "", "", "published-fp32", models.Embedder},
		"with a manifest":   {"XLMRobertaForSequenceClassification", `{"name": "mine", "role": "reranker", "max_tokens": 60}`, "", "mine", models.Reranker},
		"and its dimension": {"BertModel", `{"name": "mine", "role": "embedder", "max_tokens": 60, "dim": 32}`, "", "mine", models.Embedder},
	} {
		t.Run(name, func(t *testing.T) {
			in, dir := installer(t, Sources{Offline: true}), published(t, test.architecture, test.manifest)
			converting := false
			in.Progress = func(p Progress) { converting = converting || p.Phase == Converting }
			met, err := in.Import(t.Context(), dir, ImportOptions{Precision: test.precision})
			if err != nil || len(met) != 1 || met[0].Err != nil || met[0].Name != test.want {
				t.Fatalf("%q, %v", imported(met), err)
			}
			m, err := models.Load(filepath.Join(in.dir(), test.want))
			if err != nil || m.Role != test.role {
				t.Fatalf("%+v, %v", m, err)
			}
			installed(t, in, m)
			if !converting {
				t.Error("it says nothing of how far it is")
			}
		})
	}
}

func TestPublishedWeightsForSomethingElse(t *testing.T) {
	in := installer(t, Sources{})
	dir := published(t, "XLMRobertaModel", `{"name": "mine", "role": "reranker", "max_tokens": 60}`)
	met, err := in.Import(t.Context(), dir, ImportOptions{})
	if err != nil || len(met) != 1 || !errors.Is(met[0].Err, convert.ErrRole) {
		t.Errorf("%q, %v", imported(met), err)
	}
	known := example()
	known.Name = "published-fp32"
	in.Catalogue = models.Entries{known}
	dir = published(t, "XLMRobertaModel", "")
	if met, err = in.Import(t.Context(), dir, ImportOptions{}); err != nil || len(met) != 1 || !errors.Is(met[0].Err, ErrNameTaken) {
		t.Errorf("%q, %v", imported(met), err)
	}
	in = installer(t, Sources{})
	in.Fetcher.Free = func(string) (int64, error) { return 1, nil }
	if met, err = in.Import(t.Context(), dir, ImportOptions{}); err != nil || len(met) != 1 || !errors.Is(met[0].Err, fetch.ErrDiskFull) {
		t.Errorf("%q, %v", imported(met), err)
	}
}

// TestAnEmbedderSaysHowItPools: nothing is guessed, for wrong vectors look right and find nothing.
func TestAnEmbedderSaysHowItPools(t *testing.T) {
	in := installer(t, Sources{})
	dir := custom(t, `{"name": "mine", "role": "embedder", "max_tokens": 128, "dim": 32}`)
	if got := importing(t, in, dir); len(got) != 1 || !strings.Contains(got[0], `pooling "" is not known`) {
		t.Errorf("%q", got)
	}
}
