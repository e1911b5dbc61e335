package language

import (
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"fanous/backend/domain"
)

// operators are the names before a colon, as foldName has them, in English, Persian and Arabic.
var operators = map[string]domain.FilterKind{
	"file": domain.FilterFile, "path": domain.FilterFile, "پرونده": domain.FilterFile, "فایل": domain.FilterFile, "ملف": domain.FilterFile,
	"type": domain.FilterType, "نوع": domain.FilterType,
	"lang": domain.FilterLanguage, "language": domain.FilterLanguage, "زبان": domain.FilterLanguage, "لغه": domain.FilterLanguage,
	"before": domain.FilterBefore, "پیشاز": domain.FilterBefore, "قبلاز": domain.FilterBefore, "قبل": domain.FilterBefore,
	"after": domain.FilterAfter, "پساز": domain.FilterAfter, "بعداز": domain.FilterAfter, "بعد": domain.FilterAfter,
	"in": domain.FilterHeading, "در": domain.FilterHeading, "فی": domain.FilterHeading,
}

// headings are what in: is written with.
var headings = setOf(`heading headings title عنوان سرتیتر تیتر سرفصل العنوان`)

// foldName is the form in which names of operators and their values are compared: letters' case, spellings of the Arabic
// script and what is invisible do not count.
func foldName(s string) string {
	return strings.ReplaceAll(hintKey(strings.ToLower(s), inArabicScript), "ة", "ه")
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// understand says what an operator asks for, if its value is one that it can use.
func understand(kind domain.FilterKind, value string) (domain.QueryFilter, bool) {
	f := domain.QueryFilter{Kind: kind, Value: value}
	ok := false
	switch kind {
	case domain.FilterFile:
		ok = NewPathPattern(value).usable()
	case domain.FilterType:
		ok = eachOf(value, func(name string) bool {
			t, ok := fileTypes()[name]
			f.Formats, f.Extensions = append(f.Formats, t.formats...), append(f.Extensions, t.extensions...)
			return ok
		})
	case domain.FilterLanguage:
		ok = eachOf(value, func(name string) bool {
			tags := languageNamed(name)
			f.Languages = append(f.Languages, tags...)
			return len(tags) > 0
		})
	case domain.FilterBefore, domain.FilterAfter:
		f.Date, ok = parseDay(value)
	case domain.FilterHeading:
		f.Value, ok = "", headings[foldName(value)]
	}
	return f, ok
}

// eachOf reads a list with commas between, of which every value must be known.
func eachOf(list string, known func(name string) bool) bool {
	for name := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == '،' }) {
		if !known(foldName(strings.TrimSpace(name))) {
			return false
		}
	}
	return strings.Trim(list, ",، ") != ""
}

// fileType is what a name after type: stands for: any of these formats, or a name of a file that ends so.
type fileType struct{ formats, extensions []string }

// fileTypes are the names after type:, as foldName has them. The formats are those of package extract.
var fileTypes = sync.OnceValue(func() map[string]fileType {
	types := map[string]fileType{}
	for line := range strings.Lines(`
		pdf پیدیاف = pdf
		docx = docx
		doc = doc
		word ورد وورد = docx doc
		document documents سند = docx doc odt rtf
		xlsx = xlsx
		excel اکسل = xlsx
		csv = csv
		sheet sheets spreadsheet spreadsheets صفحهگسترده = xlsx ods csv
		pptx = pptx
		powerpoint پاورپوینت = pptx
		slide slides presentation presentations اسلاید ارائه = pptx odp
		odt = odt
		ods = ods
		odp = odp
		rtf = rtf
		epub ebook book کتاب = epub
		eml = eml
		msg = msg
		mbox = mbox .mbox
		mail email e-mail message messages ایمیل رایانامه برید = eml msg mbox .mbox
		calendar ics تقویم = ics
		contacts vcf vcard مخاطبان = vcf
		html htm web وب = html mhtml
		mhtml mht = mhtml
		markdown md = markdown
		text txt متن = text markdown
		json = json
		code source کد = code
		image images picture pictures photo photos تصویر عکس صوره = image
		archive archives بایگانی = .zip .tar .gz .tgz .bz2
		jpg jpeg = .jpg .jpeg
		tif tiff = .tif .tiff
		gz = .gz .tgz
	`) {
		names, list, _ := strings.Cut(line, "=")
		var t fileType
		for _, one := range strings.Fields(list) {
			if ext, ok := strings.CutPrefix(one, "."); ok {
				t.extensions = append(t.extensions, ext)
			} else {
				t.formats = append(t.formats, one)
			}
		}
		for _, name := range strings.Fields(names) {
			types[name] = t
		}
	}
	for ext := range setOf(`png gif webp bmp tsv xhtml jsonl ipynb zip tar tgz bz2 log tex xml svg
		asm bash bat c cc cmake conf cpp cs css dart diff el ex go gradle h hpp hs ini java jl js jsx kt less lisp lua m
		ml patch php pl properties proto ps1 py r rb rs sas scala scss sh sql swift tcl toml ts tsx v vb vue yaml yml zig`) {
		types[ext] = fileType{extensions: []string{ext}}
	}
	return types
})

// languageNamed gives the tags of a language by its own tag, by one of ISO 639-2 or -3, or by its name in English, Persian,
// Arabic or itself; none where no passage is told to be in it.
func languageNamed(name string) []string {
	switch name {
	case "no", "nor", "nn", "nno":
		return []string{"nb"}
	case "ku", "kur":
		return []string{"ckb", "kmr"}
	case "prs":
		return []string{"fa"}
	}
	names := languageNames()
	if tags := names[name]; tags != nil {
		return tags
	}
	if tag, err := language.Parse(name); err == nil {
		base, _ := tag.Base()
		return names[base.String()]
	}
	return nil
}

// languageNames are the tags that Detect gives, by themselves and by their names, as foldName has them.
var languageNames = sync.OnceValue(func() map[string][]string {
	names := map[string][]string{}
	add := func(name string, tags ...string) {
		if name = foldName(name); name != "" && names[name] == nil {
			names[name] = tags
		}
	}
	tags := map[string]bool{}
	for _, t := range tongues() {
		tags[t.tag] = true
	}
	for _, s := range ownScripts {
		tags[s.tag] = true
	}
	add("kurdish", "ckb", "kmr")
	add("کردی", "ckb", "kmr")
	add("norwegian", "nb")
	for tag := range tags {
		add(tag, tag)
	}
	namers := []display.Namer{display.English.Languages(), display.Persian.Languages(), display.Arabic.Languages()}
	for tag := range tags {
		t := language.Make(tag)
		add(display.Self.Name(t), tag)
		for _, n := range namers {
			add(n.Name(t), tag)
		}
	}
	return names
})

// Without is a query without the i-th of its filters.
func Without(query string, filters []domain.QueryFilter, i int) string {
	start, end := filters[i].Range[0], filters[i].Range[1]
	if filters[i].Or {
		start = filters[i-1].Range[1]
	} else if i+1 < len(filters) && filters[i+1].Or {
		end = filters[i+1].Range[0]
	}
	before, after := strings.TrimSpace(query[:start]), strings.TrimSpace(query[end:])
	return strings.TrimSpace(before + " " + after)
}
