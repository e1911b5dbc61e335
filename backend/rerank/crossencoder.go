package rerank

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/models"
)

// ErrNotCrossEncoder is what errors.Is finds where a model cannot rerank by its nature. It comes
// marked with Permanent.
var ErrNotCrossEncoder = errors.New("not a cross-encoder")

// CrossEncoder reads the query and a passage together and gives one score a pair. Its raw score is
// the model's logit.
//
// Every pair is a Run of its own at its exact length: the quickest way on a CPU, and with quantised
// weights the only one in which a score does not depend on the company.
type CrossEncoder struct {
	manifest  models.Manifest
	session   *onnx.Session
	tokenizer *onnx.Tokenizer
}

// CheckCrossEncoder says whether the folder's model can rerank, as far as its manifest and its file's own
// description tell. It loads nothing.
func CheckCrossEncoder(dir string) (models.Manifest, error) {
	manifest, err := models.Load(dir)
	if err != nil {
		return manifest, err
	}
	if manifest.Role != models.Reranker {
		return manifest, Permanent(fmt.Errorf("the model %s is an %s: it gives texts vectors one by one and cannot rerank pairs (%w)",
			manifest.Name, manifest.Role, ErrNotCrossEncoder))
	}
	output, err := onnx.Describe(filepath.Join(dir, models.GraphFile), "")
	if err == nil {
		err = oneScore(output.Dims)
	}
	if err != nil {
		return manifest, fmt.Errorf("the reranker %s: %w", manifest.Name, err)
	}
	return manifest, nil
}

// OpenCrossEncoder loads the reranker whose folder is dir, on the CPU.
func OpenCrossEncoder(rt *onnx.Runtime, dir string) (*CrossEncoder, error) {
	return OpenCrossEncoderOn(rt, dir, onnx.CPU)
}

// OpenCrossEncoderOn loads the reranker whose folder is dir, on a device.
func OpenCrossEncoderOn(rt *onnx.Runtime, dir string, device onnx.Device) (*CrossEncoder, error) {
	manifest, err := CheckCrossEncoder(dir)
	if err != nil {
		return nil, err
	}
	c := &CrossEncoder{manifest: manifest}
	if err := c.load(rt, dir, device); err != nil {
		return nil, errors.Join(fmt.Errorf("the reranker %s: %w", manifest.Name, err), c.Close())
	}
	return c, nil
}

func (c *CrossEncoder) load(rt *onnx.Runtime, dir string, device onnx.Device) (err error) {
	c.session, c.tokenizer, err = rt.OpenModel(dir, onnx.OpenOptions{Device: device, Digest: c.manifest.Digest()})
	if err != nil {
		return err
	}
	// Dimensions that the file leaves open are known only now.
	out, err := c.session.Run(context.Background(), c.tokenizer.Pair(nil, nil, c.manifest.MaxTokens))
	if err != nil {
		return err
	}
	return oneScore(out.Shape)
}

// oneScore refuses a shape that is not one score a pair. Open dimensions (-1) may turn out right.
func oneScore(shape []int64) error {
	size := int64(1)
	for _, n := range shape[min(1, len(shape)):] { // after the one of the batch
		if n > 0 {
			size *= n
		}
	}
	switch {
	case len(shape) > 2:
		return Permanent(fmt.Errorf("it gives a vector a token, not one score a pair: it is an embedder, or bi-encoder, and cannot rerank (%w)",
			ErrNotCrossEncoder))
	case size != 1:
		return Permanent(fmt.Errorf("it gives %d numbers a pair, not one score: it is an embedder or a classifier and cannot rerank (%w)",
			size, ErrNotCrossEncoder))
	}
	return nil
}

// Info names the model. It has no threshold: none has been measured on these models, and neither
// was trained so that some logit means "relevant".
func (c *CrossEncoder) Info() Info { return CrossEncoderInfo(c.manifest, c.session.Device()) }

// CrossEncoderInfo is the Info of a cross-encoder that need not be loaded.
func CrossEncoderInfo(m models.Manifest, device string) Info {
	tokenizer, _ := m.File(models.TokenizerFile)
	return Info{
		Backend:   domain.BackendCrossEncoder,
		Model:     m.Name,
		Device:    device,
		Precision: m.Precision,
		Digest:    identity(m.Digest(), tokenizer.SHA256, m.Precision, device, fmt.Sprint(m.MaxTokens, m.MaxQueryTokens)),
	}
}

// NormalizeLogit makes a cross-encoder's normalized score of its raw one.
func NormalizeLogit(logit float64) float64 { return sigmoid(logit) }

// Rerank scores the passages in fused order, as many at a time as there are cores.
func (c *CrossEncoder) Rerank(ctx context.Context, req Request) (Result, error) {
	return anytime(ctx, c.session.Runtime(), req, func(context.Context) (func(context.Context, candidate) (Score, error), error) {
		query, err := c.tokenizer.Encode(req.Query, c.manifest.MaxQueryTokens)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, p candidate) (Score, error) {
			logit, err := c.logit(ctx, query.IDs, p.text)
			return Score{Raw: logit, Normalized: NormalizeLogit(logit)}, err
		}, nil
	})
}

func (c *CrossEncoder) logit(ctx context.Context, query []int64, passage string) (float64, error) {
	p, err := c.tokenizer.Encode(passage, c.manifest.MaxTokens)
	if err != nil {
		return 0, err
	}
	out, err := c.session.Run(ctx, c.tokenizer.Pair(query, p.IDs, c.manifest.MaxTokens))
	if err != nil {
		return 0, err
	}
	if len(out.Data) != 1 {
		return 0, Permanent(fmt.Errorf("the reranker %s gives numbers of shape %v for a pair, not one score (%w)",
			c.manifest.Name, out.Shape, ErrNotCrossEncoder))
	}
	return float64(out.Data[0]), nil
}

// Busy is how long the library has worked for this reranker, all Runs together.
func (c *CrossEncoder) Busy() time.Duration { return c.session.Busy() }

// Close frees the model after the calls under way. Closing twice is harmless.
func (c *CrossEncoder) Close() error {
	var err error
	if c.session != nil {
		err = c.session.Close()
	}
	if c.tokenizer != nil {
		err = errors.Join(err, c.tokenizer.Close())
	}
	return err
}
