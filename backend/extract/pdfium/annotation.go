package pdfium

// Annotation is something that was put onto a page: a comment, a link, a field of a form.
type Annotation struct {
	s  *sandbox
	at uint64
}

// Kinds of annotations, as PDF names them.
const (
	Link     = 2
	FreeText = 3
	Stamp    = 13
	Popup    = 16
	File     = 17
	Widget   = 20
)

// CountAnnotations gives how many there are on the page.
func (p *Page) CountAnnotations() (int, error) { return p.d.s.integer("FPDFPage_GetAnnotCount", p.at) }

// Annotation gives one. It is to be closed before the page.
func (p *Page) Annotation(index int) (Annotation, error) {
	at, err := p.d.s.handle("FPDFPage_GetAnnot", p.at, uint64(uint32(index)))
	return Annotation{p.d.s, at}, err
}

// Close frees it.
func (a Annotation) Close() { _, _ = a.s.call("FPDFPage_CloseAnnot", a.at) }

// Kind is which kind it is of.
func (a Annotation) Kind() (int, error) { return a.s.integer("FPDFAnnot_GetSubtype", a.at) }

// Hidden says that it is not to be seen.
func (a Annotation) Hidden() (bool, error) {
	const hidden, noView = 1 << 1, 1 << 5
	flags, err := a.s.integer("FPDFAnnot_GetFlags", a.at)
	return flags&(hidden|noView) != 0, err
}

// Text is one of its entries; "" where that is no text.
func (a Annotation) Text(key string) (text string, err error) {
	const isString = 3
	err = a.s.name(key, func(at uint64) error {
		kind, err := a.s.integer("FPDFAnnot_GetValueType", a.at, at)
		if err == nil && kind == isString {
			text, err = a.s.text("FPDFAnnot_GetStringValue", a.at, at)
		}
		return err
	})
	return text, err
}
