package extract

import (
	"encoding/binary"
	"unicode/utf16"
)

// node is a stream of a compound file, or a storage of others.
type node struct {
	name string
	data []byte
	in   []node
}

const (
	cfbFree, cfbEnd, cfbFAT = 0xffffffff, 0xfffffffe, 0xfffffffd
	cfbSector, cfbMini      = 512, 64
)

// compoundFile writes a compound file of the older version. Its directory is a list and no balanced tree, which
// readers do not mind.
func compoundFile(nodes ...node) []byte {
	w := cfbWriter{}
	w.entry(node{name: "Root Entry"}, 5)
	w.children(0, nodes)
	root := w.directory[0]
	binary.LittleEndian.PutUint32(root[116:], w.put(w.mini))
	binary.LittleEndian.PutUint32(root[120:], uint32(len(w.mini)))
	var minis, directory []byte
	for _, next := range w.miniFAT {
		minis = binary.LittleEndian.AppendUint32(minis, next)
	}
	for len(minis)%cfbSector != 0 {
		minis = binary.LittleEndian.AppendUint32(minis, cfbFree)
	}
	for _, e := range w.directory {
		directory = append(directory, e...)
	}
	miniStart, directoryStart := w.put(minis), w.put(directory)
	return w.file(directoryStart, miniStart, len(minis)/cfbSector)
}

type cfbWriter struct {
	body      []byte // all sectors
	fat       []uint32
	mini      []byte
	miniFAT   []uint32
	directory [][]byte
}

// put adds a chain of sectors and gives its first.
func (w *cfbWriter) put(data []byte) uint32 { return chain(&w.body, &w.fat, cfbSector, data) }

// putMini does the same in the small sectors that lie in a stream of their own.
func (w *cfbWriter) putMini(data []byte) uint32 { return chain(&w.mini, &w.miniFAT, cfbMini, data) }

func chain(body *[]byte, table *[]uint32, size int, data []byte) uint32 {
	if len(data) == 0 {
		return cfbEnd
	}
	first := len(*table)
	*body = append(*body, data...)
	for at := 0; at < len(data); at += size {
		*table = append(*table, uint32(len(*table)+1))
	}
	(*table)[len(*table)-1] = cfbEnd
	*body = append(*body, make([]byte, len(*table)*size-len(*body))...)
	return uint32(first)
}

// entry adds an entry of the directory, of a kind: 1 a storage, 2 a stream, 5 the root.
func (w *cfbWriter) entry(n node, kind byte) int {
	e := make([]byte, 128)
	name := utf16.Encode([]rune(n.name))
	for i, u := range name {
		binary.LittleEndian.PutUint16(e[2*i:], u)
	}
	binary.LittleEndian.PutUint16(e[64:], uint16(2*len(name)+2))
	e[66], e[67] = kind, 1
	for _, at := range []int{68, 72, 76} {
		binary.LittleEndian.PutUint32(e[at:], cfbFree)
	}
	if kind == 2 {
		start := w.putMini
		if len(n.data) >= 4096 {
			start = w.put
		}
		binary.LittleEndian.PutUint32(e[116:], start(n.data))
		binary.LittleEndian.PutUint32(e[120:], uint32(len(n.data)))
	}
	w.directory = append(w.directory, e)
	return len(w.directory) - 1
}

func (w *cfbWriter) children(parent int, nodes []node) {
	before, at := parent, 76 // the first hangs on its parent, the others on the one before
	for _, n := range nodes {
		kind := byte(2)
		if n.data == nil {
			kind = 1
		}
		id := w.entry(n, kind)
		binary.LittleEndian.PutUint32(w.directory[before][at:], uint32(id))
		before, at = id, 72
		w.children(id, n.in)
	}
}

// file puts the table of sectors behind them and the header in front.
func (w *cfbWriter) file(directory, minis uint32, miniSectors int) []byte {
	tables := 1
	for tables*cfbSector/4 < len(w.fat)+tables {
		tables++
	}
	first := len(w.fat)
	for range tables {
		w.fat = append(w.fat, cfbFAT)
	}
	for _, next := range w.fat {
		w.body = binary.LittleEndian.AppendUint32(w.body, next)
	}
	for len(w.body)%cfbSector != 0 {
		w.body = binary.LittleEndian.AppendUint32(w.body, cfbFree)
	}
	h := make([]byte, cfbSector)
	copy(h, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	for at, v := range map[int]uint16{24: 0x3e, 26: 3, 28: 0xfffe, 30: 9, 32: 6} {
		binary.LittleEndian.PutUint16(h[at:], v)
	}
	for at, v := range map[int]uint32{44: uint32(tables), 48: directory, 56: 4096, 60: minis, 64: uint32(miniSectors), 68: cfbEnd} {
		binary.LittleEndian.PutUint32(h[at:], v)
	}
	for i := range 109 {
		v := uint32(cfbFree)
		if i < tables {
			v = uint32(first + i)
		}
		binary.LittleEndian.PutUint32(h[76+4*i:], v)
	}
	return append(h, w.body...)
}
