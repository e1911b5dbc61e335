package pdfium

// #include "sandbox.h"
import "C"

import (
	"math"
	"unsafe"
)

// Text is the text of a page, in an order of pdfium's.
type Text struct {
	s     *sandbox
	at    uint64
	count int
}

// Text loads the text of the page. It is to be closed before the page.
func (p *Page) Text() (*Text, error) {
	at, err := p.d.s.handle("FPDFText_LoadPage", p.at)
	if err != nil {
		return nil, err
	}
	t := &Text{s: p.d.s, at: at}
	if t.count, err = p.d.s.integer("FPDFText_CountChars", at); err != nil {
		t.Close()
		return nil, err
	}
	t.count = max(t.count, 0)
	return t, nil
}

// Close frees the text.
func (t *Text) Close() { _, _ = t.s.call("FPDFText_ClosePage", t.at) }

// Count is how many characters it has.
func (t *Text) Count() int { return t.count }

// Character is one of them. Its layout is that of fanous_pdfium_character.
type Character struct {
	Unicode uint32 // 0, 0xfffe or 0xffff: not known
	Flags   CharacterFlags

	Left, Top, Right, Bottom float32 // of the room that it takes, if HasBox
	X, Y                     float64 // where the pen stood, if HasOrigin
}

// CharacterFlags say what is known of a character.
type CharacterFlags uint32

// The flags of a character.
const (
	HasBox       CharacterFlags = 1 << iota
	HasOrigin                   // it stands somewhere
	Generated                   // pdfium has made it up from a gap
	LacksUnicode                // the file does not say which character the shape is
)

// Both sides agree on the size, or this does not compile.
var _ [unsafe.Sizeof(Character{}) - C.sizeof_fanous_pdfium_character]struct{} = [0]struct{}{}

// Characters reads as many as there is room for, from index on, and gives how many that were.
func (t *Text) Characters(from int, out []Character) (int, error) {
	out = out[:max(min(len(out), t.count-from), 0)]
	if len(out) == 0 {
		return 0, nil
	}
	var failure *C.char
	if !C.fanous_pdfium_characters(t.s.c, C.uint32_t(t.at), C.uint32_t(from), (*C.fanous_pdfium_character)(unsafe.Pointer(&out[0])), C.size_t(len(out)), &failure) {
		return 0, take(failure)
	}
	return len(out), nil
}

// FontSize is that of a character's font, before the matrix.
func (t *Text) FontSize(index int) (float64, error) {
	bits, err := t.s.call("FPDFText_GetFontSize", t.at, uint64(uint32(index)))
	return math.Float64frombits(bits), err
}

// Matrix is how a character is turned and stretched, if that is known.
func (t *Text) Matrix(index int) (a, b, c, d float64, ok bool) {
	if _, err := t.s.handle("FPDFText_GetMatrix", t.at, uint64(uint32(index)), t.s.room); err != nil {
		return 0, 0, 0, 0, false
	}
	var m [4]float64
	err := t.s.float32s(m[:])
	return m[0], m[1], m[2], m[3], err == nil
}
