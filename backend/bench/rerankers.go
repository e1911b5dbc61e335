package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/models"
	"fanous/models/fetch"
	"fanous/models/madeupxlmr"
	"fanous/models/onnxgraph"
)

var (
	ours  = onnxgraph.Form{Precision: onnxgraph.Int8, Layout: onnxgraph.Fast}
	usual = onnxgraph.Form{Precision: onnxgraph.FP32}
)

// roomForPrecise is the disk space from which models of the precise tier's size are made up: the usual setup's is 2.2 GB,
// ours is there twice.
const roomForPrecise = 8 << 30

// subject is a cross-encoder to measure.
type subject struct {
	models.Manifest
	dir    string
	madeUp bool
	shape  *madeupxlmr.Shape // nil: not known
}

// real are the models that a tier is made of.
type real struct {
	shape madeupxlmr.Shape
	names string // what their names begin with
}

// scale is the size of what is measured.
type scale struct {
	shapes map[models.Tier]real
	chunks []int         // of collections; a quick run has the first alone
	fill   time.Duration // that filling a collection may take, by how long the one before took for a chunk
	least  time.Duration // that a speed is measured for; a quick run takes a sixth of it
}

func fullScale() scale {
	return scale{
		shapes: map[models.Tier]real{
			models.Fast:    {madeupxlmr.Mini, "mmarco-mMiniLMv2-L12"},
			models.Precise: {madeupxlmr.BGE, "bge-reranker-v2-m3"},
		},
		chunks: []int{10_000, 100_000, 1_000_000},
		fill:   5 * time.Minute,
		least:  3 * time.Second,
	}
}

func (r *run) rerankers(ctx context.Context) error {
	tokenizer := r.installed(models.Embedder, "") // its vocabulary is that of the made-up models
	for _, tier := range []models.Tier{models.Fast, models.Precise} {
		s, err := r.subject(tier, tokenizer)
		if err != nil {
			return err
		}
		if s != nil {
			if err := r.reranker(ctx, *s); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.naive(ctx, tier, tokenizer); err != nil {
			return err
		}
	}
	return nil
}

// installed is the folder of an installed model of a role and tier; an empty tier is any, an empty folder none.
func (r *run) installed(role models.Role, tier models.Tier) string {
	for _, dir := range r.ModelDirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // not there: nothing is installed in it
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if m, err := models.Load(path); err == nil && m.Role == role && (tier == "" || m.Tier == tier) {
				return path
			}
		}
	}
	return ""
}

// subject is the installed model of a tier, or one of its shape; nil, with a sentence: neither.
func (r *run) subject(tier models.Tier, tokenizer string) (*subject, error) {
	known := r.scale.shapes[tier]
	if dir := r.installed(models.Reranker, tier); dir != "" {
		m, err := models.Load(dir)
		if err != nil {
			return nil, err
		}
		s := &subject{Manifest: m, dir: dir}
		if strings.HasPrefix(m.Name, known.names) {
			s.shape = &known.shape
		}
		return s, nil
	}
	if !r.makeable(tier, tokenizer) {
		return nil, nil
	}
	dir, err := r.makeUp(known.shape, ours, tokenizer)
	if err != nil {
		return nil, err
	}
	m, err := models.Load(dir)
	return &subject{Manifest: m, dir: dir, madeUp: true, shape: &known.shape}, err
}

// makeable says whether a model of a tier's shape may be made up here, and in the report why not.
func (r *run) makeable(tier models.Tier, tokenizer string) bool {
	free, err := fetch.FreeBytes(r.dir)
	switch {
	case tokenizer == "":
		r.skip("The %s reranker was not measured: neither it nor a tokenizer is installed.", tier)
	case tier == models.Precise && r.Quick:
		r.skip("The %s reranker was not measured: it is not installed, and to make one up takes longer than --quick allows.", tier)
	case tier == models.Precise && err == nil && free < roomForPrecise:
		r.skip("The %s reranker was not made up: %d GB are needed on the disk and %d GB are free.", tier, roomForPrecise>>30, free>>30)
	default:
		return true
	}
	return false
}

func (r *run) makeUp(s madeupxlmr.Shape, f onnxgraph.Form, tokenizer string) (string, error) {
	r.step("making up a model of %s", strings.TrimSuffix(s.Name, "-madeup-weights"))
	return madeupxlmr.Folder(r.dir, filepath.Join(tokenizer, models.TokenizerFile), s, f)
}

