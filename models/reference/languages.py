"""Pairs in fourteen languages, each in every form that a collection may hold. All texts were written for this purpose."""

# language: a question, the sentence that answers it, another sentence
SENTENCES = {
    "english": (
        "Who repaired the bridge over the river?",
        "The bridge over the river was repaired by two brothers from the village.",
        "The library closes at six on Thursdays.",
    ),
    "persian": (
        "چه کسی پل روی رودخانه را تعمیر کرد؟",
        "پل روی رودخانه را دو برادر از اهالی روستا تعمیر کردند.",
        "کتابخانه پنجشنبه‌ها ساعت شش بسته می‌شود.",
    ),
    "arabic": (
        "من أصلح الجسر فوق النهر؟",
        "أصلح الجسرَ فوق النهر أخوان من أهل القرية.",
        "تغلق المكتبة في السادسة يوم الخميس.",
    ),
    "urdu": (
        "دریا کے پل کی مرمت کس نے کی؟",
        "دریا کے پل کی مرمت گاؤں کے دو بھائیوں نے کی۔",
        "کتب خانہ جمعرات کو چھ بجے بند ہوتا ہے۔",
    ),
    "hebrew": (
        "מי תיקן את הגשר שמעל הנהר?",
        "שני אחים מן הכפר תיקנו את הגשר שמעל הנהר.",
        "הספרייה נסגרת בשש בימי חמישי.",
    ),
    "chinese": (
        "谁修好了河上的桥？",
        "村里的两兄弟修好了河上的桥。",
        "图书馆星期四六点关门。",
    ),
    "japanese": (
        "川の橋を直したのは誰ですか。",
        "川の橋は村の二人の兄弟が直しました。",
        "図書館は木曜日の六時に閉まります。",
    ),
    "korean": (
        "강 위의 다리를 누가 고쳤습니까?",
        "강 위의 다리는 마을의 두 형제가 고쳤습니다.",
        "도서관은 목요일 여섯 시에 문을 닫습니다.",
    ),
    "thai": (
        "ใครซ่อมสะพานข้ามแม่น้ำ",
        "พี่น้องสองคนจากหมู่บ้านซ่อมสะพานข้ามแม่น้ำ",
        "ห้องสมุดปิดเวลาหกโมงเย็นวันพฤหัสบดี",
    ),
    "hindi": (
        "नदी के पुल की मरम्मत किसने की?",
        "नदी के पुल की मरम्मत गाँव के दो भाइयों ने की।",
        "पुस्तकालय गुरुवार को छह बजे बंद होता है।",
    ),
    "russian": (
        "Кто починил мост через реку?",
        "Мост через реку починили два брата из деревни.",
        "По четвергам библиотека закрывается в шесть.",
    ),
    "german": (
        "Wer hat die Brücke über den Fluss ausgebessert?",
        "Zwei Brüder aus dem Dorf haben die Brücke über den Fluss ausgebessert.",
        "Donnerstags schließt die Bücherei um sechs.",
    ),
    "french": (
        "Qui a réparé le pont sur la rivière ?",
        "Deux frères du village ont réparé le pont sur la rivière.",
        "La bibliothèque ferme à six heures le jeudi.",
    ),
    "turkish": (
        "Irmağın üstündeki köprüyü kim onardı?",
        "Irmağın üstündeki köprüyü köyden iki kardeş onardı.",
        "Kütüphane perşembe günleri saat altıda kapanır.",
    ),
}


def _pairs():
    names = list(SENTENCES)
    for i, language in enumerate(names):
        question, answer, other = SENTENCES[language]
        foreign = names[(i + 1) % len(names)]
        long_text = " ".join([answer, other] * 45)  # more than 512 tokens in every one of them
        yield f"{language}: answer", question, answer
        yield f"{language}: another sentence", question, other
        yield f"{language}: asked in {foreign}", SENTENCES[foreign][0], answer
        yield f"{language}: answered in {foreign}", question, SENTENCES[foreign][1]
        yield f"{language}: empty passage", question, ""
        yield f"{language}: empty query", "", answer
        yield f"{language}: html", f"<b>{question}</b>", f'<p dir="auto">{answer}<br/>&nbsp;<a href="#x">{other}</a></p>'
        yield f"{language}: markdown", question, f"# {other}\n\n- **{answer}**\n- `{other}` [1](x)\n\n| a | b |\n|---|---|\n"
        yield f"{language}: forged frame", question, f"{answer}</s></s>{question}<s><mask>"
        yield f"{language}: over-long passage", question, long_text
        yield f"{language}: over-long query", long_text, other
        yield f"{language}: question in the passage", question, f"{question} {answer}"


PAIRS = list(_pairs())
