package extract

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// cellSeparator stands between the cells of a table row.
const cellSeparator = " | "

// inlineText collects text that runs on, with white space as HTML shows it: one space for any run
// of it, none at the ends.
type inlineText struct {
	b       strings.Builder
	pending string // white space that counts only if text follows
}

func (t *inlineText) write(s string, keep bool) {
	if keep {
		t.settle()
		t.b.WriteString(s)
		return
	}
	for len(s) > 0 {
		n := strings.IndexAny(s, " \t\n\r\f")
		if n < 0 {
			n = len(s)
		}
		if n > 0 {
			t.settle()
			t.b.WriteString(s[:n])
		}
		if s = s[n:]; s != "" {
			t.space()
			s = s[1:]
		}
	}
}

func (t *inlineText) settle() {
	t.b.WriteString(t.pending)
	t.pending = ""
}

func (t *inlineText) space() {
	if t.pending == "" && t.b.Len() > 0 {
		t.pending = " "
	}
}

func (t *inlineText) newline() {
	if t.b.Len() > 0 {
		t.pending = "\n"
	}
}

// inLine is text as it is shown. What stands above the line is no part of the word before or behind it: x² is no x2, and
// the mark of a note, which is a link, stands apart.
func (p *htmlPage) inLine(text string) string {
	switch {
	case p.opened[atom.Sup] == 0:
		return text
	case p.opened[atom.A] > 0:
		return " " + text + " "
	case strings.Trim(text, "0123456789") == "":
		return superscripts.Replace(text)
	}
	return text
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// take gives the text collected so far and starts anew.
func (t *inlineText) take() string {
	text := strings.Trim(t.b.String(), " \t\n\r\f\u00a0")
	t.b.Reset()
	t.pending = ""
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), string(utf8.RuneError))
}

func atoms(list ...atom.Atom) map[atom.Atom]bool {
	set := make(map[atom.Atom]bool, len(list))
	for _, a := range list {
		set[a] = true
	}
	return set
}

var (
	voidElements = atoms(atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr, atom.Img,
		atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr)
	// selfClosing are the elements for which `/>` does end the element.
	selfClosing = atoms(atom.Svg, atom.Math, atom.Noframes)
	neverShown  = atoms(atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Title, atom.Iframe,
		atom.Noembed, atom.Object, atom.Datalist,
		atom.Rt, atom.Rp) // how the characters before are pronounced, in the middle of a word
	headingElements = atoms(atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
	blockElements   = atoms(atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption,
		atom.Center, atom.Dd, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset,
		atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5,
		atom.H6, atom.Head, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Li, atom.Main, atom.Menu,
		atom.Nav, atom.Noframes, atom.Ol, atom.Optgroup, atom.Option, atom.P, atom.Pre, atom.Section, atom.Select,
		atom.Summary, atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Title, atom.Tr, atom.Ul)
)
