package languagetest

// spellings adds words that are written in several ways.
func (ws *words) spellings() {
	found, missed, group := ws.found, ws.missed, ws.group

	// The Arabic script.
	group("hamza on another letter", "آن ", " بود", "مسئول", "مسؤول", "مسوول")
	group("hamza on another letter", "آن ", " بود", "سؤال", "سوال", "سئوال")
	group("hamza on another letter", "آن ", " بود", "هیأت", "هیئت", "هیات")
	group("hamza on another letter", "آن ", " بود", "جرأت", "جرئت", "جرات")
	group("hamza on another letter", "قال ", " أمس", "الشؤون", "الشئون", "شوون")
	group("hamza on another letter", "قال ", " أمس", "يقرؤون", "يقرأون", "يقرءون")
	group("hamza on another letter", "قال ", " أمس", "هيئة", "هيأة")
	group("hamza on another letter", "قال ", " أمس", "مائة", "مئة")
	missed("hamza on another letter", "الهیات و فلسفه", "هیئت")
	for _, word := range [][2]string{{"كتاب", "كتب"}, {"رجل", "رجال"}, {"مدرسة", "مدارس"}, {"طفل", "أطفال"}, {"رسالة", "رسائل"},
		{"وزير", "وزراء"}, {"قانون", "قوانين"}, {"سؤال", "أسئلة"}, {"الحرب", "الحروب"}} {
		group("broken plural", "قرأ ", " أمس", word[0], word[1])
	}
	found("broken plural", "كتبهم هنا", "كتاب", "كتبهم")
	group("broken plural", "این ", " مهم است", "منبع", "منابع")
	missed("broken plural", "قرأ كاتب أمس", "كتب")
	group("feminine ending", "آن ", " بود", "جنبة", "جنبه")
	missed("feminine ending", "این شرک است", "شرکت")
	group("degrees", "این ", " شهر است", "زیبا", "زیباتر", "زیباترین", "زیبا\u200cترین")
	missed("degrees", "این فیل است", "فیلتر")
	group("ezafe", "این ", " قدیمی", "نامه", "نامهٔ", "نامه\u200cی", "نامه ی")
	group("Kurdish letters", "ئەم ", " لە ماڵەوە بوو", "سڵاو", "سلاو")
	group("Kurdish letters", "ئەم ", " لە ماڵەوە بوو", "گەورە", "گەوڕە")
	group("Pashto letters", "د ", " دی", "ګران", "گران")
	group("Urdu heh", "یہ ", " اور وہ", "ہے", "ھے")
	missed("a stem that a function word has", "هي هنا", "شرکت هیات")

	// Latin letters.
	group("umlauts", "Herr ", " kam", "Müller", "Mueller")
	group("umlauts", "die ", " kam", "Größe", "Groesse", "GRÖSSE")
	group("umlauts", "die ", " kam", "Ärzte", "Aerzte")
	group("Scandinavian letters", "i ", " er", "Århus", "Aarhus")
	group("Scandinavian letters", "i ", " er", "Ørsted", "Oersted")
	group("letters in one", "de ", " is", "ĳsland", "IJsland")
	group("letters in one", "to je ", " i ne", "ǆep", "džep")
	group("letters in one", "el ", " és", "col·legi", "coŀlegi", "collegi")
	missed("a dot between words", "red·blue", "redblue")
	group("apostrophes", "men ", " tili", "o‘zbek", "oʻzbek", "o'zbek", "oʼzbek", "o’zbek", "o`zbek", "o´zbek")
	found("note's number before", "the ¹albatross flew", "albatross", "¹albatross")
	found("note's number before", "the albatross flew", "¹albatross", "albatross")
	found("note's number before", "the ¹²petrels flew", "petrel", "¹²petrels")
	missed("note's number before", "the isotope ²³⁵U", "235U")
	missed("raised numbers of units", "5 m² here", "m2")
	missed("raised numbers of units", "5 cm here", "cm²")
	found("letters of formulas", "the constant ℎ here", "h", "ℎ")
	found("words in a name", "call getUserName here", "user name", "getUserName")
	found("words in a name", "call AnnualReportFinal here", "report", "AnnualReportFinal")
	found("words in a name", "call get_user_name here", "getUserName", "get_user_name")
	missed("words in a name", "written in JavaScript", "Java")

	// Other scripts.
	group("iota below", "η ", " της", "τῷ", "τω")
	group("polytonic", "η ", " της", "ἄνθρωπος", "άνθρωπος", "ΑΝΘΡΩΠΟΣ")
	group("Armenian marks", "ես ", " եմ", "ինչո՞ւ", "ինչու")
	group("Georgian capitals", "ეს ", " არის", "ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ", "საქართველო")
	group("Hindi nasals", "यह ", " है", "हिन्दी", "हिंदी")
	group("Thai am", "ที่ ", " ดี", "น้ำ", "น้ํา")
	found("Thai am", "ฉันชอบน้ําส้ม", "น้ำส้ม", "น้ําส้ม")
	found("radicals for ideographs", "⽇本の⼈⼝", "日本", "⽇本")
}
