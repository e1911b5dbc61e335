package onnx

import (
	"fmt"
	"sync"

	"github.com/daulet/tokenizers"
)

// sharedTokenizers are the loaded tokenizers, each once however many models have it: all models of the XLM-R family
// have the same vocabulary, and it is what takes the memory.
type sharedTokenizers struct {
	mu     sync.Mutex
	loaded map[digest]*sharedTokenizer
}

type sharedTokenizer struct {
	lib    *tokenizers.Tokenizer
	rarity []float32
	users  int
}

// Tokenizer loads a tokenizer.json, or shares one that is loaded and gives every text the same ids.
func (r *Runtime) Tokenizer(path string) (*Tokenizer, error) {
	spec, err := readTokenizerSpec(path)
	if err != nil {
		return nil, fmt.Errorf("the tokenizer %s: %w", path, err)
	}
	all := &r.tokenizers
	all.mu.Lock() // while it loads too: who comes meanwhile wants the same one
	defer all.mu.Unlock()
	shared := all.loaded[spec.content]
	if shared == nil {
		lib, err := loadTokenizer(spec)
		if err != nil {
			return nil, fmt.Errorf("the tokenizer %s: %w", path, err)
		}
		shared = &sharedTokenizer{lib: lib, rarity: spec.rarity}
		if all.loaded == nil {
			all.loaded = map[digest]*sharedTokenizer{}
		}
		all.loaded[spec.content] = shared
	}
	shared.users++
	spec.rarity = shared.rarity
	return newTokenizer(spec, shared.lib, func() error { return all.release(spec.content) }), nil
}

// release frees a tokenizer after its last user.
func (s *sharedTokenizers) release(content digest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	shared := s.loaded[content]
	if shared.users--; shared.users > 0 {
		return nil
	}
	delete(s.loaded, content)
	return freeTokenizer(shared.lib)
}
