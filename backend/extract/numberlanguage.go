package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

var (
	// formatLanguage is what a format says of a language, by its number or its tag, and of a calendar or digits:
	// [$-419], [$-FC19], [$-ru-RU,1], [$-ru-RU-x-genlower].
	formatLanguage = regexp.MustCompile(`\[\$-(?:([0-9A-Fa-f]{1,8})|([A-Za-z]{2,3})(?:-[A-Za-z0-9-]*)?)(?:,[0-9A-Fa-f]+)?\]`)
	// formatLiteral is text in a format, which is no part of a date.
	formatLiteral = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]`)
)

// knownLanguage is a format whose language is said in the way that excelize knows: otherwise it shows a date as a bare
// number, or in another language.
func knownLanguage(code string) string {
	return formatLanguage.ReplaceAllStringFunc(code, func(said string) string {
		name, _, _ := strings.Cut(strings.Trim(said, "[$-]"), ",")
		if number, err := strconv.ParseUint(name, 16, 32); err == nil {
			name = knownNumber(name, number)
		} else {
			name = knownTag(name)
		}
		if name == "" {
			return ""
		}
		return "[$-" + name + "]"
	})
}

// knownNumber is the number of a language; "" where it is none, but speaks only of a calendar or of digits.
func knownNumber(name string, number uint64) string {
	const otherCase = 0xfc // which Excel puts before a language to have its months in the case that a date wants
	switch {
	case number&0xffff == 0:
		return ""
	case number>>8&0xff == otherCase:
		return fmt.Sprintf("%X", number&0xff)
	}
	return name
}

// knownTag is a language without what Excel says of its case, or its number. Where the last four letters of a tag begin as a
// number of base 16 does, excelize takes that for the number of a language: in [$-de-DE] the E for Hungarian.
func knownTag(tag string) string {
	if before, private, ok := strings.Cut(tag, "-x-"); ok && !strings.EqualFold(private, "gannen") { // the years of an emperor
		tag = before
	}
	language, _, _ := strings.Cut(tag, "-")
	for _, l := range ofMonths {
		if strings.EqualFold(language, l.tag) {
			return fmt.Sprintf("%X", l.id)
		}
	}
	for _, name := range []string{tag, language} {
		last := name[max(0, len(name)-4):]
		if _, err := strconv.ParseUint(last, 16, 32); err == nil || !strings.Contains("0123456789ABCDEFabcdef", last[:1]) {
			return name
		}
	}
	return ""
}

// ofMonths are names of months as they stand alone, which excelize writes, and behind or before a day: "май", "5 мая".
var ofMonths = []struct {
	id              uint64 // what the numbers of the language end with
	tag             string
	alone, withADay []string
}{
	{0x19, "ru", strings.Fields("январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"),
		strings.Fields("января февраля марта апреля мая июня июля августа сентября октября ноября декабря")},
	{0x22, "uk", strings.Fields("січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень"),
		strings.Fields("січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня")},
	{0x23, "be", strings.Fields("студзень люты сакавік красавік май чэрвень ліпень жнівень верасень кастрычнік лістапад снежань"),
		strings.Fields("студзеня лютага сакавіка красавіка мая чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня")},
	{0x15, "pl", strings.Fields("styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień"),
		strings.Fields("stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia")},
	{0x05, "cs", strings.Fields("leden únor březen duben květen červen červenec srpen září říjen listopad prosinec"),
		strings.Fields("ledna února března dubna května června července srpna září října listopadu prosince")},
	{0x1b, "sk", strings.Fields("január február marec apríl máj jún júl august september október november december"),
		strings.Fields("januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra")},
	{0x1a, "hr", strings.Fields("siječanj veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac"),
		strings.Fields("siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca")},
	{0x08, "el", strings.Fields("Ιανουάριος Φεβρουάριος Μάρτιος Απρίλιος Μάιος Ιούνιος Ιούλιος Αύγουστος Σεπτέμβριος Οκτώβριος Νοέμβριος Δεκέμβριος"),
		strings.Fields("Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου")},
	{0x27, "lt", strings.Fields("sausis vasaris kovas balandis gegužė birželis liepa rugpjūtis rugsėjis spalis lapkritis gruodis"),
		strings.Fields("sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio")},
}

// monthOfADay gives text, a date in the format code, the case of its month that the language wants with a day.
func monthOfADay(text, code string, number float64, date1904 bool) string {
	said := formatLanguage.FindStringSubmatch(code)
	if said == nil {
		return text
	}
	id, _ := strconv.ParseUint(said[1], 16, 32)
	parts := dayPattern.FindAllString(strings.ToLower(formatLiteral.ReplaceAllString(code, "")), -1)
	if !slices.Contains(parts, "mmmm") || !slices.Contains(parts, "d") && !slices.Contains(parts, "dd") {
		return text
	}
	date, err := excelize.ExcelDateToTime(number, date1904)
	if err != nil {
		return text
	}
	for _, l := range ofMonths {
		if id&0xff == l.id || strings.EqualFold(said[2], l.tag) {
			return strings.Replace(text, l.alone[date.Month()-1], l.withADay[date.Month()-1], 1)
		}
	}
	return text
}
