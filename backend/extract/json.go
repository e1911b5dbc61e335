package extract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fanous/backend/domain"
)

// jsonLines is how many lines a block of JSON has at most.
const jsonLines = 40

// readJSON reads JSON, or one value a line, as lines of keys and values in their order. What is no
// JSON is plain text.
func readJSON(ctx context.Context, text string) (domain.Content, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	r := jsonReader{text: text, line: 1}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return domain.Content{}, ctx.Err()
		}
		t, err := d.Token()
		if errors.Is(err, io.EOF) && len(r.objects) == 0 {
			break
		}
		if err != nil {
			return readText(ctx, text)
		}
		r.token(t, int(d.InputOffset()))
	}
	r.flush()
	return domain.Content{Blocks: r.out.blocks}, nil
}

// jsonReader turns tokens into blocks: one for each value of the outermost list or object, or less
// where that is long.
type jsonReader struct {
	text string
	out  outline

	objects []bool // for each open value whether it is an object, outermost first
	key     string // that waits for its value
	hasKey  bool

	lines []string
	first int // line of the file where lines begin
	at    int // offset up to which lines of the file are counted
	line  int // the line at that offset
}

func (r *jsonReader) token(t json.Token, offset int) {
	r.line += strings.Count(r.text[r.at:offset], "\n")
	r.at = offset
	switch t := t.(type) {
	case json.Delim:
		if t == '{' || t == '[' {
			if r.hasKey {
				r.write(r.key + ":")
			}
			r.hasKey = false
			r.objects = append(r.objects, t == '{')
			return
		}
		r.objects = r.objects[:len(r.objects)-1]
		r.hasKey = false
	case string:
		t = fromBytes(t)
		if len(r.objects) > 0 && r.objects[len(r.objects)-1] && !r.hasKey {
			r.key, r.hasKey = t, true
			return
		}
		r.value(t)
	case nil:
		r.hasKey = false
	default:
		r.value(fmt.Sprint(t))
	}
	if len(r.objects) <= 1 || len(r.lines) >= jsonLines {
		r.flush()
	}
}

// fromBytes undoes what some exports do to a text (Facebook's): each byte of its UTF-8 is a character in them.
func fromBytes(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return s // as most are
	}
	bytes := make([]byte, 0, len(s))
	for _, c := range s {
		if c > 0xff {
			return s
		}
		bytes = append(bytes, byte(c))
	}
	if !utf8.Valid(bytes) {
		return s
	}
	return string(bytes)
}

func (r *jsonReader) value(s string) {
	if isEncoded(s) {
		s = "" // a picture in a notebook, an attachment in an export
	}
	if r.hasKey {
		s = r.key + ": " + s
	}
	r.hasKey = false
	r.write(s)
}

func (r *jsonReader) write(s string) {
	if s = clean(s); s == "" {
		return
	}
	if len(r.lines) == 0 {
		r.first = r.line
	}
	r.lines = append(r.lines, s)
}

func (r *jsonReader) flush() {
	r.out.add(domain.KindParagraph, strings.Join(r.lines, "\n"), domain.Place{Line: r.first})
	r.lines = nil
}
