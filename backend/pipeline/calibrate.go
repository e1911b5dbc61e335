package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"fanous/backend/domain"
	"fanous/backend/rerank"
	"fanous/backend/store"
)

// Quiet is how long after the last search a Calibrator begins: who types searches again within it.
const Quiet = time.Second

// maxComparisons is how many searches may wait to be compared; the oldest is given up for a new one.
const maxComparisons = 8

// keepUp: where as many pairs are kept as there is room for, one search of so many is still compared. Others
// would cost the machine's power for nothing, and with none a remote model that changes behind its name would
// go unnoticed.
const keepUp = 10

// Calibrator lets the local reranker score, between searches, what the remote one has just scored, and keeps
// both scores without any text. From those pairs local scores are put on the remote scale in an outage.
//
// It works one passage at a time, which takes one core, begins when no search has been under way for a while
// and stops within one passage when one starts. A pair is scored once. It sends nothing: what it is offered
// has been sent and answered already. Its methods may be called from several goroutines, and on nil, which
// compares nothing.
type Calibrator struct {
	store  *store.Store
	remote rerank.Info
	quiet  time.Duration
	life   context.Context
	end    context.CancelFunc

	mu        sync.Mutex
	searches  int       // under way
	rested    time.Time // when the last of them ended
	finishing int       // callers of Finish
	waiting   []comparison
	working   chan struct{}      // closed when the worker ends; nil: there is none
	interrupt context.CancelFunc // of the passage that is being scored
	changed   chan struct{}      // closed and replaced when a search ends or somebody waits in Finish
	failed    error              // of the latest comparisons, for Finish
	maps      map[[2]string]rerank.Calibration
	kept      int // how often pairs were kept, so that no older map takes the place of a newer one
}

// comparison is a search that the remote reranker has answered.
type comparison struct {
	remote   string // scale
	local    rerank.Reranker
	query    string
	passages []compared
}

type compared struct {
	chunk int64
	text  string
	score float64 // the remote one's
}

// NewCalibrator puts scores on remote's scale. It keeps pairs in s and works when no search has been under way for quiet. Close it before
// the local reranker and s.
func NewCalibrator(s *store.Store, remote rerank.Info, quiet time.Duration) *Calibrator {
	c := &Calibrator{store: s, remote: remote, quiet: quiet, changed: make(chan struct{}), maps: map[[2]string]rerank.Calibration{}}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Close ends the work under way and waits for that; what was waiting is given up.
func (c *Calibrator) Close() {
	if c == nil {
		return
	}
	c.end()
	c.mu.Lock()
	working := c.working
	c.mu.Unlock()
	if working != nil {
		<-working
	}
}

// Searching says that a search has begun, which stops the work. Call the result when it has ended.
func (c *Calibrator) Searching() (ended func()) {
	if c == nil {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.searches++
	if c.interrupt != nil {
		c.interrupt()
	}
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.searches--
		c.rested = time.Now()
		c.tell()
	})
}

