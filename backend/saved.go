package backend

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"fanous/backend/domain"
	"fanous/models"
)

// savedName is the file in the data folder with the searches that were given names.
const savedName = "searches.json"

// maxSavedName is the longest name of one, in characters.
const maxSavedName = 200

// SavedSearches gives the searches that have names, in the order in which they were saved.
func (b *Backend) SavedSearches() ([]domain.SavedSearch, error) {
	path := filepath.Join(b.cfg.DataDir, savedName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return []domain.SavedSearch{}, nil
	}
	list := []domain.SavedSearch{}
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		return nil, domain.Errorf(domain.CodeUsage, "correct the file or remove it", "the saved searches %s cannot be read: %w", path, err)
	}
	return list, nil
}

// SaveSearch keeps a search under a name that no other one has.
func (b *Backend) SaveSearch(s domain.SavedSearch) error {
	if strings.TrimSpace(s.Query) == "" {
		return domain.Errorf(domain.CodeUsage, "type something to search for", "there is no query")
	}
	return b.changeSaved(func(list []domain.SavedSearch) ([]domain.SavedSearch, error) {
		name, err := freeName(list, s.Name)
		s.Name = name
		return append(list, s), err
	})
}

// RenameSearch gives a saved search another name.
func (b *Backend) RenameSearch(from, to string) error {
	return b.changeSaved(func(list []domain.SavedSearch) ([]domain.SavedSearch, error) {
		i, err := saved(list, from)
		if err != nil || strings.TrimSpace(to) == from {
			return list, err
		}
		list[i].Name, err = freeName(list, to)
		return list, err
	})
}

// DeleteSearch forgets a saved search.
func (b *Backend) DeleteSearch(name string) error {
	return b.changeSaved(func(list []domain.SavedSearch) ([]domain.SavedSearch, error) {
		i, err := saved(list, name)
		if err != nil {
			return nil, err
		}
		return slices.Delete(list, i, i+1), nil
	})
}

// savedIn follows a collection to its new name; where that is empty the collection is gone, and its searches go too.
func (b *Backend) savedIn(collection, to string) error {
	if !exists(filepath.Join(b.cfg.DataDir, savedName)) {
		return nil
	}
	return b.changeSaved(func(list []domain.SavedSearch) ([]domain.SavedSearch, error) {
		for i := range list {
			if list[i].Collection == collection {
				list[i].Collection = to
			}
		}
		return slices.DeleteFunc(list, func(s domain.SavedSearch) bool { return s.Collection == "" }), nil
	})
}

func (b *Backend) changeSaved(change func([]domain.SavedSearch) ([]domain.SavedSearch, error)) error {
	path := filepath.Join(b.cfg.DataDir, savedName)
	return exclusively(path, func() error {
		list, err := b.SavedSearches()
		if err != nil {
			return err
		}
		if list, err = change(list); err != nil {
			return err
		}
		return models.WriteJSON(path, list)
	})
}

func saved(list []domain.SavedSearch, name string) (int, error) {
	i := slices.IndexFunc(list, func(s domain.SavedSearch) bool { return s.Name == name })
	if i < 0 {
		return i, domain.Errorf(domain.CodeNotFound, "see the list of saved searches", "there is no saved search %q", name)
	}
	return i, nil
}

func freeName(list []domain.SavedSearch, name string) (string, error) {
	name = strings.TrimSpace(name)
	switch _, err := saved(list, name); {
	case name == "" || utf8.RuneCountInString(name) > maxSavedName:
		return "", domain.Errorf(domain.CodeUsage, "give it a short name", "a saved search needs a name of 1 to %d characters", maxSavedName)
	case err == nil:
		return "", domain.Errorf(domain.CodeUsage, "choose another name", "there is a saved search %q already", name)
	}
	return name, nil
}
