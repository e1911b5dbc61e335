package extract

import (
	"regexp"
	"strings"
)

var uuStart = regexp.MustCompile(`^begin [0-7]{3,4} (\S.*)$`)

// withoutUU takes the files out of a text that were put into it as mail did before it had attachments: between lines of
// "begin 644 NAME" and "end", each line of up to 45 bytes, three of them in four characters.
func withoutUU(text string) (string, []attachment) {
	if !strings.Contains(text, "begin ") {
		return text, nil
	}
	var kept, data []byte
	var files []attachment
	name, block := "", 0 // of the open file, and where in kept it began
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		kept = append(kept, line...)
		switch m := uuStart.FindStringSubmatch(bare); {
		case m != nil:
			name, block, data = m[1], len(kept)-len(line), nil
		case name == "":
		case bare == "end" && len(files) < maxParts:
			content := data
			files = append(files, attachment{name: name, data: func() []byte { return content }})
			kept, name = kept[:block], ""
		case !uuLine(&data, bare): // a sentence that begins with "begin"
			name = ""
		}
	}
	return string(kept), files
}

// uuLine decodes a line, whose first character says how many bytes it has; spaces at its end may have been lost.
func uuLine(into *[]byte, line string) bool {
	if line == "" {
		return true
	}
	value := func(i int) byte {
		if i >= len(line) {
			return 0
		}
		return (line[i] - ' ') & 0x3f
	}
	n := int(value(0))
	if line[0] < ' ' || line[0] > '`' || len(line) > 1+(n+2)/3*4+2 {
		return false
	}
	for i := 1; n > 0; i, n = i+4, n-3 {
		group := []byte{value(i)<<2 | value(i+1)>>4, value(i+1)<<4 | value(i+2)>>2, value(i+2)<<6 | value(i+3)}
		*into = append(*into, group[:min(n, 3)]...)
	}
	return true
}