// tell wakes the worker where it waits; c.mu is held.
func (c *Calibrator) tell() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// Finish compares what waits without further delay, and returns when nothing waits any more. Its error is
// that of ctx or of what could not be compared.
func (c *Calibrator) Finish(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	c.finishing++
	c.tell()
	working := c.working
	c.mu.Unlock()
	if working != nil {
		select {
		case <-working:
		case <-ctx.Done():
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finishing--
	err := c.failed
	c.failed = nil
	return errors.Join(ctx.Err(), err)
}

// offer takes a ranking that the remote reranker has made, to be compared later. Any other is none of its
// business: a ranking by Cohere means that the passages were permitted to leave, and did.
func (c *Calibrator) offer(query string, r Ranking, local rerank.Reranker) {
	if c == nil || local == nil || r.Rerank.Backend != domain.BackendCohere || strings.TrimSpace(query) == "" {
		return
	}
	job := comparison{remote: r.Rerank.Scale, local: local, query: query}
	for _, e := range r.Entries {
		if text := passageText(e.Passage); e.Scored && strings.TrimSpace(text) != "" { // blank text was not sent
			job.passages = append(job.passages, compared{e.Chunk.ID, text, e.Score.Normalized})
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(job.passages) == 0 || c.life.Err() != nil {
		return
	}
	if len(c.waiting) == maxComparisons {
		c.waiting = c.waiting[1:]
	}
	c.waiting = append(c.waiting, job)
	if c.working == nil {
		c.working = make(chan struct{})
		go c.work()
	}
}

// work compares until nothing waits.
func (c *Calibrator) work() {
	for {
		c.mu.Lock()
		if len(c.waiting) == 0 || c.life.Err() != nil {
			c.waiting = nil
			close(c.working)
			c.working = nil
			c.mu.Unlock()
			return
		}
		job := c.waiting[0]
		c.waiting = c.waiting[1:]
		c.mu.Unlock()
		if err := c.compare(job); err != nil && c.life.Err() == nil {
			c.mu.Lock()
			c.failed = errors.Join(c.failed, fmt.Errorf("comparing the rerankers: %w", err))
			c.mu.Unlock()
		}
	}
}

// compare scores the passages of a search that were never compared before, and keeps the pairs.
func (c *Calibrator) compare(job comparison) (err error) {
	defer func() {
		if p := recover(); p != nil { // of a reranker; a search would have survived it as well
			err = fmt.Errorf("%v", p)
		}
	}()
	local := job.local.Info().Scale()
	so, err := c.Calibration(c.life, job.remote, local)
	if err != nil {
		return err
	}
	if so.Describe().Pairs > store.MaxScorePairs*9/10 && uint64(pairID(job.query))%keepUp != 0 {
		return nil
	}
	var pairs []domain.ScorePair
	seen := map[int64]bool{}
	for _, p := range job.passages {
		id := pairID(job.remote, local, job.query, p.text)
		known, err := c.store.HasScorePair(c.life, id)
		if err != nil {
			return err
		}
		if known || seen[id] {
			continue
		}
		seen[id] = true
		raw, ok, err := c.score(job, p, local)
		if err != nil {
			return err
		}
		if ok {
			pairs = append(pairs, domain.ScorePair{ID: id, Remote: p.score, Local: raw})
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	err = c.store.AddScorePairs(c.life, job.remote, local, pairs)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept++
	delete(c.maps, [2]string{job.remote, local}) // the next search reads them anew
	return err
}

// score asks the local reranker about one passage, again where a search has interrupted it. Not ok: another
// tier answered, whose scale is not the one that is compared.
func (c *Calibrator) score(job comparison, p compared, scale string) (raw float64, ok bool, err error) {
	for {
		ctx, done, err := c.turn()
		if err != nil {
			return 0, false, err
		}
		result, err := job.local.Rerank(ctx, rerank.Request{
			Query: job.query, Passages: []string{p.text}, Chunks: []int64{p.chunk},
		})
		interrupted := ctx.Err() != nil
		done()
		switch {
		case err != nil && interrupted && c.life.Err() == nil:
			continue
		case err != nil:
			return 0, false, err
		case len(result.Scored) != 1 || !result.Scored[0]:
			return 0, false, nil
		case result.Tiers != nil && result.Tiers.Served.Scale() != scale:
			return 0, false, nil
		}
		return result.Scores[0].Raw, true, nil
	}
}

// turn waits until no search is under way, nor was a short while ago. The context ends when one starts.
func (c *Calibrator) turn() (ctx context.Context, done func(), err error) {
	for {
		c.mu.Lock()
		left := c.quiet - time.Since(c.rested)
		if c.finishing > 0 {
			left = 0
		}
		if c.searches == 0 && left <= 0 && c.life.Err() == nil {
			ctx, cancel := context.WithCancel(c.life)
			c.interrupt = cancel
			c.mu.Unlock()
			return ctx, cancel, nil
		}
		changed := c.changed
		c.mu.Unlock()

		var rested <-chan time.Time
		if left > 0 {
			rested = time.After(left)
		}
		select {
		case <-changed:
		case <-rested:
		case <-c.life.Done():
			return nil, nil, c.life.Err()
		}
	}
}

// pairID is the same for the same question to the same two rerankers. The text cannot be had back from it.
func pairID(parts ...string) int64 {
	h := sha256.New()
	for _, part := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

// Calibration gives the map from a local scale to a remote one, from the pairs that are kept.
func (c *Calibrator) Calibration(ctx context.Context, remote, local string) (rerank.Calibration, error) {
	key := [2]string{remote, local}
	c.mu.Lock()
	known, ok := c.maps[key]
	kept := c.kept
	c.mu.Unlock()
	if ok {
		return known, nil
	}
	pairs, err := c.store.ScorePairs(ctx, remote, local)
	if err != nil {
		return rerank.Calibration{}, err
	}
	fresh := rerank.Calibrate(pairs)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == kept {
		c.maps[key] = fresh
	}
	return fresh, nil
}

// calibrate puts the scores of a local ranker on the remote scale, where that is known well enough, and says
// either way. It changes no order: the map never decreases, and the order is by the raw scores.
func (s *Searcher) calibrate(ctx context.Context, r *Ranking) {
	c := s.Calibrator
	if c == nil || r.Rerank.Backend == domain.BackendCohere || r.Rerank.Backend == domain.BackendNone {
		return
	}
	said := domain.Calibration{}
	calibration, err := c.Calibration(ctx, c.remote.Scale(), r.Rerank.Scale)
	if err == nil {
		said = calibration.Describe()
		said.Applied = calibration.Refusal() == ""
	} else {
		said.Reason = "Not calibrated: " + err.Error() + "."
	}
	said.Remote, said.Local = c.remote.Scale(), r.Rerank.Scale
	r.Rerank.Calibration = &said
	if !said.Applied {
		return
	}
	for i, e := range r.Entries {
		if e.Scored {
			r.Entries[i].Score.Normalized = calibration.Score(e.Score.Raw)
		}
	}
	if t, set := s.Thresholds[c.remote.Backend]; set {
		r.Threshold = &t
	} else {
		r.Threshold = c.remote.Threshold
	}
}

// calibrated shows orders on the way on the scale that the last one will have. There is no verdict on them.
func (s *Searcher) calibrated(ctx context.Context, show func(Ranking)) func(Ranking) {
	if show == nil {
		return nil
	}
	return func(r Ranking) {
		s.calibrate(ctx, &r)
		r.Threshold = nil
		show(r)
	}
}
