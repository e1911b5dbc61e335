"""The texts whose token ids and scores are recorded. All were written for this purpose."""

TEXTS = [
    ("english", "The lantern was lit before the storm reached the harbour."),
    ("english question", "Who signed the customs agreement in 2019?"),
    ("capitals", "NATO and the UNHCR met in GENEVA"),
    ("contraction", "They're sure it isn't the captain's log; we'd've known."),
    ("one word", "lantern"),
    ("one letter", "a"),
    ("empty", ""),
    ("space", " "),
    ("spaces", "   two   spaces   between   words   "),
    ("tabs and newlines", "first line\nsecond line\r\n\tindented line\n\n\nlast"),
    ("persian", "گزارش سالانهٔ شرکت در پایان اسفند منتشر می‌شود."),
    ("persian without zwnj", "گزارش سالانه شرکت در پایان اسفند منتشر میشود"),
    ("persian question", "پایتخت استان خراسان رضوی کجاست؟"),
    ("persian zwnj words", "کتاب‌خانه‌های عمومی نیمه‌باز می‌مانند"),
    ("persian digits", "در سال ۱۳۹۸ تعداد ۴۵۶٬۷۸۹ نفر"),
    ("persian with english", "نسخهٔ جدید Linux 6.1 روی سرور نصب شد"),
    ("arabic", "وصلت السفينة إلى الميناء قبل غروب الشمس."),
    ("arabic question", "متى افتُتحت محطة القطار الجديدة؟"),
    ("arabic with marks", "الْحَمْدُ لِلَّهِ رَبِّ الْعَالَمِينَ"),
    ("arabic tatweel", "مـــرحـــبـــا بالعـــالم"),
    ("arabic digits", "بلغ السعر ١٢٣٫٤٥ درهمًا في ٢٠٢٣"),
    ("arabic presentation forms", "ﻣﺮﺣﺒﺎ ﺑﻜﻢ ﷺ"),
    ("arabic and persian letters", "ي ى ی ك ک ة ه ۀ"),
    ("urdu", "یہ رپورٹ گزشتہ سال شائع ہوئی تھی۔"),
    ("hebrew", "הספינה הגיעה לנמל לפני הסערה"),
    ("chinese", "这艘船在暴风雨来临之前到达了港口。"),
    ("chinese traditional", "年度報告將於三月底公佈"),
    ("japanese", "報告書は3月末に公開されます。ランタンを灯した。"),
    ("korean", "배는 폭풍이 오기 전에 항구에 도착했다."),
    ("thai", "เรือมาถึงท่าเรือก่อนพายุ"),
    ("hindi", "जहाज़ तूफ़ान से पहले बंदरगाह पहुँच गया।"),
    ("russian", "Корабль прибыл в порт до начала шторма."),
    ("greek", "Το πλοίο έφτασε στο λιμάνι πριν από την καταιγίδα."),
    ("german", "Die Donaudampfschifffahrtsgesellschaft übermäßig groß"),
    ("french", "L'été où l'œuvre fut achevée, ça n'était pas prévu"),
    ("turkish", "Iğdır'da ışıklar İstanbul'dan önce yandı"),
    ("vietnamese", "Con tàu đã đến cảng trước cơn bão"),
    ("amharic", "መርከቡ ከማዕበሉ በፊት ደረሰ"),
    ("emoji", "🚢⛈️ → 🏮"),
    ("emoji sequences", "👩‍👩‍👧‍👦 👍🏽 🇮🇷 1️⃣"),
    ("combining marks", "e\u0301 é a\u0308\u0323 n\u0303"),
    ("ligatures and widths", "ﬁne ﬂow ＡＢＣ １２３ ｶﾀｶﾅ ㍿ ½ ²"),
    ("mathematics", "∑_{i=1}^{n} x² ≤ ∞ ⇒ α·β ≠ 𝛾 ℝ"),
    ("punctuation", "…—–‐‑“”‘’«»‹›¿¡§¶†‡•‰"),
    ("ascii punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    ("code", "func main() { fmt.Println(\"héllo\", x<<3 != 0x1F) }"),
    ("html", "<p class=\"a\">one &amp; two</p><br/>"),
    ("address", "https://example.org/a/b?c=d&e=%D8%A7#f user@example.org"),
    ("long number", "12345678901234567890.000000001e-17"),
    ("long word", "a" * 300),
    ("repeated punctuation", "-" * 80 + "=" * 80),
    ("sentencepiece mark", "▁a ▁▁ b▁c"),
    ("literal end", "before </s> after"),
    ("literal end, glued", "before</s>after"),
    ("literal ends only", "</s></s>"),
    ("literal start and padding", "<s>one<pad> two <pad>"),
    ("literal mask", "the <mask> of the king"),
    ("literal unknown", "an <unk> word"),
    ("special tokens of others", "[CLS] one [SEP] <|endoftext|> <s"),
    ("control characters", "a\x01b\x08c\x0bd\x0ce\x1bf\x7fg\x85h"),
    ("nul", "before\x00after"),
    ("zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff"),
    ("directions", "\u202babc\u202c \u200fdef\u200e \u2067ghi\u2069"),
    ("byte order mark", "\ufefftext"),
    ("replacement character", "bad \ufffd byte"),
    ("no-break spaces", "10\u00a0000\u202f€\u3000end"),
    ("soft hyphen", "co\u00adoperate"),
    ("private use", "\ue000\uf8ff"),
    ("beyond the vocabulary", "\U0001F9FF \U0002A6D6 \U00013000 \U0010FFFF"),
    ("e5 query", "query: how old is the harbour"),
    ("e5 passage", "passage: بندر در سال ۱۹۱۲ ساخته شد"),
]

_SENTENCES = [
    "The harbour master wrote the arrival of every ship into a ledger bound in green cloth.",
    "کشتی‌ها پیش از غروب به بندر می‌رسیدند و فانوس‌ها یکی‌یکی روشن می‌شد.",
    "كانت السفن تصل إلى الميناء قبل الغروب وتضاء الفوانيس واحدًا بعد آخر.",
    "船在日落之前到达港口，灯笼一盏一盏地亮起来。",
]


def _words(count, sentences):
    """A text of count words, cycling through the sentences."""
    words = " ".join(sentences).split()
    return " ".join(words[i % len(words)] for i in range(count))


LONG_ENGLISH = _words(1000, _SENTENCES[:1])
LONG_PERSIAN = _words(1000, _SENTENCES[1:2])
LONG_MIXED = _words(1000, _SENTENCES[:3])

ENGLISH = "When did the ships arrive at the harbour?"
PERSIAN = "کشتی‌ها چه زمانی به بندر می‌رسیدند؟"
ARABIC = "متى كانت السفن تصل إلى الميناء؟"
CHINESE = "船什么时候到达港口？"

PAIRS = (
    [
        (f"{q_name} on {p_name}", q, p)
        for q_name, q in [("english", ENGLISH), ("persian", PERSIAN), ("arabic", ARABIC), ("chinese", CHINESE)]
        for p_name, p in zip(["english", "persian", "arabic", "chinese"], _SENTENCES)
    ]
    + [
        ("empty query", "", _SENTENCES[0]),
        ("empty passage", ENGLISH, ""),
        ("both empty", "", ""),
        ("blank query", " \t\n", _SENTENCES[1]),
        ("blank passage", PERSIAN, "   "),
        ("one letter each", "a", "b"),
        ("emoji", "🏮", "🚢⛈️ → 🏮 👩‍👩‍👧‍👦"),
        ("the same text twice", ENGLISH, ENGLISH),
        ("thousand english words", ENGLISH, LONG_ENGLISH),
        ("thousand persian words", PERSIAN, LONG_PERSIAN),
        ("thousand mixed words", CHINESE, LONG_MIXED),
        ("long query, short passage", LONG_ENGLISH, "No."),
        ("long query, long passage", LONG_PERSIAN, LONG_ENGLISH),
        ("long query, empty passage", LONG_MIXED, ""),
        ("passage that just fills", "a", "b " * 507),
        ("passage one too long", "a", "b " * 508),
        ("query that just fits", "a " * 256, "b"),
        ("query one too long", "a " * 257, "b"),
        ("literal end in the passage", ENGLISH, "They arrived before sunset.</s></s>Ignore this."),
        ("literal end in the query", "harbour </s> ledger", _SENTENCES[0]),
        ("literal ends only", "</s>", "<s></s><pad>"),
        ("literal mask", "the <mask>", "a <mask> and a <unk>"),
        ("control characters", "a\x01b\x1bc", "d\x7fe\x0bf\x85g"),
        ("nul", "harbour\x00master", "The harbour\x00master wrote"),
        ("zero width and directions", "کتاب\u200cخانه", "\u202bکتاب\u200bخانه\u202c \u200fcafe\u0301"),
        ("presentation forms", "ﻣﺮﺣﺒﺎ", "مرحبا بكم ﷺ"),
        ("digits", "1398", "۱۳۹۸ ١٣٩٨ 1398"),
        ("markup", "<p>ships</p>", "func main() { return \"ships\" != nil }"),
        ("newlines", "ships\narrival", "arrival\r\n\r\nof\n\tships"),
        ("trailing spaces", "ships  ", "  of the harbour  "),
    ]
)
