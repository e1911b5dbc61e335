package backend

import (
	"errors"
	"sync"

	"fanous/backend/pipeline"
)

// generation is the models as they were installed at one time, and the searches that began on them. It is loaded by
// the first use that needs a model, and freed when it is retired and its last use has ended.
type generation struct {
	inference func() *inference
	searcher  func() *pipeline.Searcher

	users   int  // guarded by generations.mu, as all below
	loaded  bool // inference was asked for, so that it must be freed
	retired bool
}

// generations hands out the current generation and replaces it. It is safe for concurrent use.
type generations struct {
	make func() *generation

	mu      sync.Mutex
	current *generation
	failed  error          // of freeing
	freeing sync.WaitGroup // generations that were retired and are not freed yet
}

func newGenerations(make func() *generation) *generations {
	return &generations{make: make, current: make()}
}

// use gives the current generation, which stays until the function given with it is called, once.
func (g *generations) use() (*generation, func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	gen := g.current
	gen.users++
	return gen, func() { g.release(gen) }
}

func (g *generations) release(gen *generation) {
	g.mu.Lock()
	gen.users--
	last := gen.retired && gen.users == 0
	g.mu.Unlock()
	if last {
		g.free(gen)
	}
}

// next retires the current generation: later uses begin on a new one.
func (g *generations) next() { g.replace(g.make()) }

func (g *generations) replace(with *generation) {
	g.mu.Lock()
	old := g.current
	g.current = with
	old.retired = true
	g.freeing.Add(1)
	unused := old.users == 0
	g.mu.Unlock()
	if unused {
		g.free(old)
	}
}

// free closes a generation that nobody uses any more.
func (g *generations) free(gen *generation) {
	defer g.freeing.Done()
	g.mu.Lock()
	loaded := gen.loaded
	g.mu.Unlock()
	if !loaded {
		return
	}
	if err := gen.inference().close(); err != nil {
		g.mu.Lock()
		g.failed = errors.Join(g.failed, err)
		g.mu.Unlock()
	}
}

// noteLoaded is called before a generation loads anything.
func (g *generations) noteLoaded(gen *generation) {
	g.mu.Lock()
	defer g.mu.Unlock()
	gen.loaded = true
}

// close frees the current generation and waits for those before it. No use may be under way or come later.
func (g *generations) close() error {
	g.replace(nil)
	g.freeing.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failed
}

// newGeneration is the models as they are installed when it is first used.
func (b *Backend) newGeneration() *generation {
	gen := &generation{}
	load := sync.OnceValue(func() *inference { return newInference(b.life, b.cfg, b.store, b.tester) })
	gen.inference = func() *inference {
		b.models.noteLoaded(gen)
		return load()
	}
	gen.searcher = sync.OnceValue(func() *pipeline.Searcher {
		in := gen.inference()
		searcher := b.newSearcher(b.chain(in.local, in.noLocal))
		searcher.NoEmbedder = in.noEmbedder
		if in.embedder != nil {
			searcher.Embed, searcher.EmbedPassages = in.embedder.Query, in.embedder.Passages
		}
		return searcher
	})
	return gen
}

// ReloadModels makes later searches use what is installed by then. Those under way finish on what they began with,
// which is freed after the last of them.
func (b *Backend) ReloadModels() { b.models.next() }
