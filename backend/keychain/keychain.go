// Package keychain keeps the key of Cohere in the system's own keychain, or, where there is none that answers, in memory
// until the program ends. It is never in a file of ours.
package keychain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"fanous/backend/domain"
)

// Where the system's keychain has the key, by the names that its own program shows.
const (
	service = "Fanous"
	account = "Cohere API key"
)

// Off is the variable that keeps everybody from the system's keychain where it is "off": tests, and machines on which a
// keychain does nothing but ask.
const Off = "FANOUS_KEYCHAIN"

// patience is how long a keychain may take to keep or remove a key: a locked one asks for its password, and whoever typed
// the key is there to give it.
const patience = time.Minute

// Unanswered is what Why says while a keychain is asked for the key.
const Unanswered = "The keychain has not answered yet. It may be locked."

// Keychain keeps one key. It is safe for concurrent use.
type Keychain struct {
	mu      sync.Mutex
	session string // kept where the system has no keychain
	why     string // the system's keychain was of no use the last time; a sentence
}

// New makes one. Nothing is asked of the system yet.
func New() *Keychain { return &Keychain{} }

// Key gives the key and where it comes from; there may be none. A locked keychain asks for its password, which takes until
// somebody answers or ctx ends. silent says that there is a keychain and it did not answer, so that it may have one; a
// sentence.
func (k *Keychain) Key(ctx context.Context) (key string, from domain.KeySource, silent string) {
	return k.key(ctx, func() (string, error) { return keyring.Get(service, account) })
}

func (k *Keychain) key(ctx context.Context, get func() (string, error)) (key string, from domain.KeySource, silent string) {
	if session := k.begin(); session != "" {
		return session, domain.KeySession, ""
	}
	key, err := ask(ctx, get)
	if errors.Is(err, keyring.ErrNotFound) {
		err = nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.why = reason(err)
	switch {
	case err == nil && key != "":
		return key, domain.KeyKeychain, ""
	case errors.Is(err, errOff), errors.Is(err, errNone):
		return "", domain.KeyNone, ""
	}
	return "", domain.KeyNone, k.why
}

// begin gives the key of the session, or notes that the system's keychain is asked.
func (k *Keychain) begin() (session string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.session == "" {
		k.why = Unanswered
	}
	return k.session
}

// Set keeps a key in place of the one before. Where the system has no keychain it is kept until the program ends, and Why
// says so.
func (k *Keychain) Set(ctx context.Context, key string) error {
	err := change(ctx, func() error { return keyring.Set(service, account, key) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.session, k.why = "", reason(err)
	if err != nil {
		k.session = key
	}
	return nil
}

// Remove forgets the key. That there was none is no error.
func (k *Keychain) Remove(ctx context.Context) error {
	k.mu.Lock()
	session := k.session
	k.session = ""
	k.mu.Unlock()
	err := change(ctx, func() error { return keyring.Delete(service, account) })
	if errors.Is(err, keyring.ErrNotFound) {
		err = nil
	}
	if err == nil || session != "" { // it was never in the system's
		return nil
	}
	return domain.Errorf(domain.CodeUnavailable, `remove it with the system's own program; it is called "`+service+`"`,
		"the key could not be removed from the keychain: %w", err)
}

// Why says why the system's keychain keeps no key; empty: it does, or it was not asked yet.
func (k *Keychain) Why() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.why
}

func reason(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errOff):
		return "The keychain is switched off by " + Off + "."
	case errors.Is(err, errNone):
		return "This system has no keychain."
	case errors.Is(err, context.DeadlineExceeded):
		return "The keychain did not answer in time. It may be locked."
	}
	return fmt.Sprintf("The keychain did not answer: %v.", err)
}

var (
	errOff  = errors.New("switched off")
	errNone = errors.New("there is no keychain")
)

// change has the system's keychain do something, within our patience.
func change(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := ask(ctx, func() (string, error) { return "", do() })
	return err
}

// ask asks the system's keychain, and stops waiting at the end of ctx. The call itself cannot be ended.
func ask(ctx context.Context, call func() (string, error)) (string, error) {
	if os.Getenv(Off) == "off" {
		return "", errOff
	}
	if !here() {
		return "", errNone
	}
	type answer struct {
		key string
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		key, err := call()
		answered <- answer{key, err}
	}()
	select {
	case a := <-answered:
		return a.key, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
