package extract

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	xunicode "golang.org/x/text/encoding/unicode"
)

// mapiProperties is the stream that lists the properties of a message, recipient or attachment.
const mapiProperties = "__properties_version1.0"

// Properties of messages that are read, by their numbers in MS-OXPROPS.
const (
	mapiSubject       = 0x0037
	mapiSubmitted     = 0x0039
	mapiClass         = 0x001a
	mapiHeaders       = 0x007d
	mapiFromName      = 0x0042
	mapiFromSMTP      = 0x5d02
	mapiSenderName    = 0x0c1a
	mapiSenderSMTP    = 0x5d01
	mapiSenderAddress = 0x0c1f
	mapiDelivered     = 0x0e06
	mapiBody          = 0x1000
	mapiRTF           = 0x1009
	mapiHTML          = 0x1013
	mapiInternetPage  = 0x3fde
	mapiMessagePage   = 0x3ffd

	mapiRecipientKind = 0x0c15
	mapiName          = 0x3001
	mapiAddress       = 0x3003
	mapiSMTP          = 0x39fe

	mapiData       = 0x3701
	mapiMethod     = 0x3705
	mapiShortName  = 0x3704
	mapiLongName   = 0x3707
	mapiMediaType  = 0x370e
	mapiContentID  = 0x3712
	mapiByMessage  = 5 // a method: the attachment is a message
	mapiByOLE      = 6
	mapiTypeText   = 0x001f
	mapiTypeBytes8 = 0x001e // text in a code page
	mapiTypeBinary = 0x0102
	mapiTypeObject = 0x000d
)

// mapiObject is the properties of one storage of a message file.
type mapiObject struct {
	file    *compound
	storage string
	page    int               // code page of its texts
	fixed   map[uint16]uint64 // values of a fixed size, by property
}

// object reads the list of properties of a storage, whose head is so long.
func (c *compound) object(storage string, head, page int) *mapiObject {
	o := &mapiObject{file: c, storage: storage, page: page, fixed: map[uint16]uint64{}}
	list := c.stream(storage, mapiProperties)
	for at := head; at+16 <= len(list); at += 16 {
		o.fixed[binary.LittleEndian.Uint16(list[at+2:])] = binary.LittleEndian.Uint64(list[at+8:])
	}
	if n := o.number(mapiMessagePage); n > 0 {
		o.page = n
	}
	return o
}

func (o *mapiObject) number(id uint16) int { return int(int32(o.fixed[id])) }

func (o *mapiObject) time(id uint16) time.Time { return windowsTime(o.fixed[id]) }

func (o *mapiObject) raw(id uint16, kind int) []byte {
	return o.file.stream(o.storage, fmt.Sprintf("__substg1.0_%04X%04X", id, kind))
}

func (o *mapiObject) text(id uint16) string {
	if data := o.raw(id, mapiTypeText); data != nil {
		return wideText(data)
	}
	return strings.TrimSpace(decodeDeclared(o.raw(id, mapiTypeBytes8), pageLabel(o.page)))
}

// wideText decodes a text in UTF-16.
func wideText(data []byte) string {
	return strings.TrimSpace(tidy(convert(data, xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM))))
}

// first is the first of some properties that says something.
func (o *mapiObject) first(ids ...uint16) string {
	for _, id := range ids {
		if s := o.text(id); s != "" {
			return s
		}
	}
	return ""
}

// pageLabel is the name under which encodings are looked up of a code page of Windows; "" for one without.
func pageLabel(page int) string {
	switch page {
	case 65001:
		return "utf-8"
	case 20127, 0:
		return ""
	case 932:
		return "shift_jis"
	case 936, 54936:
		return "gb18030"
	case 949:
		return "euc-kr"
	case 950:
		return "big5"
	case 20866:
		return "koi8-r"
	case 50220, 50221, 50222:
		return "iso-2022-jp"
	case 51932:
		return "euc-jp"
	}
	if page > 28590 && page < 28606 {
		return "iso-8859-" + strconv.Itoa(page-28590)
	}
	return "windows-" + strconv.Itoa(page)
}