// reranker measures a model by length and threads.
func (r *run) reranker(ctx context.Context, s subject) error {
	r.step("%s", s.Name)
	session, tokenizer, err := r.rt.OpenModel(s.dir, onnx.OpenOptions{Digest: s.Digest()})
	if err != nil {
		r.skip("The %s reranker was not measured: %v.", s.Tier, err)
		return nil
	}
	defer func() { _ = errors.Join(session.Close(), tokenizer.Close()) }()
	cores := r.rt.Width()
	threads := []int{cores}
	if cores > 1 {
		threads = []int{cores, 1}
	}
	for _, tokens := range []int{0, 64, 128, 256, 512} {
		p, err := makePairs(tokenizer, pool(tokens, cores))
		if err != nil {
			return err
		}
		for i, n := range threads {
			if i > 0 && tokens != 0 {
				continue // a core's share is the same at every length
			}
			r.tell(domain.BenchProgress{Step: fmt.Sprintf("%s, %s, %d at a time", s.Name, lengthText(tokens), n)})
			speed, work, err := r.speed(ctx, session, s.shape, p.ids, n)
			if err != nil {
				return err
			}
			b := domain.BenchReranker{
				Tier: string(s.Tier), Model: s.Name, MadeUp: s.madeUp, Precision: s.Precision, Device: session.Device(),
				Tokens: tokens, Threads: n, Pairs: speed,
			}
			if n == cores && work > 0 && r.report.PeakGOPS > 0 && strings.HasPrefix(s.Precision, "int8") {
				share := work / 1e9 / r.report.PeakGOPS
				b.PeakShare = &share
			}
			r.report.Rerankers = append(r.report.Rerankers, b)
			if tokens == 0 && n == cores {
				if s.Tier == models.Precise {
					r.speeds.Precise = speed
				} else {
					r.speeds.Fast = speed
				}
			}
		}
	}
	return nil
}

func lengthText(tokens int) string {
	if tokens == 0 {
		return "lengths as in a search"
	}
	return fmt.Sprintf("%d tokens", tokens)
}

// pool are the lengths of pairs: all the same, or realistic ones.
func pool(tokens, cores int) []int {
	if tokens == 0 {
		return lengths[:20]
	}
	return slices.Repeat([]int{tokens}, 2*cores)
}

// speed is how many of the pairs a session reads in a second, so many at a time, and how many operations it does in it.
// It goes through them as often as a figure of some certainty takes, longest first.
func (r *run) speed(ctx context.Context, s *onnx.Session, shape *madeupxlmr.Shape, ids [][]int64, atOnce int) (pairs, operationsPerSecond float64, err error) {
	ids = slices.Clone(ids)
	slices.SortStableFunc(ids, func(a, b []int64) int { return len(b) - len(a) })
	work := 0.0
	if shape != nil {
		for _, p := range ids {
			work += operations(*shape, len(p), true)
		}
	}
	if _, err := s.Run(ctx, ids[0]); err != nil { // the first is slower
		return 0, 0, err
	}
	rounds, took := 0, time.Duration(0)
	for rounds == 0 || took < r.least() {
		d, err := runAll(ctx, s, ids, atOnce)
		if err != nil {
			return 0, 0, err
		}
		took += d
		rounds++
	}
	seconds := took.Seconds() / float64(rounds)
	return float64(len(ids)) / seconds, work / seconds, nil
}

// naive measures the usual setup beside ours, both with the same made-up weights.
func (r *run) naive(ctx context.Context, tier models.Tier, tokenizer string) error {
	skipped := len(r.report.Skipped)
	if !r.makeable(tier, tokenizer) {
		r.report.Skipped = r.report.Skipped[:skipped] // the tier itself has said so, or is installed
		return nil
	}
	shape := r.scale.shapes[tier].shape
	mine, err := r.makeUp(shape, ours, tokenizer)
	if err != nil {
		return err
	}
	theirs, err := r.makeUp(shape, usual, tokenizer)
	if err != nil {
		return err
	}
	defer os.RemoveAll(theirs)
	r.step("the usual setup beside ours, %s", strings.TrimSuffix(shape.Name, "-madeup-weights"))
	m, err := models.Load(mine)
	if err != nil {
		return err
	}
	session, t, err := r.rt.OpenModel(mine, onnx.OpenOptions{Digest: m.Digest()})
	if err != nil {
		return err
	}
	defer func() { _ = errors.Join(session.Close(), t.Close()) }()
	padded, err := r.rt.Open(filepath.Join(theirs, models.GraphFile), onnx.OpenOptions{Threads: r.rt.Width()})
	if err != nil {
		return err
	}
	defer padded.Close()
	p, err := makePairs(t, lengths[:20])
	if err != nil {
		return err
	}
	speed, _, err := r.speed(ctx, session, nil, p.ids, r.rt.Width())
	if err != nil {
		return err
	}
	first := p.ids // is slower: it takes its memory
	if r.Quick {
		first = first[:2]
	}
	if _, err := padded.RunPadded(ctx, first); err != nil {
		return err
	}
	start := time.Now()
	if _, err := padded.RunPadded(ctx, p.ids); err != nil {
		return err
	}
	n := domain.BenchNaive{
		Tier: string(tier), MadeUp: true, Pairs: len(p.ids), Tokens: p.tokens,
		Naive: time.Since(start).Seconds(), Ours: float64(len(p.ids)) / speed,
	}
	n.Times = n.Naive / n.Ours
	r.report.Naive = append(r.report.Naive, n)
	return nil
}
