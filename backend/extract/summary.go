package extract

import (
	"bytes"
	"encoding/binary"
	"time"

	"fanous/backend/domain"
)

// Properties in the summary of a compound file (MS-OLEPS), and types of their values.
const (
	summaryPage    = 1
	summaryTitle   = 2
	summaryAuthor  = 4
	summaryCreated = 12
	summarySaved   = 13

	pageUTF16 = 1200

	valueShort = 2
	valueBytes = 0x1e
	valueTime  = 0x40
)

// summary reads what a document of Office before 2007 says about itself, as content without text.
func (c *compound) summary() domain.Content {
	data := c.stream("", "SummaryInformation")
	const sectionAt = 44
	if len(data) < sectionAt+4 {
		return domain.Content{}
	}
	from := int(binary.LittleEndian.Uint32(data[sectionAt:]))
	if from+8 > len(data) {
		return domain.Content{}
	}
	section := data[from:]
	values := map[uint32][]byte{} // with their types before them
	for i := range min(int(binary.LittleEndian.Uint32(section[4:])), (len(section)-8)/8) {
		id, at := binary.LittleEndian.Uint32(section[8+8*i:]), int(binary.LittleEndian.Uint32(section[12+8*i:]))
		if at+8 <= len(section) {
			values[id] = section[at:]
		}
	}
	page := 0
	if v := values[summaryPage]; v != nil && v[0] == valueShort {
		page = int(binary.LittleEndian.Uint16(v[4:]))
	}
	text := func(id uint32) string {
		v := values[id]
		if v == nil || v[0] != valueBytes {
			return ""
		}
		size := int(binary.LittleEndian.Uint32(v[4:]))
		value := v[8 : 8+min(size, len(v)-8)]
		if page != pageUTF16 {
			value, _, _ = bytes.Cut(value, []byte{0}) // which would look like UTF-16
		}
		return clean(decodeDeclared(value, pageLabel(page)))
	}
	content := domain.Content{Title: text(summaryTitle), Author: text(summaryAuthor)}
	for _, id := range []uint32{summarySaved, summaryCreated} {
		if v := values[id]; content.Dated.IsZero() && len(v) >= 12 && v[0] == valueTime {
			content.Dated = windowsTime(binary.LittleEndian.Uint64(v[4:]))
		}
	}
	return content
}

// windowsTime reads a date that is counted in 100 ns since 1601.
func windowsTime(n uint64) time.Time {
	const seconds1601 = -11644473600
	if n == 0 || n>>63 != 0 {
		return time.Time{}
	}
	return believable(time.Unix(int64(n/1e7)+seconds1601, int64(n%1e7)*100).UTC())
}
