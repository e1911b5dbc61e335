package extract

import (
	"strconv"
	"strings"
)

// word does what a control word says.
func (r *rtf) word(word string, n int, given bool) {
	if r.skip > 0 && word != "u" && word != "bin" { // a control, too, stands for one character
		r.skip--
		return
	}
	on := !given || n != 0
	switch word {
	case "u":
		r.skip = 0
		r.unicode(n)
	case "uc":
		r.group.unicodeSkip = max(0, min(n, 100))
	case "bin":
		r.binary(n)
	case "f":
		r.flush()
		r.group.font = n
	case "fcharset":
		if page := fontPages[n]; r.group.into == rtfFonts && page != 0 {
			r.charsets[r.group.font] = page
		}
	case "ansicpg":
		if r.page = n; n == 1252 { // what programs write that do not know
			r.page = 0
		}
	case "mac":
		r.page = 10000
	case "pc":
		r.page = 437
	case "deleted", "v":
		r.flush()
		r.group.hidden = on
	case "plain":
		r.flush()
		r.group.hidden = false
	default:
		if !r.destination(word) {
			r.layout(word, n)
		}
	}
}

// destination changes where a group's text goes. One that is marked as possibly unknown, and is,
// goes nowhere.
func (r *rtf) destination(word string) bool {
	starred := r.group.starred
	r.group.starred = false
	switch word {
	case "upr": // {\upr{text}{\*\ud{the same in Unicode}}}
		r.flush()
		r.group.alternative, r.group.into = r.group.into, rtfNowhere
		return true
	case "ud":
		r.flush()
		r.group.into = r.group.alternative
		return true
	}
	if into, known := rtfDestinations[word]; known {
		r.flush()
		switch {
		case r.group.into == rtfNowhere: // what is passed over is passed over with all that is in it
		case into > rtfInfo && r.group.into != rtfInfo: // a part of it
			r.group.into = rtfNowhere
		default:
			r.group.into = into
		}
		r.list = r.list || word == "listtext" || word == "pntext"
		return true
	}
	if starred && !rtfTransparent[word] {
		r.flush()
		r.group.into = rtfNowhere
		return true
	}
	if kind, aside := rtfAsides[word]; aside && r.group.into == rtfBody {
		r.startAside(kind)
		return true
	}
	return false
}

// layout does what a word says about paragraphs, tables and single characters.
func (r *rtf) layout(word string, n int) {
	if text, ok := rtfCharacters[word]; ok {
		r.special(text)
		return
	}
	switch r.group.into {
	case rtfBody:
	case rtfStyles:
		switch {
		case word == "s":
			r.style = n
		case word == "outlinelevel" && n >= 0 && n < 9:
			r.levels[r.style] = n + 1
		}
		return
	case rtfCreated:
		r.created.set(word, n)
		return
	case rtfChanged:
		r.changed.set(word, n)
		return
	default:
		return
	}
	switch word {
	case "par", "sect", "page":
		if r.inTable || r.asides > 0 { // paragraphs of a cell or note
			r.special("\n")
			return
		}
		r.endParagraph()
	case "pard":
		if r.asides == 0 {
			r.level, r.inTable = 0, false
		}
	case "s":
		if r.asides == 0 {
			r.level = r.levels[n]
		}
	case "intbl":
		r.inTable = r.inTable || r.asides == 0
	case "outlinelevel":
		if n >= 0 && n < 9 {
			r.level = n + 1
		}
	case "cell", "nestcell", "row", "nestrow":
		r.endCells(word)
	}
}

// endStyle notes what a style is called: headings have the same names in every language.
func (r *rtf) endStyle() {
	if number, ok := strings.CutPrefix(strings.ToLower(strings.Trim(r.called.String(), " ;")), "heading "); ok {
		if n, err := strconv.Atoi(number); err == nil && n > 0 && n < 10 {
			r.levels[r.style] = n
		}
	}
	r.called.Reset()
	r.style = 0
}

// set notes one number of a date.
func (d *rtfDate) set(word string, n int) {
	switch word {
	case "yr":
		d.year = n
	case "mo":
		d.month = n
	case "dy":
		d.day = n
	case "hr":
		d.hour = n
	case "min":
		d.minute = n
	}
}

// rtfDestinations are groups that are no text of the body, or are in a way of their own.
var rtfDestinations = map[string]rtfTarget{
	"fonttbl": rtfFonts, "info": rtfInfo, "title": rtfTitle, "author": rtfAuthor,
	"colortbl": rtfNowhere, "stylesheet": rtfStyles, "listtable": rtfNowhere, "listoverridetable": rtfNowhere,
	"pict": rtfNowhere, "objdata": rtfNowhere, "objclass": rtfNowhere, "nonshppict": rtfNowhere, "fldinst": rtfNowhere,
	"xe": rtfNowhere, "tc": rtfNowhere, "rxe": rtfNowhere, "bkmkstart": rtfNowhere, "bkmkend": rtfNowhere,
	"listtext": rtfNowhere, "pntext": rtfNowhere, "sp": rtfNowhere, "revtbl": rtfNowhere, "rsidtbl": rtfNowhere,
	"themedata": rtfNowhere, "datastore": rtfNowhere, "generator": rtfNowhere, "filetbl": rtfNowhere,
	"subject": rtfNowhere, "operator": rtfNowhere, "keywords": rtfNowhere, "comment": rtfNowhere, "doccomm": rtfNowhere,
	"company": rtfNowhere, "manager": rtfNowhere, "category": rtfNowhere, "creatim": rtfCreated, "revtim": rtfChanged,
	"printim": rtfNowhere, "buptim": rtfNowhere, "atnid": rtfNowhere, "atnauthor": rtfNowhere, "atndate": rtfNowhere,
	"atnref": rtfNowhere, "atntime": rtfNowhere, "falt": rtfNowhere, "panose": rtfNowhere, "ftnsep": rtfNowhere,
	"ftnsepc": rtfNowhere, "aftnsep": rtfNowhere, "aftnsepc": rtfNowhere,
}

// rtfTransparent are destinations that are marked as possibly unknown, and whose text is text.
var rtfTransparent = map[string]bool{"shpinst": true, "shptxt": true, "annotation": true, "footnote": true}

var rtfCharacters = map[string]string{
	"tab": "\t", "line": "\n", "emdash": "\u2014", "endash": "\u2013", "bullet": "\u2022",
	"lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d",
	"zwj": "\u200d", "zwnj": "\u200c", "ltrmark": "\u200e", "rtlmark": "\u200f",
	"emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005",
}

// fontPages are code pages by the character set of a font.
var fontPages = map[int]int{
	77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
	179: 1256, 180: 1256, 181: 1255, 186: 1257, 204: 1251, 222: 874, 238: 1250,
}
