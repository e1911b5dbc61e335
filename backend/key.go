package backend

import (
	"context"
	"strings"
	"unicode"

	"fanous/backend/domain"
)

// maxKey is longer than any key of Cohere, in bytes: what is longer is something else that was pasted.
const maxKey = 512

// key finds the key of Cohere; the environment's comes first.
func (c *Config) key(ctx context.Context) (string, domain.KeySource) {
	switch {
	case c.CohereKey != "":
		return c.CohereKey, domain.KeyEnvironment
	case c.Keychain == nil:
		return "", domain.KeyNone
	}
	return c.Keychain.Key(ctx)
}

// KeyState says where the key that is in use comes from, and whether the keychain keeps one.
func (b *Backend) KeyState() domain.KeyState {
	if b.cfg.Keychain == nil {
		return domain.KeyState{From: b.keyFrom, NoKeychain: "No keychain is used here."}
	}
	return domain.KeyState{From: b.keyFrom, NoKeychain: b.cfg.Keychain.Why()}
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
