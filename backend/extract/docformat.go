package extract

import (
	"encoding/binary"
	"slices"
)

// docPage is how large the pages are on which the formats of runs and paragraphs stand.
const docPage = 512

// Modifiers that say what a reader sees, by their numbers in MS-DOC.
const (
	docDeleted    = 0x0800
	docVanish     = 0x083c
	docTable      = 0x2416
	docTableRow   = 0x2417
	docOutline    = 0x2640
	docBodyLevel  = 9
	docParaWidth  = 13 // bytes of the entry of a paragraph on a page, of which the first says where its format is
	docFirstLevel = 1  // the style of a first heading; those of the others follow
	docLastLevel  = 9
)

// docRanges goes through the pages that a list names and gives the ranges that are something: kind says what the format
// at a place of a page means.
func docRanges(text, list []byte, kind func(page []byte, n, entry int) int) []docRange {
	var out []docRange
	n := (len(list) - 4) / 8
	for i := range max(0, n) {
		if len(out) > len(text) {
			break // each has a character at least
		}
		at := int(binary.LittleEndian.Uint32(list[4*(n+1)+4*i:])&0x3fffff) * docPage
		if at+docPage > len(text) {
			continue
		}
		page := text[at : at+docPage]
		count := int(page[docPage-1])
		for k := range count {
			if 4*(k+2) > docPage-1 {
				break
			}
			from, to := int(binary.LittleEndian.Uint32(page[4*k:])), int(binary.LittleEndian.Uint32(page[4*k+4:]))
			if what := kind(page, count, k); what != 0 && from < to {
				out = append(out, docRange{from, to, what})
			}
		}
	}
	slices.SortFunc(out, func(a, b docRange) int { return a.to - b.to })
	return out
}

// docHidden says whether the run with this entry is not shown.
func docHidden(page []byte, count, entry int) int {
	at := 4*(count+1) + entry
	if at >= docPage-1 {
		return 0
	}
	at = 2 * int(page[at])
	if at == 0 || at >= docPage-1 {
		return 0
	}
	what := 0
	docModifiers(page[at+1:min(at+1+int(page[at]), docPage)], func(id uint16, value []byte) {
		if id == docDeleted || id == docVanish {
			what = int(value[0]) & docIsGone
		}
	})
	return what
}

// docParagraph says what the paragraph with this entry is.
func docParagraph(page []byte, count, entry int) int {
	at := 4*(count+1) + docParaWidth*entry
	if at >= docPage-1 {
		return 0
	}
	at = 2 * int(page[at])
	if at == 0 || at+1 >= docPage {
		return 0
	}
	size := 2*int(page[at]) - 1
	at++
	if size < 0 {
		size = 2 * int(page[at])
		at++
	}
	if size < 2 || at+size > docPage {
		return 0
	}
	what := 0
	if style := int(binary.LittleEndian.Uint16(page[at:])); style >= docFirstLevel && style <= docLastLevel {
		what = style
	}
	docModifiers(page[at+2:at+size], func(id uint16, value []byte) {
		switch {
		case id == docTable && value[0] == 1:
			what |= docInTable
		case id == docTableRow && value[0] == 1:
			what |= docRowEnd
		case id == docOutline && value[0] < docBodyLevel:
			what = what&^docLevel | int(value[0]) + 1
		}
	})
	return what
}

// docModifiers goes through a list of modifiers; a value has at least one byte.
func docModifiers(list []byte, each func(id uint16, value []byte)) {
	for len(list) > 2 {
		id := binary.LittleEndian.Uint16(list)
		list = list[2:]
		size := [8]int{1, 1, 2, 4, 2, 2, 0, 3}[id>>13]
		if size == 0 {
			size = 1 + int(list[0])
			if id == 0xd608 && len(list) > 1 { // the cells of a table, the one whose size has two bytes
				size = 1 + int(binary.LittleEndian.Uint16(list))
			}
		}
		if size > len(list) {
			return
		}
		each(id, list[:size])
		list = list[size:]
	}
}
