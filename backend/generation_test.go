package backend

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// counted makes generations that count how many are loaded and not freed.
func counted(live, loads *atomic.Int64, fail error) *generations {
	var g *generations
	g = newGenerations(func() *generation {
		gen := &generation{}
		load := sync.OnceValue(func() *inference {
			live.Add(1)
			loads.Add(1)
			return &inference{closers: []func() error{func() error { live.Add(-1); return fail }}}
		})
		gen.inference = func() *inference {
			g.noteLoaded(gen)
			return load()
		}
		return gen
	})
	return g
}

func TestAUseKeepsItsGeneration(t *testing.T) {
	var live, loads atomic.Int64
	g := counted(&live, &loads, nil)
	old, first := g.use()
	_, done := g.use()
	old.inference()
	g.next()
	first()
	if live.Load() != 1 {
		t.Fatal("freed under a use")
	}
	newer, doneToo := g.use()
	if newer == old {
		t.Fatal("a later use got the old generation")
	}
	if newer.inference(); live.Load() != 2 {
		t.Errorf("%d loaded", live.Load())
	}
	done()
	if live.Load() != 1 {
		t.Errorf("%d loaded after the last use of the old one", live.Load())
	}
	doneToo()
	if live.Load() != 1 {
		t.Error("the current generation was freed when nobody used it")
	}
	if err := g.close(); err != nil || live.Load() != 0 {
		t.Errorf("%d loaded after closing, %v", live.Load(), err)
	}
}

func TestWhatNobodyLoadedIsNotLoadedToBeFreed(t *testing.T) {
	var live, loads atomic.Int64
	g := counted(&live, &loads, nil)
	_, done := g.use()
	g.next()
	done()
	g.next()
	if err := g.close(); err != nil || loads.Load() != 0 {
		t.Errorf("%d loads, %v", loads.Load(), err)
	}
}

func TestGenerationsUnderLoad(t *testing.T) {
	var live, loads atomic.Int64
	fault := errors.New("made-up fault")
	g := counted(&live, &loads, fault)
	var users sync.WaitGroup
	for range 8 {
		users.Go(func() {
			for range 200 {
				gen, done := g.use()
				gen.inference()
				if live.Load() < 1 {
					t.Error("freed under a use")
				}
				done()
			}
		})
	}
	for range 100 {
		g.next()
	}
	users.Wait()
	if err := g.close(); !errors.Is(err, fault) || live.Load() != 0 {
		t.Errorf("%d of %d left, %v", live.Load(), loads.Load(), err)
	}
}
