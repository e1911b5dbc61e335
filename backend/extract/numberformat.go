package extract

import (
	"math"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

const (
	// maxFormats is how many different formats of a workbook are applied; real ones have some tens.
	maxFormats = 1000
	// maxShown is how many formatted numbers are remembered: dates and amounts repeat.
	maxShown = 10_000
	// maxFormatCode is Excel's own limit, in bytes.
	maxFormatCode = 255 * 4
)

// localDate is how a date is shown whose form depends on where the reader is: so that everybody reads
// the same date in it.
const localDate = "yyyy-mm-dd"

// numberFormats shows numbers as a workbook says. The formats are applied by excelize, in a workbook
// of its own with a single cell: it reads files whole into memory, so ours is not given to it.
type numberFormats struct {
	date1904 bool
	codes    map[int]string // the workbook's own, by id
	ids      []int          // id by style of cell

	single *excelize.File
	styles map[string]int    // excelize's style by id and section
	shown  map[string]string // by id and value
}

// show gives the number value as a cell of this style shows it.
func (n *numberFormats) show(value string, style int) string {
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
		return value
	}
	id := 0
	if style >= 0 && style < len(n.ids) {
		id = n.ids[style]
	}
	code := n.codes[id]
	if id == 0 || strings.EqualFold(code, "general") || code == "@" || id == 49 {
		return general(number)
	}
	if date, ok := persianDate(code, number, n.date1904); ok {
		return date
	}
	key := strconv.Itoa(id) + " " + value
	text, ok := n.shown[key]
	if !ok {
		text = n.format(number, id)
		if n.shown == nil {
			n.shown = map[string]string{}
		}
		if len(n.shown) < maxShown {
			n.shown[key] = text
		}
	}
	return text
}

// format has a number formatted; one that cannot be, or that formats to nothing, is shown plainly.
func (n *numberFormats) format(number float64, id int) (text string) {
	defer func() {
		if recover() != nil { // a code that nobody tried: it costs its own cell
			text = general(number)
		}
	}()
	const name, ref = "Sheet1", "A1"
	code, shown, ok := sectionFor(n.codes[id], number)
	if !ok {
		return general(number)
	}
	style, err := n.style(id, code)
	if err != nil {
		return general(number)
	}
	if err := n.single.SetCellStyle(name, ref, ref, style); err != nil {
		return general(number)
	}
	if err := n.single.SetCellFloat(name, ref, shown, -1, 64); err != nil {
		return general(number)
	}
	text, err = n.single.GetCellValue(name, ref)
	switch {
	case err != nil:
		return general(number)
	case text == strconv.FormatFloat(shown, 'f', -1, 64):
		return general(shown)
	}
	return monthOfADay(text, code, shown, n.date1904)
}

// style gives excelize's style for a format of the workbook, or the section of its code.
func (n *numberFormats) style(id int, code string) (int, error) {
	if n.single == nil {
		n.single = excelize.NewFile(excelize.Options{ShortDatePattern: localDate})
		n.styles = map[string]int{}
		if err := n.single.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &n.date1904}); err != nil {
			return 0, err
		}
	}
	key := strconv.Itoa(id) + " " + code
	style, ok := n.styles[key]
	if ok || len(n.styles) == maxFormats {
		return style, nil
	}
	wanted := excelize.Style{NumFmt: id}
	if code = knownLanguage(sectionColour.ReplaceAllString(code, "")); code != "" && len(code) <= maxFormatCode {
		wanted = excelize.Style{CustomNumFmt: &code}
	} else if isLocalDate(id) {
		wanted.NumFmt = 14
	}
	style, err := n.single.NewStyle(&wanted)
	n.styles[key] = style
	return style, err
}

// isLocalDate names the dates whose form the standard leaves to East Asian languages.
func isLocalDate(id int) bool {
	return id >= 27 && id <= 31 || id == 36 || id >= 50 && id <= 54 || id == 57 || id == 58
}

// general shows a number without a format: with the 15 digits that are true of it.
func general(number float64) string {
	s := strconv.FormatFloat(number, 'g', 15, 64)
	rounded, err := strconv.ParseFloat(s, 64)
	if size := math.Abs(rounded); err != nil || size != 0 && (size < 1e-9 || size >= 1e15) {
		return s
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
