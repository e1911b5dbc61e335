package language_test

import (
	"strings"
	"testing"

	"fanous/backend/language"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ want, text string }{
		{"en", "The bridge over the river was closed because of the storm."},
		{"de", "Die Brücke über den Fluss wurde wegen des Sturms gesperrt."},
		{"fr", "Le pont sur la rivière a été fermé à cause de la tempête."},
		{"es", "El puente sobre el río fue cerrado a causa de la tormenta."},
		{"it", "Il ponte sul fiume è stato chiuso a causa della tempesta."},
		{"pt", "A ponte sobre o rio não foi fechada por causa da tempestade."},
		{"nl", "De brug over de rivier werd gesloten vanwege het onweer."},
		{"tr", "Nehrin üzerindeki köprü fırtına nedeniyle bir gün için kapatıldı ve çok kişi bekledi."},
		{"ru", "Мост через реку был закрыт из-за бури, и все ждали."},
		{"uk", "Міст через річку був закритий через бурю, і всі чекали."},
		{"fa", "پل روی رودخانه به خاطر طوفان بسته شد و مردم منتظر ماندند."},
		{"fa", "پل روي رودخانه به خاطر طوفان بسته شد و مردم منتظر ماندند که باز شود."},
		{"ar", "أُغلق الجسر فوق النهر بسبب العاصفة، وانتظر الناس حتى الصباح."},
		{"ckb", "پردەکە لەسەر ڕووبارەکە بەهۆی زریانەوە داخرا و خەڵک چاوەڕێیان کرد."},
		{"kmr", "Pira li ser çem ji ber bahozê hat girtin û xelk li bendê ma."},
		{"ur", "دریا پر بنا ہوا پل طوفان کی وجہ سے بند کر دیا گیا اور لوگ انتظار کرتے رہے۔"},
		{"ps", "د سیند پر سر پل د توپان له امله وتړل شو او خلک په تمه پاتې شول."},
		{"he", "הגשר מעל הנהר נסגר בגלל הסערה, וכל האנשים חיכו עד הבוקר."},
		{"hi", "नदी पर बना पुल तूफ़ान के कारण बंद कर दिया गया और लोग इंतज़ार करते रहे।"},
		{"zh", "因为暴风雨，河上的桥被关闭了。"},
		{"ja", "嵐のため、川にかかる橋は閉鎖された。"},
		{"ko", "폭풍 때문에 강 위의 다리가 폐쇄되었다."},
		{"el", "Η γέφυρα πάνω από το ποτάμι έκλεισε."},
		{"th", "สะพานข้ามแม่น้ำถูกปิดเพราะพายุ"},
		// The language of the most, whatever is quoted in it.
		{"fa", "نام این برنامه در فهرست به شکل Acme Report Builder 4.1 آمده است و آن را باید دوباره نصب کرد."},
		{"en", "The word پل is the Persian one for a bridge, and it is a short one."},
		{"", "4711 38.101 2023-05-17"},
		{"", "Zyx Qwv"},
		{"", ""},
		{"", "\xff\xfe \x00"},
	} {
		if got := language.Detect(c.text); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

// Whatever the text, the answer is a tag, and the same again.
func FuzzDetect(f *testing.F) {
	f.Add("a text with Wörter and کلمه‌ها and 中文かな")
	f.Fuzz(func(t *testing.T, text string) {
		tag := language.Detect(text)
		if strings.ContainsAny(tag, " \t\n") || tag != language.Detect(text) {
			t.Errorf("%q is %q", text, tag)
		}
	})
}
