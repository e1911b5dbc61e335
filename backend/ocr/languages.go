package ocr

import (
	"slices"
	"strings"
)

// wanted are the languages that every page is read in, as far as they are installed.
var wanted = []string{"fas", "ara", "eng"}

// mostLanguages bounds those of one page: each costs its own pass over every word, and the more there are the more often
// a wrong one wins.
const mostLanguages = 4

// names are Tesseract's names of languages, by the primary subtag of BCP 47.
var names = map[string]string{
	"fa": "fas", "ar": "ara", "en": "eng", "ku": "kmr", "ckb": "kur_ara", "ur": "urd", "he": "heb", "tr": "tur", "ru": "rus", "de": "deu",
	"fr": "fra", "es": "spa", "it": "ita", "pt": "por", "hi": "hin", "zh": "chi_sim", "ja": "jpn", "ko": "kor", "nl": "nld",
	"pl": "pol", "uk": "ukr", "el": "ell", "ps": "pus", "az": "aze", "sv": "swe", "id": "ind", "vi": "vie", "th": "tha",
}

// choose gives what the program is to read a page in: the languages of what is beside it (BCP 47, the most frequent
// first), then the wanted ones, as far as they are installed; where none of them is, all that are.
func choose(installed, beside []string) []string {
	var out []string
	add := func(name string) {
		if len(out) < mostLanguages && slices.Contains(installed, name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, tag := range beside {
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		add(names[primary])
		if primary == "zh" && strings.Contains(tag, "Hant") {
			add("chi_tra")
		}
	}
	for _, name := range wanted {
		add(name)
	}
	if len(out) == 0 {
		return installed[:min(len(installed), mostLanguages)]
	}
	return out
}

// Missing are those of the wanted languages that the program lacks, and how to get them.
func (p *Program) Missing(goos string) (languages []string, hint string) {
	for _, name := range wanted {
		if !slices.Contains(p.languages, name) {
			languages = append(languages, name)
		}
	}
	if len(languages) > 0 {
		hint = install(goos, languages)
	}
	return languages, hint
}

// install says how the program, or languages of it, are installed.
func install(goos string, languages []string) string {
	if len(languages) == 0 {
		languages = wanted
	}
	switch goos {
	case "windows":
		return "install Tesseract for Windows with the languages " + strings.Join(languages, ", ")
	case "darwin":
		return "run `brew install tesseract tesseract-lang`"
	}
	return "run `sudo apt install tesseract-ocr tesseract-ocr-" + strings.Join(languages, " tesseract-ocr-") +
		"`, or install your system's packages of that kind"
}
