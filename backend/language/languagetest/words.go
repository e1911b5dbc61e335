package languagetest

import "strings"

// Words gives the cases of finding a document by a query. Invisible characters are written as escapes.
func Words() []Word {
	var cs []Word
	found := func(kind, doc, query string, marks ...string) {
		cs = append(cs, Word{kind, doc, query, true, marks})
	}
	missed := func(kind, doc, query string) {
		cs = append(cs, Word{kind, doc, query, false, nil})
	}

	// Marks.
	found("harakat", "جاء مُحَمَّد اليوم", "محمد", "مُحَمَّد")
	found("harakat", "جاء محمد اليوم", "مُحَمَّد", "محمد")
	found("harakat", "بِسْمِ ٱللَّهِ", "الله", "ٱللَّهِ")
	found("tatweel", "جاء محمـــد اليوم", "محمد", "محمـــد")
	found("tatweel", "جاء محمد اليوم", "محـمـد", "محمد")
	found("hamza", "زار أحمد المدينة", "احمد", "أحمد")
	found("hamza", "زار احمد المدينة", "أحمد", "احمد")
	found("hamza", "إسلام آباد", "اسلام اباد", "إسلام", "آباد")
	found("hamza", "المسؤول عن المشروع", "مسوول", "المسؤول")
	found("hamza", "هیئت مدیره", "هييت", "هیئت")
	found("ezafe", "خانهٔ ما بزرگ است", "خانه", "خانهٔ")
	found("ezafe", "خانه ما بزرگ است", "خانهٔ", "خانه")
	found("ezafe", "خانۀ ما بزرگ است", "خانه", "خانۀ")
	found("diacritics", "le café est fermé", "cafe", "café")
	found("diacritics", "the cafe is closed", "café", "cafe")
	found("diacritics", "le cafe\u0301 est ferme", "café", "cafe\u0301")
	found("diacritics", "Việt Nam và Đà Nẵng", "viet nam da nang", "Việt", "Nam", "Đà", "Nẵng")
	found("diacritics", "Łódź i Gdańsk", "lodz", "Łódź")
	found("diacritics", "Η Αθήνα είναι πόλη", "Αθηνα", "Αθήνα")
	found("diacritics", "зелёный лес", "зеленый", "зелёный")
	missed("letters in their own right", "йод и бром", "иод")
	found("niqqud", "שָׁלוֹם לכולם", "שלום", "שָׁלוֹם")
	found("nukta", "क़लम मेज़ पर है", "कलम", "क़लम")
	missed("vowel signs are letters", "कील दीवार में है", "काला")

	// Letters.
	found("keyboards", "كتاب جديد", "کتاب", "كتاب")
	found("keyboards", "کتاب جدید", "كتاب", "کتاب")
	found("keyboards", "سافر علي أمس", "علی", "علي")
	found("keyboards", "علی رفت", "علي", "علی")
	found("keyboards", "یہ کتاب ہے", "ه\u06d2", "ہے")
	found("presentation forms", "جاء ﻣﺤﻤﺪ اليوم", "محمد", "ﻣﺤﻤﺪ")
	found("presentation forms", "جاء محمد اليوم", "ﻣﺤﻤﺪ", "محمد")
	found("presentation forms", "ﷲ أكبر", "الله", "ﷲ")
	found("lam-alef", "ﻻعب كرة", "لاعب", "ﻻعب")
	found("lam-alef", "السﻼم عليكم", "السلام", "السﻼم")
	found("lam-alef", "السلام عليكم", "سﻼم", "السلام")
	found("ligatures", "the eﬃcient oﬀice", "efficient office", "eﬃcient", "oﬀice")
	found("full width", "ＡＢＣ１２３ です", "abc123", "ＡＢＣ１２３")
	found("full width", "ｶﾞｲﾄﾞﾌﾞｯｸ", "ガイド", "ｶﾞｲﾄﾞ")
	found("letters of formulas", "the value of 𝑥𝑦𝑧", "xyz", "𝑥𝑦𝑧")
	missed("superscripts", "an area of x² here", "x2")
	missed("superscripts", "the column x2 here", "x²")
	found("superscripts", "an area of x² here", "x²", "x²")
	missed("superscripts", "10⁶ cells", "106")
	found("superscripts", "the democracy¹ of Athens", "democracy", "democracy¹")
	found("subscripts", "more CO₂ in the air", "co2", "CO₂")
	found("subscripts", "more CO2 in the air", "CO₂", "CO2")

	// Joining.
	group := func(kind string, before, after string, forms ...string) {
		for _, d := range forms {
			for _, q := range forms {
				found(kind, before+d+after, q, d)
			}
		}
	}
	group("verb prefix", "من ", " بروم", "می\u200cخواهم", "میخواهم", "می خواهم")
	group("verb prefix", "او ", " برود", "نمی\u200cتواند", "نمیتواند", "نمی تواند")
	group("verb prefix, Arabic letters", "من ", " بروم", "مي\u200cخواهم", "ميخواهم", "می خواهم")
	group("plural", "این ", " را خواند", "کتاب\u200cها", "کتابها", "کتاب ها")
	group("plural", "این ", " خواندنی", "کتاب\u200cهای", "کتابهای", "کتاب های")
	group("plural", "همه ", " رفتند", "بچه\u200cها", "بچهها", "بچه ها")
	group("comparative", "خانه‌ای ", " دیدم", "بزرگ\u200cتر", "بزرگتر", "بزرگ تر")
	group("comparative", "این ", " شهر است", "بزرگ\u200cترین", "بزرگترین", "بزرگ ترین")
	group("perfect", "من ", " آنجا", "رفته\u200cام", "رفته ام")
	group("indefinite", "در ", " بزرگ", "خانه\u200cای", "خانه ای")
	group("prefix and suffix", "آنها ", " را دیدند", "می\u200cنویسم\u200cها", "مینویسمها")
	found("compound", "روش پیش\u200cبینی هوا", "پیشبینی", "پیش\u200cبینی")
	found("compound", "روش پیشبینی هوا", "پیش\u200cبینی", "پیشبینی")
	found("compound", "روش پیش بینی هوا", "پیش\u200cبینی", "پیش بینی")
	found("compound", "روش پیش\u200cبینی هوا", "پیش بینی", "پیش\u200cبینی")
	found("compound", "روش پیش بینی هوا", "پیشبینی", "پیش بینی")
	found("compound", "دانش\u200cآموز خوب", "دانشاموز", "دانش\u200cآموز")
	found("compound", "دانش\u200cآموز خوب", "آموز", "دانش\u200cآموز")
	found("parts of the joined", "من می\u200cخواهم بروم", "خواهم", "می\u200cخواهم")
	found("parts of the joined", "من می خواهم بروم", "می", "می خواهم")
	found("line end inside a word", "من می\nخواهم بروم", "می\u200cخواهم", "می\nخواهم")
	found("doubled joiner", "من می\u200c\u200cخواهم\u200c بروم", "میخواهم", "می\u200c\u200cخواهم\u200c")
	found("joiner and space", "من می\u200c خواهم بروم", "میخواهم", "می\u200c خواهم")
	for name, c := range map[string]string{
		"soft hyphen": "\u00AD", "zero-width space": "\u200B", "byte-order mark": "\uFEFF", "word joiner": "\u2060",
		"left-to-right mark": "\u200E", "right-to-left mark": "\u200F", "embedding": "\u202B", "isolate": "\u2067",
		"Arabic letter mark": "\u061C", "zero-width joiner": "\u200D", "variation selector": "\uFE0F",
	} {
		found(name+" inside", "an exam"+c+"ple here", "example", "exam"+c+"ple")
		found(name+" inside", "این کتا"+c+"ب است", "کتاب", "کتا"+c+"ب")
		found(name+" inside", "我在北"+c+"京住", "北京", "北"+c+"京")
		after := ""
		if c == "\u200D" || c == "\uFE0F" { // part of the character before
			after = c
		}
		found(name+" around", c+"example"+c, "example", "example"+after)
		found(name+" around", "این "+c+"کتاب"+c+" است", "کتاب", "کتاب"+after)
		found(name+" in the query", "an example here", "exam"+c+"ple", "example")
		found(name+" in the query", "این کتاب است", c+"کتاب"+c, "کتاب")
	}
	found("joiner in Latin", "an exam\u200cple here", "example", "exam\u200cple")

	// Digits and numbers.
	group("digits", "سال ", " بود", "۱۴۰۲", "١٤٠٢", "1402")
	found("digits", "वर्ष २०२३ में", "2023", "२०२३")
	found("digits", "ปี ๒๕๖๖ นี้", "2566", "๒๕๖๖")
	found("digits on letters", "سال۱۴۰۲ بود", "1402", "۱۴۰۲")
	found("decimals", "it costs 38.101 now", "38.101", "38.101")
	found("decimals", "it costs 38.101 now", "101", "101")
	missed("decimals", "rooms 38 to 101", "38.101")
	found("decimals", "بهای ۳٫۱۴ دلار", "3.14", "۳٫۱۴")
	found("thousands", "about 1,000 people", "1000", "1,000")
	found("thousands", "about 1000 people", "1,000", "1000")
	found("thousands", "حدود ۱٬۰۰۰٬۰۰۰ نفر", "1000000", "۱٬۰۰۰٬۰۰۰")
	found("dates", "در ۱۴۰۲/۰۳/۱۵ آمد", "1402/03/15", "۱۴۰۲/۰۳/۱۵")
	found("dates", "on 2020-01-15 it", "2020-01-15", "2020-01-15")
	found("addresses", "host 192.168.1.10 is up", "192.168.1.10", "192.168.1.10")
	found("ranges", "from 1914 to 1918", "1914-1918", "1914", "1918")

	// Articles, plurals, stems.
	found("article", "هذا الكتاب جديد", "کتاب", "الكتاب")
	found("article", "هذا كتاب جديد", "الكتاب", "كتاب")
	found("article", "ذهب بالسيارة وعاد", "سيارة", "بالسيارة")
	found("article", "ذهب والمدرسة قريبة", "مدرسة", "والمدرسة")
	found("article", "جاء أحمد وكتاب معه", "كتاب", "وكتاب")
	found("article", "جاء أحمد مع كتاب", "وكتاب", "كتاب")
	found("article", "والله أعلم", "الله", "والله")
	missed("article", "والله أعلم", "له")
	found("article", "قال للمدير شيئا", "المدير", "للمدير")
	found("plural", "این کتاب\u200cها خوب است", "کتاب", "کتاب\u200cها")
	found("plural", "این کتاب خوب است", "کتاب\u200cها", "کتاب")
	found("plural", "این کتاب\u200cهایشان است", "کتاب", "کتاب\u200cهایشان")
	found("Arabic stem", "يعمل المهندسون هنا", "مهندس", "المهندسون")
	found("Arabic stem", "في السيارات الجديدة", "سيارة", "السيارات")
	found("English stem", "the houses were painted", "house painting", "houses", "painted")
	found("English stem", "a house", "houses", "house")
	found("German stem", "Die Häuser sind alt und sehr schön", "Haus", "Häuser")
	found("German stem", "Das Haus ist alt und sehr schön", "Häuser", "Haus")
	found("French stem", "les chevaux sont dans la prairie", "cheval", "chevaux")
	found("Spanish stem", "los niños caminaban por la calle", "caminar", "caminaban")
	found("Italian stem", "i ragazzi non sono nella scuola", "ragazzo", "ragazzi")
	found("Portuguese stem", "os animais não estão na casa", "animal", "animais")
	found("Dutch stem", "de huizen zijn niet van de stad", "huis huizen", "huizen")
	found("Swedish stem", "flickorna och pojkarna är här", "flicka", "flickorna")
	found("Turkish stem", "bu kitaplar çok güzel ve yeni", "kitap", "kitaplar")
	found("Hungarian stem", "a házak és az utcák nem", "ház", "házak")
	found("Finnish stem", "talossa on ja ei ole", "talo", "talossa")
	found("Romanian stem", "casele sunt în oraș și nu", "casă", "casele")
	found("Polish stem", "te książki nie są nowe", "książka", "książki")
	found("Croatian stem", "ove knjige nisu u školi", "knjiga", "knjige")
	found("Danish stem", "husene er ikke ved den gamle by", "huse", "husene")
	found("Norwegian stem", "husene er ikke ved den gamle byen", "hus", "husene")
	found("Russian stem", "читаю книги дома", "книга", "книги")
	found("Russian stem", "моя книга дома", "книгами", "книга")
	found("Greek stem", "στις πόλεις της χώρας", "πόλη", "πόλεις")
	found("Greek stem", "ένας άνθρωπος μόνος", "ανθρώπων", "άνθρωπος")
	found("Hindi stem", "लड़कियों ने कहा", "लड़की", "लड़कियों")
	pair := func(kind, before, a, b, after string) {
		found(kind, before+a+after, b, a)
		found(kind, before+b+after, a, b)
	}
	pair("Persian plural", "آن ", "نویسنده", "نویسندگان", " را دیدم")
	pair("Persian plural", "آن ", "دانشجو", "دانشجویان", " را دیدم")
	pair("Persian pronoun", "دیروز ", "کتاب", "کتابش", " گم شد")
	pair("Persian pronoun", "دیروز ", "خانه", "خانه\u200cمان", " فروخته شد")
	pair("Persian verb", "باز ", "می\u200cنویسم", "می\u200cنویسند", " تا شب")
	pair("Persian verb", "باز ", "می\u200cرویم", "نمی\u200cروند", " تا شب")
	pair("Arabic pronoun", "قرأ ", "كتاب", "كتابهم", " أمس")
	pair("Arabic pronoun", "وصلت ", "سيارة", "سيارتهم", " أمس")
	pair("Arabic dual", "رأى ", "مهندس", "مهندسان", " أمس")
	pair("Sorani stem", "ئەم ", "کتێب", "کتێبەکان", " لە ماڵەوە بوو و من")
	pair("Sorani stem", "ئەم ", "پەنجەرە", "پەنجەرەکان", " لە ماڵەوە بوو و من")
	pair("Kurmanji stem", "ev ", "pirtûk", "pirtûkên", " ji bo me ye û li vir e")
	pair("Kurmanji stem", "ev ", "gund", "gundan", " ji bo me ye û li vir e")
	pair("Urdu stem", "یہ ", "کتاب", "کتابوں", " میں ہے اور وہ ہیں")
	pair("Urdu stem", "یہ ", "لڑکا", "لڑکے", " ہیں اور وہ نہیں ہیں")
	pair("Hebrew stem", "זה ", "ספר", "ספרים", " של הילד")
	pair("Hebrew stem", "זה ", "ספר", "הספר", " של הילד")
	pair("Hebrew stem", "קניתי ", "מחברת", "המחברות", " אתמול")
	pair("Ukrainian stem", "це ", "книга", "книги", " з бібліотеки і не моя")
	found("elision", "la porte de l'église", "eglise", "l'église")
	found("elision", "la porte de l’église", "eglise", "l’église")

	// Scripts without spaces.
	found("Chinese", "我们昨天去了北京大学学习", "北京", "北京")
	found("Chinese", "我们昨天去了北京大学学习", "大学", "大学")
	found("Chinese", "我们昨天去了北京大学学习", "学", "学学")
	missed("Chinese", "京北线", "北京")
	found("Japanese", "私は東京に住んでいます", "東京", "東京")
	found("Japanese", "新しいコンピュータを買った", "コンピュータ", "コンピュータ")
	found("Japanese, decomposed", "か\u3099くせいがいる", "がく", "か\u3099く")
	found("Korean", "한국어를 공부합니다", "한국어", "한국어")
	found("Korean, decomposed", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165를 공부", "한국어", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165")
	found("Thai", "ฉันอยู่กรุงเทพมหานคร", "กรุงเทพ", "กรุงเทพ")
	found("Lao", "ຂ້ອຍຢູ່ວຽງຈັນ", "ວຽງຈັນ", "ວຽງຈັນ")
	found("Khmer", "ខ្ញុំនៅភ្នំពេញ", "ភ្នំពេញ", "ភ្នំពេញ")
	found("Burmese", "ရန်ကုန်မြို့တွင်", "ရန်ကုန်", "ရန်ကုန်")
	found("mixed with Latin", "我用iPhone手机拍照", "iphone", "iPhone")
	found("mixed with Latin", "我用iPhone手机拍照", "手机", "手机")

	// Other scripts.
	for _, w := range []string{"ქართული", "հայերեն", "ትግርኛ", "தமிழ்", "తెలుగు", "বাংলা", "ગુજરાતી", "ਪੰਜਾਬੀ", "മലയാളം", "ಕನ್ನಡ",
		"සිංහල", "བོད་སྐད", "ᏣᎳᎩ", "ᓄᓇᕗᑦ", "ދިވެހި", "ܣܘܪܝܝܐ", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "𐤀𐤁𐤂", "монгол", "ελληνικά", "עברית", "қазақ"} {
		found("scripts", "one "+w+" two", w, strings.FieldsFunc(w, func(r rune) bool { return r == '་' })...)
	}

	// Case.
	found("case", "die STRASSE hier", "Straße", "STRASSE")
	found("case", "die Straße hier", "STRASSE", "Straße")
	found("case", "ISIK doğudan", "ışık", "ISIK")
	found("case", "bir ışık yandı", "ISIK", "ışık")
	found("case", "İSTANBUL büyük", "istanbul", "İSTANBUL")
	found("case", "Istanbul", "İstanbul", "Istanbul")
	found("case", "ΟΔΟΣ", "οδός", "ΟΔΟΣ")
	found("case", "МОСКВА", "москва", "МОСКВА")

	// Compounds and contractions.
	found("hyphens", "a state-of-the-art design", "state-of-the-art", "state-of-the-art")
	found("hyphens", "a state-of-the-art design", "art", "art")
	found("hyphens", "send an e-mail now", "email", "e-mail")
	found("hyphens", "send an email now", "e-mail", "email")
	found("hyphens", "the non‑breaking one", "breaking", "breaking")
	found("endless compounds", strings.Repeat("a-", 2000)+"needle", "needle", "needle")
	found("contractions", "I don't know", "dont", "don't")
	found("contractions", "I don’t know", "don't", "don’t")
	found("contractions", "what’s up here", "what's up?", "what’s", "up")
	found("contractions", "hier İstanbul'da idi", "istanbul", "İstanbul'da")
	found("contractions", "hier İstanbul idi", "İstanbul'da", "İstanbul")
	found("possessives", "the dog's bone", "dogs", "dog's")
	found("acronyms", "made in the U.S.A. long ago", "usa", "U.S.A")
	found("acronyms", "made in the USA long ago", "U.S.A.", "USA")
	found("acronyms", "צה\"ל הודיע", "צהל", "צה\"ל")
	found("names", "see example.com for more", "example", "example")
	found("names", "call my_function_name twice", "my_function_name", "my_function_name")
	found("names", "written to a.b@example.org", "a.b@example.org", "a.b", "example.org")
	found("signs", "written in C++ mostly", "C++", "C++")
	found("signs", "written in C# mostly", "c#", "C#")
	found("signs", "written in C++11 mostly", "C++", "C++")
	missed("signs", "written in C# mostly", "C++")
	missed("signs", "written in C mostly", "C++")
	missed("signs", "written in C++ mostly", "C#")
	found("signs", "runs on .NET only", ".NET", ".NET")
	found("signs", "runs on ASP.NET only", ".NET", "NET")

	// Symbols, marks and stop words alone.
	found("emoji", "great 👍🏽 work", "👍", "👍🏽")
	found("emoji", "flags 🇮🇷🇩🇪 here", "🇩🇪", "🇩🇪")
	missed("emoji", "flags 🇮🇷🇩🇪 here", "🇫🇷")
	found("emoji", "family 👨‍👩‍👧 here", "👩", "👨‍👩‍👧")
	found("only marks", "before ـــ after", "ــ", "ـــ")
	found("only marks", "before \u064E\u0651 after", "\u064E\u0651", " \u064E\u0651")
	found("only marks", "جاء مُحَمَّد اليوم", "\u0651", "مُحَمَّد")
	found("only marks", "جاء مُحَمَّد وأَحمد", "\u064E\u0651", "مُحَمَّد", "وأَحمد")
	found("only marks", "جاء محمـــد اليوم", "ـ", "محمـــد")
	missed("only marks", "جاء مُحمد اليوم", "\u0651")
	found("stop words", "to be or not to be", "to be or not to be", "to", "be", "or", "not", "to", "be")
	found("stop words", "این از آن است", "از", "از")
	found("stop words", "هذا من ذلك", "من", "من")
	return cs
}
