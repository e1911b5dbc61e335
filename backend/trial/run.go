package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/models"
)

// Run makes a trial in this process, and tells of each stage as it begins. It needs the model in memory, on the device
// and, to compare, once more on the CPU.
func Run(ctx context.Context, s Subject, tell func(stage string)) Result {
	r, err := run(ctx, s, tell)
	if err != nil {
		f := failed(s.Device, err)
		r.Code, r.Reason, r.Hint = f.Code, f.Reason, f.Hint
	}
	r.At = time.Now()
	return r
}

func run(ctx context.Context, s Subject, tell func(stage string)) (r Result, err error) {
	tell(stageLibrary)
	rt, err := onnx.Load(s.Library)
	if err != nil {
		return r, err
	}
	r.Version = rt.Version()
	tell(stageDevice)
	if err := rt.Offers(s.Device); err != nil || s.Model == "" {
		return r, err
	}
	tell(stageModel)
	m, err := open(s.Model)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, m.tokenizer.Close()) }()

	if err := m.runOn(ctx, rt, s.Device, &r); err != nil {
		return r, err
	}
	var cpu []float64
	if s.Device != onnx.CPU {
		var reference Result
		if err := m.scoreOn(ctx, rt, onnx.CPU, &reference); err != nil {
			return r, fmt.Errorf("the CPU, to compare with: %w", err)
		}
		cpu = reference.Scores
	}
	r.Difference, err = judge(s, r.Scores, cpu)
	return r, err
}

// model is what of a model's folder a trial uses.
type model struct {
	dir       string
	manifest  models.Manifest
	tokenizer *onnx.Tokenizer
}

func open(dir string) (model, error) {
	m := model{dir: dir}
	var err error
	if m.manifest, err = models.Load(dir); err != nil {
		return m, domain.Errorf(domain.CodeModelManifest, "install the model again", "%w", err)
	}
	if _, err := onnx.Describe(m.graph(), ""); err != nil {
		return m, domain.Errorf(domain.CodeModelFailed, "install the model again", "%w", err)
	}
	if m.tokenizer, err = onnx.OpenTokenizer(filepath.Join(dir, models.TokenizerFile)); err != nil {
		return m, domain.Errorf(domain.CodeModelTokenizer, "install the model again", "%w", err)
	}
	if err := onnx.CheckVocabulary(m.graph(), m.tokenizer); err != nil {
		return m, errors.Join(err, m.tokenizer.Close())
	}
	return m, nil
}

func (m model) graph() string { return filepath.Join(m.dir, models.GraphFile) }

// runOn tries the model on a device twice: once to see where the work is done, which costs time, and once to measure.
func (m model) runOn(ctx context.Context, rt *onnx.Runtime, d onnx.Device, r *Result) error {
	placement, err := m.place(ctx, rt, d)
	if err != nil {
		return err
	}
	if got := placement.Device(); got != d {
		return domain.Errorf(domain.CodeDeviceFellBack, "install the model in a precision that the device runs: fp16",
			"%s leaves this model to the %s", d, got)
	}
	if err := m.scoreOn(ctx, rt, d, r); err != nil {
		return err
	}
	if d != onnx.CPU {
		r.Bytes = placement.Bytes
	}
	return nil
}

func (m model) place(ctx context.Context, rt *onnx.Runtime, d onnx.Device) (p onnx.Placement, err error) {
	dir, err := os.MkdirTemp("", "fanous-self-test-")
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	prefix := filepath.Join(dir, "profile")
	session, err := rt.Open(m.graph(), onnx.OpenOptions{Device: d, Profile: prefix})
	if err != nil {
		return p, err
	}
	ids, err := m.ids(known()[0])
	if err == nil {
		for _, each := range ids {
			_, err = session.Run(ctx, each)
		}
	}
	if err := errors.Join(err, session.Close()); err != nil {
		return p, err
	}
	return onnx.ReadPlacement(prefix)
}

// scoreOn loads the model, scores the known pairs and times it.
func (m model) scoreOn(ctx context.Context, rt *onnx.Runtime, d onnx.Device, r *Result) (err error) {
	before, start := ResidentBytes(), time.Now()
	session, err := rt.Open(m.graph(), onnx.OpenOptions{Device: d})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	r.LoadMS = float64(time.Since(start).Microseconds()) / 1000
	for _, p := range known() {
		score, err := m.score(ctx, session, p)
		if err != nil {
			return err
		}
		r.Scores = append(r.Scores, score)
	}
	r.PerSecond, r.Tokens, err = m.time(ctx, session)
	r.Bytes = max(0, ResidentBytes()-before)
	return err
}

// score is the logit of a pair, or the cosine of its two texts' vectors.
func (m model) score(ctx context.Context, session *onnx.Session, p pair) (float64, error) {
	ids, err := m.ids(p)
	if err != nil {
		return 0, err
	}
	var vectors [][]float32
	for _, each := range ids {
		out, err := session.Run(ctx, each)
		if err != nil {
			return 0, err
		}
		if m.manifest.Role == models.Reranker {
			if len(out.Data) != 1 {
				return 0, domain.Errorf(domain.CodeModelKind, "install a reranker: an embedder cannot rerank", "it gives %d numbers a pair, not one score", len(out.Data))
			}
			return float64(out.Data[0]), nil
		}
		if want := []int64{1, int64(len(each)), int64(m.manifest.Dim)}; !slices.Equal(out.Shape, want) {
			return 0, domain.Errorf(domain.CodeModelKind, "install an embedder", "it gives numbers of shape %v, not a vector a token", out.Shape)
		}
		vectors = append(vectors, mean(out.Data, m.manifest.Dim))
	}
	return cosine(vectors[0], vectors[1]), nil
}

// ids are the tokens to run for a pair: both texts in one for a reranker, each by itself for an embedder.
func (m model) ids(p pair) ([][]int64, error) {
	query, err := m.tokenizer.Encode(m.manifest.QueryPrefix+p.query, m.manifest.MaxTokens/2)
	if err != nil {
		return nil, err
	}
	passage, err := m.tokenizer.Encode(m.manifest.PassagePrefix+p.passage, m.manifest.MaxTokens-2)
	if err != nil {
		return nil, err
	}
	if m.manifest.Role == models.Reranker {
		return [][]int64{m.tokenizer.Pair(query.IDs, passage.IDs, m.manifest.MaxTokens)}, nil
	}
	return [][]int64{m.tokenizer.Single(query.IDs), m.tokenizer.Single(passage.IDs)}, nil
}

// time runs a typical passage on all cores, or in a device's turns, as a search does.
func (m model) time(ctx context.Context, session *onnx.Session) (perSecond float64, tokens int, err error) {
	ids, err := m.ids(typical())
	if err != nil {
		return 0, 0, err
	}
	text := ids[len(ids)-1]
	if _, err := session.Run(ctx, text); err != nil { // what is done once only
		return 0, 0, err
	}
	n, start := max(4, session.Runtime().Width()), time.Now()
	err = session.Runtime().Each(ctx, n, func(ctx context.Context, _ int) error {
		_, err := session.Run(ctx, text)
		return err
	})
	return float64(n) / time.Since(start).Seconds(), len(text), err
}
