package extract

import (
	"bytes"
	"encoding/binary"
	"net/http"
	"strings"

	"fanous/backend/domain"
)

// maxTIFFPages is how many pages of a TIFF file are looked for.
const maxTIFFPages = 10_000

// isImage knows pictures by their first bytes: PNG, JPEG, GIF, WebP, BMP and TIFF.
func isImage(head []byte) bool {
	return strings.HasPrefix(http.DetectContentType(head), "image/") && !bytes.HasPrefix(head, []byte("BM")) || isBMP(head) || isTIFF(head)
}

// isBMP wants more than the two letters that a text may begin with, too.
func isBMP(head []byte) bool {
	return len(head) >= 18 && string(head[:2]) == "BM" && binary.LittleEndian.Uint32(head[6:]) == 0 && binary.LittleEndian.Uint32(head[14:]) <= 124
}

func isTIFF(head []byte) bool {
	return bytes.HasPrefix(head, []byte("II*\x00")) || bytes.HasPrefix(head, []byte("MM\x00*"))
}

// readImage finds no text, and says how many pages there are to recognise some in: of a TIFF file, which may be a
// scanned letter, more than one.
func readImage(src source) (domain.Content, error) {
	var content domain.Content
	for page := range tiffPages(src) {
		content.Images = append(content.Images, page+1)
	}
	return content, nil
}

// tiffPages counts the pages of a TIFF file; any other picture has one.
func tiffPages(src source) int {
	head := make([]byte, 8)
	if _, err := src.ReadAt(head, 0); err != nil || !isTIFF(head) {
		return 1
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if head[0] == 'M' {
		order = binary.BigEndian
	}
	pages, seen := 0, map[int64]bool{0: true} // the pages may be chained in a circle
	for at := int64(order.Uint32(head[4:])); !seen[at] && pages < maxTIFFPages; pages++ {
		seen[at] = true
		entries := make([]byte, 2)
		if _, err := src.ReadAt(entries, at); err != nil {
			break
		}
		next := make([]byte, 4)
		if _, err := src.ReadAt(next, at+2+12*int64(order.Uint16(entries))); err != nil {
			break
		}
		at = int64(order.Uint32(next))
	}
	return max(1, pages)
}
