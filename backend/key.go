package backend

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"
	"unicode"

	"fanous/backend/cohere"
	"fanous/backend/domain"
	"fanous/backend/keychain"
	"fanous/backend/rerank"
)

// maxKey is longer than any key of Cohere, in bytes: what is longer is something else that was pasted.
const maxKey = 512

// keyPatience is how long anybody waits for the key: an open keychain answers in a small part of it, and one that asks for
// its password takes until somebody is there. What comes later serves the searches after it.
const keyPatience = 500 * time.Millisecond

// access is what there is of Cohere.
type access struct {
	remote rerank.Remote
	key    string
	from   domain.KeySource
	err    error // there is a key, and it cannot be used
}

// finding is the one search for the access to Cohere, which the first who asks begins.
type finding struct {
	once   sync.Once
	found  chan struct{} // closed when access stands
	late   chan struct{} // closed when nobody waits any more
	access access
}

func newFinding() *finding {
	return &finding{found: make(chan struct{}), late: make(chan struct{})}
}

// begin finds in a goroutine that run starts.
func (f *finding) begin(run func(func()), find func() access) {
	f.once.Do(func() {
		time.AfterFunc(keyPatience, func() { close(f.late) })
		run(func() {
			f.access = find()
			close(f.found)
		})
	})
}

// wait gives what was found, or says that it is still looked for.
func (f *finding) wait(ctx context.Context) access {
	select {
	case <-f.found:
	case <-f.late:
	case <-ctx.Done():
	}
	select {
	case <-f.found:
		return f.access
	default:
		return access{remote: rerank.Remote{Reason: keychain.Unanswered, Pending: true}}
	}
}

// access gives Cohere. A keychain that asks for its password is not waited for.
func (b *Backend) access(ctx context.Context) access {
	b.finding.begin(b.starting.Go, b.findCohere)
	return b.finding.wait(ctx)
}

// findCohere finds the key, the environment's first, and makes a client with it.
func (b *Backend) findCohere() access {
	a := access{key: b.cfg.CohereKey, from: domain.KeyEnvironment}
	silent := ""
	if a.key == "" {
		a.from = domain.KeyNone
		if b.cfg.Keychain != nil {
			a.key, a.from, silent = b.cfg.Keychain.Key(b.life)
		}
	}
	if a.key == "" {
		a.remote.Reason = cmp.Or(silent, rerank.NoKey)
		return a
	}
	client, err := cohere.New(cohere.Options{
		Key: a.key, URL: b.cfg.CohereURL, Model: b.cfg.CohereModel, MaxTokens: b.cfg.CohereMaxTokens,
		Network: b.network, Before: rerank.Witness(b.ledger),
	})
	if err != nil {
		a.err = domain.Errorf(domain.CodeUsage, "correct the setting, or remove the key to search without Cohere", "%w", err)
		a.remote.Reason = "Cohere cannot be asked: " + sentence(err)
		return a
	}
	a.remote = rerank.NewCohere(client).Remote()
	return a
}

// remote is Cohere as a chain asks it.
func (b *Backend) remote(ctx context.Context) rerank.Remote { return b.access(ctx).remote }

// KeyState says where the key that is in use comes from, and whether the keychain keeps one.
func (b *Backend) KeyState(ctx context.Context) domain.KeyState {
	from := b.access(ctx).from
	if b.cfg.Keychain == nil {
		return domain.KeyState{From: from, NoKeychain: "No keychain is used here."}
	}
	return domain.KeyState{From: from, NoKeychain: b.cfg.Keychain.Why()}
}

// SetKey keeps a key of Cohere, or forgets it where it is empty: in the system's keychain, else until the program ends. What
// is open goes on with the one it has.
func (c *Config) SetKey(ctx context.Context, key string) error {
	if c.Keychain == nil {
		return domain.Errorf(domain.CodeUnavailable, "set CO_API_KEY in the environment", "no keychain is used here")
	}
	key = strings.TrimSpace(key)
	if key == "" {
		return c.Keychain.Remove(ctx)
	}
	if len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) || r == ' ' }) {
		return domain.Errorf(domain.CodeUsage, "paste the key alone, as the dashboard of Cohere shows it", "this is no key of Cohere")
	}
	return c.Keychain.Set(ctx, key)
}

// SetKey is that of the configuration.
func (b *Backend) SetKey(ctx context.Context, key string) error { return b.cfg.SetKey(ctx, key) }
