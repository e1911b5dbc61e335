package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

const (
	// maxHeader is many times what any encoder needs: 100 bytes a tensor are usual.
	maxHeader = 16 << 20
	maxRank   = 8
	// metadata is the one key of a header that is no tensor.
	metadata = "__metadata__"
)

// elementBits is the size of an element of each type.
var elementBits = map[string]int{
	"BOOL": 8, "U8": 8, "I8": 8, "U16": 16, "I16": 16, "U32": 32, "I32": 32, "U64": 64, "I64": 64,
	"F8_E5M2": 8, "F8_E4M3": 8, "F16": 16, "BF16": 16, "F32": 32, "F64": 64,
}

type header struct {
	entries []entry
	end     int64 // of the header, where the tensors begin
}

type entry struct {
	name    string
	Type    string  `json:"dtype"`
	Shape   []int   `json:"shape"`
	Offsets []int64 `json:"data_offsets"` // [begin, end) after the header
}

func (e entry) begin() int64 { return e.Offsets[0] }
func (e entry) bytes() int64 { return e.Offsets[1] - e.Offsets[0] }

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
}

func readHeader(r io.ReaderAt, size int64) (header, error) {
	var length [8]byte
	if _, err := r.ReadAt(length[:], 0); err != nil {
		if errors.Is(err, io.EOF) {
			return header{}, malformed("it has only %d bytes", size)
		}
		return header{}, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	switch {
	case n > maxHeader:
		return header{}, malformed("it says its header has %d bytes; more than %d are not read", n, maxHeader)
	case int64(n) > size-8:
		return header{}, malformed("its header has %d bytes and the file %d", n, size)
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, 8); err != nil && !errors.Is(err, io.EOF) {
		return header{}, err
	}
	entries, err := parse(text)
	return header{entries: entries, end: 8 + int64(n)}, err
}

// parse reads the header's JSON one key at a time: a map would keep the last of two tensors with one name.
func parse(text []byte) ([]entry, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, malformed("its header is no JSON object")
	}
	var entries []entry
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, malformed("its header is no JSON: %v", err)
		}
		if seen[name] {
			return nil, malformed("tensor %q is there twice", name)
		}
		seen[name] = true
		e := entry{name: name}
		var into any = &e
		if name == metadata {
			into = &map[string]string{}
		}
		if err := d.Decode(into); err != nil {
			return nil, malformed("what its header says of %q cannot be read: %v", name, err)
		}
		if name != metadata {
			entries = append(entries, e)
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, malformed("its header is cut")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) { // spaces may follow, to align the tensors
		return nil, malformed("something follows its header")
	}
	return entries, nil
}

// check compares what a header says of a tensor with itself and with the bytes after the header.
func (e entry) check(room int64) error {
	bits, known := elementBits[e.Type]
	switch {
	case !known:
		return malformed("tensor %q is of type %q, which is not known", e.name, e.Type)
	case len(e.Offsets) != 2:
		return malformed("tensor %q has %d offsets, not 2", e.name, len(e.Offsets))
	case len(e.Shape) > maxRank:
		return malformed("tensor %q has %d dimensions", e.name, len(e.Shape))
	case e.Offsets[0] < 0 || e.Offsets[0] > e.Offsets[1]:
		return malformed("tensor %q lies from %d to %d", e.name, e.Offsets[0], e.Offsets[1])
	case e.Offsets[1] > room:
		return malformed("tensor %q ends at %d of %d bytes: the file is cut", e.name, e.Offsets[1], room)
	}
	want := int64(bits / 8)
	for _, d := range e.Shape {
		if d < 0 || d > 0 && want > room/int64(d) {
			return malformed("tensor %q has the shape %v, which %d bytes cannot hold", e.name, e.Shape, room)
		}
		want *= int64(d)
	}
	if want != e.bytes() {
		return malformed("tensor %q of type %s and shape %v needs %d bytes, not %d", e.name, e.Type, e.Shape, want, e.bytes())
	}
	return nil
}

// checkCover refuses tensors that share bytes, and bytes of no tensor: both are forbidden, so that a file says nothing
// beside what it seems to.
func (h header) checkCover(size int64) error {
	entries := slices.Clone(h.entries)
	slices.SortStableFunc(entries, func(a, b entry) int {
		if a.begin() != b.begin() {
			return int(min(max(a.begin()-b.begin(), -1), 1))
		}
		return int(min(max(a.bytes()-b.bytes(), -1), 1))
	})
	var at int64
	for _, e := range entries {
		switch {
		case e.begin() < at:
			return malformed("tensor %q begins at %d, inside another that ends at %d", e.name, e.begin(), at)
		case e.begin() > at:
			return malformed("the bytes from %d to %d belong to no tensor", at, e.begin())
		}
		at = e.Offsets[1]
	}
	if rest := size - h.end - at; rest != 0 {
		return malformed("%d bytes after the last tensor belong to none", rest)
	}
	return nil
}
