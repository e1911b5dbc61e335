package extract

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
)

// Types of content in the cryptographic message syntax (CMS, RFC 5652), as object identifiers are encoded.
const (
	cmsSigned        = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
	cmsEnveloped     = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03"
	cmsAuthEnveloped = "\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x17"
)

// Tags of ASN.1.
const (
	berInteger     = 0x02
	berOctets      = 0x04
	berObject      = 0x06
	berSequence    = 0x30
	berSet         = 0x31
	berExplicit    = 0xa0 // the first of a sequence's own
	berConstructed = 0x20
)

var (
	errEncrypted = fmt.Errorf("%w: it is encrypted for the key of its reader", ErrNeedsPassword)
	errSignature = unsupported("it is a signature, or certificates, and has no content of its own")
)

// isCMS says that data begins as what is signed or encrypted does.
func isCMS(head []byte) bool {
	kind, _ := openCMS(head)
	return kind == cmsSigned || kind == cmsEnveloped || kind == cmsAuthEnveloped
}

// openCMS gives the type of the content and where it begins.
func openCMS(data []byte) (kind string, content ber) {
	b := ber(data)
	if !b.enter(berSequence) {
		return "", nil
	}
	kind = string(b.value(berObject))
	if !b.enter(berExplicit) {
		return "", nil
	}
	return kind, b
}

// signedContent gives what was signed, which nobody checks here; an error says why there is none.
func signedContent(data []byte) ([]byte, error) {
	kind, b := openCMS(data)
	if kind == cmsEnveloped || kind == cmsAuthEnveloped {
		return nil, errEncrypted
	}
	if kind != cmsSigned || !b.enter(berSequence) || b.value(berInteger) == nil || !b.skip(berSet) || !b.enter(berSequence) || b.value(berObject) == nil {
		return nil, errors.New("the signed file is damaged")
	}
	if !b.enter(berExplicit) {
		return nil, errSignature
	}
	return b.octets(), nil
}

// signed reads the one file that was signed.
func (r *reading) signed(d document) (n int, err error) {
	data, err := d.all()
	if err != nil {
		return 0, err
	}
	content, err := signedContent(data)
	if err != nil {
		return 0, err
	}
	name := entryPath(strings.TrimSuffix(d.name, path.Ext(d.name)))
	if name == "" {
		name = "content"
	}
	e := document{source: source{ReaderAt: bytes.NewReader(content), size: int64(len(content))}}
	if header, _ := splitHeader(content); header["content-type"] != "" {
		e.format = formatEML // a message without the fields that others have around it
	}
	if !r.entry(d, name, e) {
		return 1, errMembers
	}
	return 1, nil
}

// ber is what is left of a value in the encoding of ASN.1 that signed files come in (BER).
type ber []byte

// head takes the head of a value and says how long that is; -1: until it ends by itself.
func (b *ber) head() (tag byte, size int, ok bool) {
	data := *b
	if len(data) < 2 {
		return 0, 0, false
	}
	tag, size, data = data[0], int(data[1]), data[2:]
	switch {
	case size == 0x80:
		size = -1
	case size > 0x80:
		n := size & 0x7f
		if n > 4 || n > len(data) {
			return 0, 0, false
		}
		size = 0
		for _, c := range data[:n] {
			size = size<<8 | int(c)
		}
		data = data[n:]
	}
	*b = data
	return tag, size, true
}

// enter goes into a value of this tag, if it is the next; what follows that is left behind, unless only a mark ends it.
func (b *ber) enter(tag byte) bool {
	inner := *b
	t, size, ok := inner.head()
	if !ok || t != tag {
		return false
	}
	if size >= 0 {
		inner = inner[:min(size, len(inner))]
	}
	*b = inner
	return true
}

// value takes a value without parts; nil where the next is none of this tag.
func (b *ber) value(tag byte) []byte {
	rest := *b
	t, size, ok := rest.head()
	if !ok || t != tag || size < 0 || size > len(rest) {
		return nil
	}
	*b = rest[size:]
	return rest[:size:size]
}

// skip passes over a value of this tag and all that is in it.
func (b *ber) skip(tag byte) bool {
	rest := *b
	for depth := 0; ; {
		t, size, ok := rest.head()
		switch {
		case !ok || depth == 0 && t != tag:
			return false
		case size < 0:
			depth++
		case t == 0 && size == 0: // the end of one
			depth--
		case size > len(rest):
			return false
		default:
			rest = rest[size:]
		}
		if depth == 0 {
			*b = rest
			return true
		}
	}
}

// octets joins the pieces of a string that may come in several, as far as they are there.
func (b *ber) octets() []byte {
	var pieces [][]byte
	for {
		t, size, ok := b.head()
		switch {
		case ok && (t == 0 && size == 0 || t == berOctets|berConstructed):
		case ok && t == berOctets && size >= 0:
			n := min(size, len(*b))
			pieces = append(pieces, (*b)[:n])
			*b = (*b)[n:]
		default:
			return bytes.Join(pieces, nil)
		}
	}
}
