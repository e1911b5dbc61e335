package extract

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif"  // kinds of pictures
	_ "image/jpeg" // that are read
	_ "image/png"
	"io"

	_ "golang.org/x/image/bmp"
	scale "golang.org/x/image/draw"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
)

// maxPicture is how many pixels a picture may have that is read: A3 at 600 dpi. It is known before any is decoded.
const maxPicture = 72_000_000

// readPicture decodes a page of a picture file into pixels on white. Only TIFF files have more than one.
func readPicture(src source, page int, size Raster) (pixels image.Image, err error) {
	defer func() {
		if p := recover(); p != nil {
			pixels, err = nil, damaged(p)
		}
	}()
	data, err := picturePage(src, page)
	if err != nil {
		return nil, err
	}
	config, kind, err := image.DecodeConfig(io.NewSectionReader(data, 0, src.size))
	if err != nil {
		return nil, unknownPicture(err)
	}
	switch {
	case config.Width <= 0 || config.Height <= 0:
		return nil, errors.New("the picture has no size")
	case config.Width > maxPicture/config.Height:
		return nil, fmt.Errorf("the picture of %d × %d pixels is larger than what is read", config.Width, config.Height)
	case kind != "tiff" && page > 1:
		return nil, fmt.Errorf("the picture has no page %d", page)
	}
	decoded, _, err := image.Decode(io.NewSectionReader(data, 0, src.size))
	if err != nil {
		return nil, unknownPicture(err)
	}
	return onWhite(decoded, size)
}

func unknownPicture(err error) error {
	if errors.Is(err, image.ErrFormat) {
		return unsupported("it is a picture of a kind that is not known")
	}
	return fmt.Errorf("the picture is damaged: %w", err)
}

// onWhite gives a picture on white, made smaller where it would not fit.
func onWhite(m image.Image, size Raster) (draw.Image, error) {
	from := m.Bounds()
	room, err := size.fit(float64(from.Dx()), float64(from.Dy()), 1)
	if err != nil {
		return nil, err
	}
	to := image.Rectangle{Max: room}
	var out draw.Image = image.NewGray(to)
	if size.Colour {
		out = image.NewRGBA(to)
	}
	draw.Draw(out, to, image.NewUniform(color.White), image.Point{}, draw.Src)
	if room != from.Size() {
		scale.ApproxBiLinear.Scale(out, to, m, from, draw.Over, nil)
	} else {
		draw.Draw(out, to, m, from.Min, draw.Over)
	}
	return out, nil
}

// picturePage gives the bytes of a file in which its page number stands first: those of a TIFF file are a chain.
func picturePage(src source, page int) (io.ReaderAt, error) {
	head := make([]byte, 8)
	if _, err := src.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("the picture is damaged: %w", err)
	}
	order := binary.ByteOrder(binary.LittleEndian)
	switch string(head[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return src, nil
	}
	for range page - 1 {
		at := int64(order.Uint32(head[4:]))
		var count [2]byte
		if _, err := src.ReadAt(count[:], at); err != nil {
			return nil, fmt.Errorf("the picture is damaged: %w", err)
		}
		if _, err := src.ReadAt(head[4:], at+2+12*int64(order.Uint16(count[:]))); err != nil {
			return nil, fmt.Errorf("the picture is damaged: %w", err)
		}
		if order.Uint32(head[4:]) == 0 {
			return nil, fmt.Errorf("the picture has no page %d", page)
		}
	}
	return otherHead{src, head}, nil
}

// otherHead is a file with other first bytes.
type otherHead struct {
	io.ReaderAt
	head []byte
}

func (o otherHead) ReadAt(p []byte, at int64) (int, error) {
	n, err := o.ReaderAt.ReadAt(p, at)
	if at >= 0 && at < int64(len(o.head)) {
		copy(p[:n], o.head[at:])
	}
	return n, err
}
