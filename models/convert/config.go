package convert

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fanous/models"
)

// Names in the hub's layout.
const (
	configFile  = "config.json"
	poolingFile = "1_Pooling/config.json"
)

// ErrRole says that a model cannot do what it was wanted for: a bi-encoder cannot rerank, a cross-encoder not embed.
var ErrRole = errors.New("not a model for this")

const (
	maxConfig = 1 << 20
	maxTokens = 512 // where nothing else is asked for: passages are shorter
)

// config is what config.json says of a model.
type config struct {
	Architectures []string          `json:"architectures"`
	Hidden        int               `json:"hidden_size"`
	Layers        int               `json:"num_hidden_layers"`
	Heads         int               `json:"num_attention_heads"`
	FFN           int               `json:"intermediate_size"`
	Vocabulary    int               `json:"vocab_size"`
	Positions     int               `json:"max_position_embeddings"`
	Types         int               `json:"type_vocab_size"`
	Epsilon       float32           `json:"layer_norm_eps"`
	Activation    string            `json:"hidden_act"`
	PositionKind  string            `json:"position_embedding_type"`
	Padding       int               `json:"pad_token_id"`
	Labels        map[string]string `json:"id2label"`
	Decoder       bool              `json:"is_decoder"`

	architecture
}

// architecture is how a family names its tensors and what it is for.
type architecture struct {
	role          models.Role
	prefix        string // of the encoder's tensors; they may also have none
	dense, out    string // of the classifier
	afterPadding  bool   // positions are counted from the padding token's number on
	pooledEncoder bool   // the classifier's dense layer is a part of the encoder
}

func architectures() map[string]architecture {
	xlmr := architecture{role: models.Embedder, prefix: "roberta.", afterPadding: true}
	bert := architecture{role: models.Embedder, prefix: "bert."}
	xlmrClassifier, bertClassifier := xlmr, bert
	xlmrClassifier.role, xlmrClassifier.dense, xlmrClassifier.out = models.Reranker, "classifier.dense", "classifier.out_proj"
	bertClassifier.role, bertClassifier.dense, bertClassifier.out = models.Reranker, "pooler.dense", "classifier"
	bertClassifier.pooledEncoder = true
	return map[string]architecture{
		"XLMRobertaModel":                     xlmr,
		"XLMRobertaForSequenceClassification": xlmrClassifier,
		"BertModel":                           bert,
		"BertForSequenceClassification":       bertClassifier,
	}
}

func readConfig(path string) (*config, error) {
	c := &config{Types: 2, Epsilon: 1e-12, Activation: "gelu", PositionKind: "absolute", Padding: -1} // as where it says nothing
	if err := readJSON(path, maxConfig, c); err != nil {
		return nil, err
	}
	if len(c.Architectures) != 1 {
		return nil, fmt.Errorf("%s names %d architectures, not one", configFile, len(c.Architectures))
	}
	known, ok := architectures()[c.Architectures[0]]
	if !ok {
		return nil, fmt.Errorf("it is a %s; only XLMRobertaModel, BertModel and their ForSequenceClassification can be converted", c.Architectures[0])
	}
	c.architecture = known
	return c, c.check()
}

