package app

import (
	"context"
	"path/filepath"
	"strings"

	"fanous/backend"
	"fanous/backend/domain"
)

// DocumentsService shows passages and the files that they are in. The window names a file only by
// its id or by one of its chunks, so that nothing but a document of a collection can ever be opened.
type DocumentsService struct {
	engine *engine
	shell  Shell
}

// Passage gives a chunk with its document and neighbours.
func (s *DocumentsService) Passage(chunkID int64) (domain.ChunkView, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.ChunkView, error) {
		return b.Chunk(ctx, chunkID)
	})
}

// Open opens the chunk's document in its program. A file that the desktop would run rather than show
// (a script that was indexed as text) is refused.
func (s *DocumentsService) Open(chunkID int64) error {
	path, err := s.path(chunkID)
	if err != nil {
		return err
	}
	return s.open(path)
}

func (s *DocumentsService) open(path string) error {
	if !opensAsDocument(path) {
		return domain.Errorf(domain.CodeUsage, "show it in its folder instead",
			"%s is not opened from here: the desktop might run it", filepath.Base(path))
	}
	return s.shell.OpenFile(path)
}

// OpenFile opens a document, named by its own id, in its program.
func (s *DocumentsService) OpenFile(documentID int64) error {
	path, err := s.file(documentID)
	if err != nil {
		return err
	}
	return s.open(path)
}

// ShowFile opens the folder of a document.
func (s *DocumentsService) ShowFile(documentID int64) error {
	path, err := s.file(documentID)
	if err != nil {
		return err
	}
	return s.shell.ShowInFolder(path)
}

func (s *DocumentsService) file(documentID int64) (string, error) {
	document, err := with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.Document, error) {
		return b.Document(ctx, documentID)
	})
	if err != nil {
		return "", err
	}
	return absolute(document.Path)
}

// ShowInFolder opens the folder of the chunk's document.
func (s *DocumentsService) ShowInFolder(chunkID int64) error {
	path, err := s.path(chunkID)
	if err != nil {
		return err
	}
	return s.shell.ShowInFolder(path)
}

func (s *DocumentsService) path(chunkID int64) (string, error) {
	view, err := s.Passage(chunkID)
	if err != nil {
		return "", err
	}
	return absolute(view.Document.Path)
}

// absolute refuses a path that a program which opens it could read as an option.
func absolute(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", domain.Errorf(domain.CodeInternal, "index the collection again", "%s is not an absolute path", path)
	}
	return path, nil
}

// opensAsDocument reports whether a name has an extension that desktops show and never run.
func opensAsDocument(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".txt", ".text", ".log", ".md", ".markdown", ".rst", ".csv", ".tsv", ".json", ".xml", ".yaml", ".yml",
		".html", ".htm", ".xhtml", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".xlsx", ".ods", ".pptx", ".odp",
		".epub", ".eml", ".msg", ".mbox", ".mht", ".mhtml", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff":
		return true
	}
	return false
}
