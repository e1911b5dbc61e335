package extract

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

func TestEncodingsAreGuessed(t *testing.T) {
	const (
		russian   = "Совет собрался вечером, и решение было принято большинством голосов.\nКниги лежали на столе у окна.\n"
		ukrainian = "Рада зібралася ввечері, її рішення ухвалили більшістю голосів.\nКнижки лежали біля вікна, де їх і залишили.\n"
		greek     = "Το συμβούλιο συνεδρίασε το βράδυ και η απόφαση πάρθηκε με πλειοψηφία.\n"
		hebrew    = "המועצה התכנסה בערב וההחלטה התקבלה ברוב קולות. הספרים היו על השולחן.\n"
		turkish   = "Kurul akşam toplandı ve karar oy çokluğuyla alındı; kitaplar pencerenin yanındaydı, ışık azdı.\n"
		polish    = "Rada zebrała się wieczorem i podjęła decyzję większością głosów; książki leżały koło okna.\n"
		czech     = "Rada se sešla večer a rozhodnutí bylo přijato většinou hlasů; knihy ležely na stole u okna, kde ještě svítilo světlo.\n"
		hungarian = "A tanács este ült össze, és a döntést többséggel fogadták el; a könyvek az ablaknál voltak, ahol még fény volt.\n"
		german    = "Der Rat trat am Abend zusammen, größere Bücher lagen über dem Tisch; das genügte für später.\n"
		french    = "Le conseil s’est réuni le soir et la décision a été prise à la majorité ; les élèves étaient déjà là.\n"
		quoted    = "The council said “no” — twice. It wasn’t the end: the price was £5.\n"
		one       = "The café was open.\n"
		persian   = "شورا شب تشكيل جلسه داد و تصميم با اکثريت آرا گرفته شد. كتاب‌ها كنار پنجره بودند.\n"
		arabic    = "اجتمع المجلس في المساء واتخذ القرار بأغلبية الأصوات. كانت الكتب على الطاولة قرب النافذة.\n"
		thai      = "คณะกรรมการประชุมกันในตอนเย็นและมีมติด้วยเสียงข้างมาก\n"
		simple    = "委员会在晚上开会，决定以多数票通过。这些书放在窗边的桌子上，我们都看见了。\n"
		tradition = "委員會在晚上開會，決定以多數票通過。這些書放在窗邊的桌子上，我們都看見了。\n"
		kana      = "委員会は夕方に開かれ、多数決で決定されました。本は窓のそばの机の上にありました。\n"
		hangul    = "위원회는 저녁에 모였고 다수결로 결정하였다. 책은 창가의 책상 위에 있었다.\n"
	)
	for _, c := range []struct {
		text string
		in   encoding.Encoding
	}{
		{russian, charmap.Windows1251}, {russian, charmap.KOI8R}, {russian, charmap.CodePage866}, {russian, charmap.ISO8859_5}, {russian, charmap.MacintoshCyrillic},
		{ukrainian, charmap.Windows1251}, {ukrainian, charmap.KOI8U}, {greek, charmap.Windows1253}, {greek, charmap.ISO8859_7},
		{hebrew, charmap.Windows1255}, {hebrew, charmap.CodePage862}, {turkish, charmap.Windows1254}, {polish, charmap.Windows1250}, {polish, charmap.ISO8859_2},
		{polish, charmap.CodePage852}, {czech, charmap.Windows1250}, {czech, charmap.ISO8859_2}, {hungarian, charmap.Windows1250}, {german, charmap.Windows1252},
		{german, charmap.CodePage850}, {german, charmap.Macintosh}, {french, charmap.Windows1252}, {french, charmap.Macintosh}, {quoted, charmap.Windows1252},
		{one, charmap.Windows1252}, {persian, charmap.Windows1256}, {arabic, charmap.Windows1256}, {arabic, charmap.ISO8859_6}, {thai, charmap.Windows874},
		{simple, simplifiedchinese.GB18030}, {simple, simplifiedchinese.GBK}, {tradition, traditionalchinese.Big5}, {kana, japanese.ShiftJIS}, {kana, japanese.EUCJP},
		{kana, japanese.ISO2022JP}, {hangul, korean.EUCKR},
		{strings.ToUpper(russian), charmap.KOI8R}, {strings.ToUpper(russian), charmap.Windows1251}, {"# " + strings.Repeat("ascii ", 30000) + "\n" + russian, charmap.KOI8R},
		{"Да.\n", charmap.Windows1251}, {"книга", charmap.KOI8R}, {"سلام", charmap.Windows1256}, {"日本語のテキスト", japanese.ShiftJIS}, {"中国的新闻", simplifiedchinese.GBK},
		{"Größe: 5", charmap.Windows1252}, {"señor", charmap.Windows1252}, {"Ärger 20 °C", charmap.Windows1252}, {"naïve", charmap.Windows1252},
	} {
		data, err := encoding.ReplaceUnsupported(c.in.NewEncoder()).Bytes([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		want := convert(data, c.in)
		if got := decodeText(data); got != want {
			t.Errorf("%v: read as %v: %.60q", c.in, guess(data, false), got)
		}
	}
}

func TestDamagedUTF8StaysUTF8(t *testing.T) {
	if got := decodeText([]byte("L’été à la mer près du château\xff\xfe de Noël\n")); !strings.Contains(got, "été à la mer près du château") {
		t.Errorf("%q", got)
	}
}

func TestNamesInArchivesAreGuessed(t *testing.T) {
	for _, c := range []struct {
		name string
		in   encoding.Encoding
	}{
		{"年度报告.txt", simplifiedchinese.GBK}, {"報告書の件.txt", japanese.ShiftJIS}, {"보고서 자료.txt", korean.EUCKR}, {"年度報告書.txt", traditionalchinese.Big5},
		{"Übersicht größe.txt", charmap.CodePage437}, {"Été à Paris.txt", charmap.CodePage850}, {"Отчёт за год.txt", charmap.CodePage866}, {"Письмо другу.txt", charmap.Windows1251},
		{"zażółć.txt", charmap.CodePage852}, {"Größe.txt", charmap.Windows1252},
	} {
		data, err := c.in.NewEncoder().String(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := decodeName(data); got != c.name {
			t.Errorf("%v: %q is not %q", c.in, got, c.name)
		}
	}
}
