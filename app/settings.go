package app

import (
	"context"
	"sync"

	"fanous/backend"
	"fanous/backend/domain"
)

// SettingsService shows and changes settings. A change counts at once: the backend is opened anew with it, beside the one
// that is open, and takes its place.
type SettingsService struct {
	engine *engine
	shell  Shell

	changing sync.Mutex // one after the other
}

// Settings are all settings, the state of the key, and where it all is.
type Settings struct {
	List    []domain.SettingState `json:"list"`
	Key     domain.KeyState       `json:"key"`
	DataDir string                `json:"data_dir"`
}

// Get gives the settings as they are now.
func (s *SettingsService) Get() (Settings, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (Settings, error) {
		return Settings{List: b.Settings(), Key: b.KeyState(ctx), DataDir: b.DataDir()}, nil
	})
}

// Change gives settings other values, all of them or none, and gives all settings as they are then.
func (s *SettingsService) Change(changes []domain.SettingChange) (Settings, error) {
	return s.change(func(_ context.Context, b *backend.Backend) error { return b.ChangeSettings(changes...) })
}

// SetKey keeps a key of Cohere, or forgets it where it is empty. The key is never given back.
func (s *SettingsService) SetKey(key string) (Settings, error) {
	return s.change(func(ctx context.Context, b *backend.Backend) error { return b.SetKey(ctx, key) })
}

// Reload opens the backend anew: after the keychain was unlocked, or a file was changed by hand.
func (s *SettingsService) Reload() (Settings, error) {
	return s.change(func(context.Context, *backend.Backend) error { return nil })
}

// ShowDataFolder opens the data folder.
func (s *SettingsService) ShowDataFolder() error {
	now, err := s.Get()
	if err != nil {
		return err
	}
	return s.shell.ShowInFolder(now.DataDir)
}

func (s *SettingsService) change(do func(context.Context, *backend.Backend) error) (Settings, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	if err := run(s.engine, do); err != nil {
		return Settings{}, err
	}
	if err := s.engine.reopen(); err != nil {
		return Settings{}, domain.Errorf(domain.CodeOf(err), domain.HintOf(err),
			"the change is kept, but Fanous goes on as it was until it can be opened with it: %w", err)
	}
	return s.Get()
}
