package store

import (
	"context"
	"database/sql"

	"fanous/backend/domain"
)

// WaitingForOCR lists the documents of a collection with pictures that nobody has read yet, in the order in which they
// were stored; with again those, too, whose reading failed. Documents that share the content of another are left out.
func (s *Store) WaitingForOCR(ctx context.Context, collectionID int64, again bool) ([]domain.Document, error) {
	var list []domain.Document
	query := "SELECT " + documentColumns + " FROM documents d WHERE d.collection_id = ? AND d.ocr = 'wanted' AND d.same_as = 0"
	if again {
		query += " UNION ALL SELECT " + documentColumns + " FROM documents d WHERE d.collection_id = ?1 AND d.ocr = 'failed' AND d.same_as = 0"
	}
	err := s.documents(ctx, func(d domain.Document) { list = append(list, d) }, query+" ORDER BY id", collectionID)
	return list, s.explain("list the documents that wait for OCR", err)
}

// SetOCR records what came of a document's pictures where that is no text; its passages stay.
func (w *Writer) SetOCR(ctx context.Context, documentID int64, state domain.OCRState, warnings []string) error {
	list, err := marshalList(warnings)
	if err != nil {
		return err
	}
	return w.s.write(ctx, "record what came of OCR", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE documents SET ocr = ?, warnings = ? WHERE id = ?", state, list, documentID); err != nil {
			return err
		}
		return copyState(ctx, tx, documentID)
	})
}
