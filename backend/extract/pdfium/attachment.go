package pdfium

import (
	"encoding/binary"
	"fmt"
)

// Attachment is a file within a document.
type Attachment struct {
	s  *sandbox
	at uint64
}

// CountAttachments gives how many files belong to the document as a whole; those of annotations are not among them.
func (d *Document) CountAttachments() (int, error) {
	return d.s.integer("FPDFDoc_GetAttachmentCount", d.at)
}

// Attachment gives one of those files.
func (d *Document) Attachment(index int) (Attachment, error) {
	at, err := d.s.handle("FPDFDoc_GetAttachment", d.at, uint64(uint32(index)))
	return Attachment{d.s, at}, err
}

// Attachment gives the file of an annotation, if it has one.
func (a Annotation) Attachment() (Attachment, bool) {
	at, err := a.s.handle("FPDFAnnot_GetFileAttachment", a.at)
	return Attachment{a.s, at}, err == nil
}

// Name is what the document calls it; "" where it does not.
func (a Attachment) Name() (string, error) { return a.s.text("FPDFAttachment_GetName", a.at) }

// Data gives its bytes, of which there may be at most limit.
func (a Attachment) Data(limit int) ([]byte, error) {
	s := a.s
	if _, err := s.handle("FPDFAttachment_GetFile", a.at, 0, 0, s.room); err != nil {
		return nil, err
	}
	answer, err := s.memory(s.room, 4)
	if err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(answer)
	if int64(size) > int64(limit) {
		return nil, fmt.Errorf("the attached file has %d bytes", size)
	}
	at, err := s.allocate(uint64(size) + 1)
	if err != nil {
		return nil, err
	}
	defer s.release(at)
	if _, err := s.handle("FPDFAttachment_GetFile", a.at, at, uint64(size), s.room); err != nil {
		return nil, err
	}
	bytes, err := s.memory(at, uint64(size))
	return append([]byte{}, bytes...), err
}