func (c *config) check() error {
	for _, size := range []struct {
		name  string
		value int
		limit int
	}{
		{"hidden_size", c.Hidden, 1 << 14}, {"num_hidden_layers", c.Layers, 1 << 8}, {"num_attention_heads", c.Heads, 1 << 10},
		{"intermediate_size", c.FFN, 1 << 16}, {"vocab_size", c.Vocabulary, 1 << 24},
		{"max_position_embeddings", c.Positions, 1 << 20}, {"type_vocab_size", c.Types, 1 << 10},
	} {
		if size.value <= 0 || size.value > size.limit {
			return fmt.Errorf("%s says that %s is %d", configFile, size.name, size.value)
		}
	}
	switch {
	case c.Hidden%c.Heads != 0:
		return fmt.Errorf("%s says %d heads, which do not divide %d", configFile, c.Heads, c.Hidden)
	case c.Activation != "gelu":
		return fmt.Errorf("its activation is %q; only gelu is known", c.Activation)
	case c.PositionKind != "absolute":
		return fmt.Errorf("its positions are %q; only absolute ones are known", c.PositionKind)
	case c.Decoder:
		return errors.New("it is a decoder: its tokens see only those before them")
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return fmt.Errorf("%s says that layer_norm_eps is %g", configFile, c.Epsilon)
	case c.firstPosition() < 0 || c.firstPosition() >= c.Positions:
		return fmt.Errorf("%s says that pad_token_id is %d of %d positions", configFile, c.Padding, c.Positions)
	case c.role == models.Reranker && len(c.Labels) != 1:
		labels := len(c.Labels)
		if c.Labels == nil {
			labels = 2 // what the format means by saying nothing
		}
		return fmt.Errorf("it gives %d numbers a pair, not one score: it is a classifier and cannot rerank (%w)", labels, ErrRole)
	}
	return nil
}

// firstPosition is the row of the position table that the first token has.
func (c *config) firstPosition() int {
	if c.afterPadding {
		return c.Padding + 1
	}
	return 0
}

// manifest completes what is known of the model.
func (c *config) manifest(src string, m models.Manifest) (models.Manifest, error) {
	m.Role = cmp.Or(m.Role, c.role)
	switch {
	case m.Role == models.Reranker && c.role == models.Embedder:
		return m, fmt.Errorf("it is a bi-encoder (%s): it gives texts vectors one by one and cannot rerank pairs (%w)", c.Architectures[0], ErrRole)
	case m.Role != c.role:
		return m, fmt.Errorf("it is a cross-encoder (%s): it gives a pair of texts one score and no vectors (%w)", c.Architectures[0], ErrRole)
	}
	room := c.Positions - c.firstPosition()
	m.MaxTokens = cmp.Or(m.MaxTokens, min(maxTokens, room))
	if m.MaxTokens > room {
		return m, fmt.Errorf("max_tokens is %d, and it has %d positions", m.MaxTokens, room)
	}
	m.Tier = cmp.Or(m.Tier, models.Precise)
	m.Licence = cmp.Or(m.Licence, "not stated")
	if m.Role == models.Reranker {
		m.MaxQueryTokens = cmp.Or(m.MaxQueryTokens, m.MaxTokens/2)
		return m, nil
	}
	if m.Dim != 0 && m.Dim != c.Hidden {
		return m, fmt.Errorf("dim is %d, and its vectors are %d long", m.Dim, c.Hidden)
	}
	m.Dim = c.Hidden
	var err error
	m.Pooling, err = pooling(src, m.Pooling)
	return m, err
}

// pooling is how token vectors become one. An embedder whose folder says otherwise than its manifest would give
// vectors that look right and find nothing.
func pooling(src, wanted string) (string, error) {
	var p map[string]any
	err := readJSON(filepath.Join(src, filepath.FromSlash(poolingFile)), maxConfig, &p)
	switch {
	case errors.Is(err, fs.ErrNotExist) && wanted == "":
		return "", fmt.Errorf("there is no %s and no pooling in the manifest: how token vectors become one is not known", poolingFile)
	case errors.Is(err, fs.ErrNotExist):
		return wanted, nil
	case err != nil:
		return "", err
	}
	own := "unknown"
	for key, value := range p {
		if mode, is := strings.CutPrefix(key, "pooling_mode_"); is && value == true {
			own = strings.TrimSuffix(mode, "_tokens")
		}
	}
	if own != "mean" || wanted != "" && wanted != own {
		return "", fmt.Errorf("%s says that its pooling is %s; only mean is known", poolingFile, own)
	}
	return own, nil
}

// readJSON reads a small file. What is missing wraps fs.ErrNotExist.
func readJSON(path string, limit int64, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return err
	case int64(len(data)) > limit:
		return fmt.Errorf("%s is larger than %d bytes", filepath.Base(path), limit)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}
