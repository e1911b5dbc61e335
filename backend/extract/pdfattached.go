package extract

import (
	"bytes"
	"fmt"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/extract/pdfium"
)

const (
	// maxAttached is how many bytes the files within one PDF may have, together: they are held until it has been read.
	maxAttached = 256 << 20
	// maxAttachments is how many files are taken.
	maxAttachments = 10_000
)

// pdf reads a PDF and the files that are attached to it.
func (r *reading) pdf(d document, found Found) {
	var attached []attachment
	content, err := guard(func() (content domain.Content, err error) {
		content, attached, err = r.x.pdf.read(r.ctx, d.source)
		return finished(content, formatPDF, err)
	})
	r.give(found, content, err)
	r.attachments(attached, found, d.depth)
}

// attach takes the files that belong to the document as a whole.
func (d *pdfDocument) attach() {
	count, err := d.CountAttachments()
	if err != nil {
		return
	}
	for i := range min(count, maxAttachments) {
		if d.ctx.Err() != nil {
			return
		}
		if file, err := d.Attachment(i); err == nil {
			d.take(file)
		}
	}
}

// take takes a file that is attached somewhere; one that is attached in two places, once.
func (d *pdfDocument) take(file pdfium.Attachment) {
	name, _ := file.Name() // without one it gets one
	if len(d.attached)+len(d.left) >= maxAttachments {
		return
	}
	data, err := file.Data(maxAttached - d.bytes)
	if err != nil {
		d.left = append(d.left, fmt.Sprintf("the attached file %q was left out: it cannot be read, or is too large", name))
		return
	}
	if slices.ContainsFunc(d.attached, func(a attachment) bool { return a.name == name && bytes.Equal(a.data(), data) }) {
		return
	}
	d.bytes += len(data)
	d.attached = append(d.attached, attachment{name: name, data: func() []byte { return data }})
}
