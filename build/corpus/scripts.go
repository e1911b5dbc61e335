package corpus

import (
	"fmt"
	"html"
	"strings"

	"fanous/backend/domain"
)

// script is a line in a script whose signs stand around one another, or in which no space parts words. Each word sought is
// marked as it is asked for.
type script struct {
	lang, font, text string
	words            []string
}

// scripts are those that the text of a PDF is hardest to get of, beside what languages has; the fonts are those of
// fonts-noto-core. Invisible characters are written as escapes.
func scripts() []script {
	return []script{
		{"mr", "Noto Sans Devanagari", "दीपस्तंभाच्या रक्षकाने जुने पुस्तक वाचले.", []string{"दीपस्तंभाच्या", "रक्षकाने", "पुस्तक"}},
		{"bn", "Noto Sans Bengali", "বাতিঘরের প্রহরী পুরনো বই পড়তেন এবং সমুদ্রের দিকে তাকাতেন।", []string{"প্রহরী", "সমুদ্রের", "বাতিঘরের"}},
		{"ta", "Noto Sans Tamil", "கலங்கரை விளக்கத்தின் காவலர் பழைய புத்தகத்தைப் படித்தார்.", []string{"விளக்கத்தின்", "புத்தகத்தைப்", "கலங்கரை"}},
		{"te", "Noto Sans Telugu", "దీపస్తంభం కాపరి పాత పుస్తకాన్ని చదివాడు.", []string{"దీపస్తంభం", "పుస్తకాన్ని"}},
		{"kn", "Noto Sans Kannada", "ದೀಪಸ್ತಂಭದ ಕಾವಲುಗಾರನು ಹಳೆಯ ಪುಸ್ತಕವನ್ನು ಓದಿದನು.", []string{"ದೀಪಸ್ತಂಭದ", "ಪುಸ್ತಕವನ್ನು"}},
		{"ml", "Noto Sans Malayalam", "വിളക്കുമാടത്തിന്റെ കാവൽക്കാരൻ പഴയ പുസ്തകം വായിച്ചു.", []string{"വിളക്കുമാടത്തിന്റെ", "കാവൽക്കാരൻ", "പുസ്തകം"}},
		{"gu", "Noto Sans Gujarati", "દીવાદાંડીના રક્ષકે જૂનું પુસ્તક વાંચ્યું.", []string{"દીવાદાંડીના", "રક્ષકે", "પુસ્તક"}},
		{"pa", "Noto Sans Gurmukhi", "ਚਾਨਣ ਮੁਨਾਰੇ ਦੇ ਰਾਖੇ ਨੇ ਪੁਰਾਣੀ ਕਿਤਾਬ ਪੜ੍ਹੀ।", []string{"ਮੁਨਾਰੇ", "ਕਿਤਾਬ", "ਪੜ੍ਹੀ"}},
		{"or", "Noto Sans Oriya", "ବତୀଘରର ରକ୍ଷକ ପୁରୁଣା ପୁସ୍ତକ ପଢ଼ିଲେ।", []string{"ବତୀଘରର", "ରକ୍ଷକ", "ପୁସ୍ତକ"}},
		{"si", "Noto Sans Sinhala", "ප්\u200dරදීපාගාරයේ මුරකරු පැරණි පොත කියවීය.", []string{"ප්\u200dරදීපාගාරයේ", "පැරණි"}},
		{"th", "Noto Sans Thai", "คนเฝ้าประภาคารดื่มน้ำแล้วอ่านหนังสือเก่าทุกคืน", []string{"ประภาคาร", "น้ำ", "หนังสือ"}},
		{"lo", "Noto Sans Lao", "ຄົນເຝົ້າປະພາຄານອ່ານປຶ້ມເກົ່າທຸກຄືນ", []string{"ປະພາຄານ", "ປຶ້ມ"}},
		{"my", "Noto Sans Myanmar", "မီးပြတိုက်စောင့်သည် စာအုပ်ဟောင်းကို ဖတ်ခဲ့သည်။", []string{"မီးပြတိုက်", "စာအုပ်"}},
		{"km", "Noto Sans Khmer", "អ្នកយាមប៉មភ្លើងអានសៀវភៅចាស់រាល់យប់", []string{"ភ្លើង", "សៀវភៅ"}},
		{"am", "Noto Sans Ethiopic", "የመብራት ቤቱ ጠባቂ አሮጌ መጽሐፍ አነበበ።", []string{"መጽሐፍ", "ጠባቂ"}},
		{"ka", "Noto Sans Georgian", "შუქურის მცველი ძველ წიგნს კითხულობდა.", []string{"მცველი", "წიგნს"}},
		{"hy", "Noto Sans Armenian", "Փարոսի պահապանը հին գիրք էր կարդում։", []string{"պահապանը", "գիրք"}},
	}
}

// scriptsSought is each word of each script, of which every one has a page.
func scriptsSought() (all []Sought) {
	for i, s := range scripts() {
		for _, word := range s.words {
			all = append(all, Sought{Query: word, Marked: []string{word}, Place: domain.Place{Page: i + 1}})
		}
	}
	return all
}

func scriptsHTML() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><meta charset="utf-8">`)
	for _, s := range scripts() {
		fmt.Fprintf(&b, `<p lang="%s" style="font:16pt '%s';break-after:page">%s</p>`, s.lang, s.font, html.EscapeString(s.text))
	}
	return b.String()
}

func scriptsFlat() string {
	var styles, body strings.Builder
	for _, s := range scripts() {
		fmt.Fprintf(&styles, `<style:style style:name="%[1]s" style:family="paragraph"><style:paragraph-properties fo:break-after="page"/>`+
			`<style:text-properties fo:language="%[1]s" style:language-complex="%[1]s" fo:font-family="%[2]s" style:font-family-complex="%[2]s"/></style:style>`, s.lang, s.font)
		fmt.Fprintf(&body, `<text:p text:style-name="%s">%s</text:p>`, s.lang, escape(s.text))
	}
	return flat("text", "", "", styles.String(), `<style:master-page style:name="Standard"/>`, body.String())
}
