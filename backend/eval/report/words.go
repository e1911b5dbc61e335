package report

import "strings"

// words are the report's own texts in one language.
type words struct {
	Lang, Dir string

	Title, Made, Queries, Documents, Candidates, Top     string
	Quality, QualityNote, All, Stage, Value, Interval    string
	Comparisons, ComparisonsNote, Against, Input, Chance string
	Better, Worse, WithinChance                          string
	Latency, LatencyNote, P50, P95                       string
	Movement, MovementNote, AllMoved, RelevantMoved      string
	Passages, Model, Device, OnlyReranking               string
	Skipped, Notes, How, HowText                         string
	NothingToChoose, NotReranked                         string // formats
	InShort, MS                                          string
	Finds, Above, Below, Same                            string // formats

	stages, metrics map[string]string
	zero            rune // of the language's digits
}

func wordsOf(language string) words {
	if language == "fa" {
		return persian()
	}
	return english()
}

// stage is the name of a stage for people; that of one that has none is its own.
func (w words) stage(name string) string {
	plain, mmr := strings.CutSuffix(name, "+mmr")
	if known, ok := w.stages[plain]; ok {
		plain = known
	}
	if mmr {
		return plain + " + MMR"
	}
	return plain
}

func (w words) metric(name string) string {
	family, k, _ := strings.Cut(name, "@")
	return ltr(w.metrics[family] + "@" + w.digits(k))
}

// ltr isolates what is written from left to right in any text.
func ltr(text string) string { return "\u2066" + text + "\u2069" }

// digits writes the digits of a number as the language has them.
func (w words) digits(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return w.zero + r - '0'
		case r == '.' && w.Lang == "fa":
			return '٫'
		case r == '-':
			return '−'
		}
		return r
	}, text)
}

func english() words {
	return words{
		Lang: "en", Dir: "ltr", zero: '0',
		Title: "How good is the search?", Made: "Made", Queries: "judged queries", Documents: "documents", Candidates: "candidates an arm", Top: "results shown",
		Quality: "Quality by stage", QualityNote: "The dot is the mean over the queries, the line its 95% interval. The scale runs from 0 to 1.",
		All: "All figures", Stage: "Stage", Value: "Mean", Interval: "95% interval",
		Comparisons: "What each stage adds", ComparisonsNote: "Differences on the same queries. A difference counts only where it is called better or worse; the others may be chance.",
		Against: "Against", Input: "its input", Chance: "p", Better: "better", Worse: "worse", WithinChance: "within chance",
		Latency: "Time a query", LatencyNote: "Up to and including the stage, in milliseconds: the bar is the median, the mark the 95th of 100.", P50: "Median", P95: "95th of 100",
		Movement: "What reranking moved", MovementNote: "Ranks up (+) or down (−) of the passages that the reranker scored.", AllMoved: "All passages", RelevantMoved: "Passages of relevant documents",
		Passages: "passages scored a query, of", Model: "Model", Device: "Device", OnlyReranking: "reranking alone",
		Skipped: "Not measured", Notes: "To know first", How: "How this was measured",
		HowText:         "Each query was asked once, and every stage ordered what was found. A document stands where its best passage does; one that nobody has judged counts as not relevant. recall@k is the share of the relevant documents among the first k; pass@k the share of the queries with at least one; MRR@k the mean of 1/rank of the first; nDCG@k weighs grades by their rank. They equal those of trec_eval. Intervals are percentiles of 2,000 samples of the queries, p is that of a permutation test, and significant is what both call so.",
		NothingToChoose: "Candidates and results are both %s: reranking chooses nothing, it only reorders what is shown anyhow.",
		NotReranked:     "%s did not rerank %s of %s queries; its figures hold the order before it for them.",
		InShort:         "In short", MS: "ms",
		Finds: "%s shows a right document among the first five for %s of 100 queries.",
		Above: "%s is better here than %s, by more than chance.",
		Below: "%s is significantly worse here than %s.",
		Same:  "%s and %s differ here by no more than chance.",
		stages: map[string]string{
			"bm25": "Keywords (BM25)", "semantic": "Meaning (vectors)", "hybrid": "Hybrid", "hybrid@depth": "Hybrid, as deep as reranking", "rerank": "Local reranking",
			"late": "Late interaction", "fast": "Fast cross-encoder", "precise": "Precise cross-encoder", "cohere": "Cohere", "rrf": "Both arms by rank (RRF)", "rerank-rrf": "Before and after by rank (RRF)",
		},
		metrics: map[string]string{"recall": "recall", "pass": "pass", "mrr": "MRR", "ndcg": "nDCG"},
	}
}

func persian() words {
	return words{
		Lang: "fa", Dir: "rtl", zero: '۰',
		Title: "جست‌وجو چقدر خوب است؟", Made: "تاریخ", Queries: "پرسش داوری‌شده", Documents: "سند", Candidates: "نامزد از هر شاخه", Top: "نتیجهٔ نمایش‌داده‌شده",
		Quality: "کیفیت در هر مرحله", QualityNote: "نقطه میانگین پرسش‌هاست و خط، بازهٔ اطمینان ۹۵٪ آن. مقیاس از صفر تا یک است.",
		All: "همهٔ رقم‌ها", Stage: "مرحله", Value: "میانگین", Interval: "بازهٔ ۹۵٪",
		Comparisons: "هر مرحله چه می‌افزاید", ComparisonsNote: "اختلاف‌ها روی همان پرسش‌هاست. فقط اختلافی به حساب می‌آید که «بهتر» یا «بدتر» خوانده شده باشد؛ بقیه شاید تصادفی باشد.",
		Against: "در برابر", Input: "ورودی خودش", Chance: "p", Better: "بهتر", Worse: "بدتر", WithinChance: "در حد تصادف",
		Latency: "زمان هر پرسش", LatencyNote: "تا پایان همان مرحله، به میلی‌ثانیه: میله میانه است و نشانه، صدک نودوپنجم.", P50: "میانه", P95: "صدک ۹۵",
		Movement: "بازچینی چه چیزی را جابه‌جا کرد", MovementNote: "جابه‌جایی رتبه رو به بالا (+) یا پایین (−) برای متن‌هایی که بازچین به آن‌ها امتیاز داده است.", AllMoved: "همهٔ متن‌ها", RelevantMoved: "متن‌های سندهای مرتبط",
		Passages: "متن امتیازگرفته در هر پرسش، از", Model: "مدل", Device: "دستگاه", OnlyReranking: "فقط بازچینی",
		Skipped: "اندازه‌گیری نشد", Notes: "پیش از خواندن رقم‌ها", How: "روش اندازه‌گیری",
		HowText:         "هر پرسش یک بار پرسیده شده و هر مرحله همان یافته‌ها را مرتب کرده است. جای هر سند، جای بهترین متن آن است و سندی که داوری نشده نامرتبط شمرده می‌شود. recall@k سهم سندهای مرتبطی است که میان k تای نخست‌اند؛ pass@k سهم پرسش‌هایی که دست‌کم یکی از آن‌ها را دارند؛ MRR@k میانگین وارونِ رتبهٔ نخستین سند مرتبط؛ و nDCG@k درجه‌ها را با رتبه‌شان می‌سنجد. این رقم‌ها با trec_eval برابرند. بازه‌ها صدک‌های ۲۰۰۰ نمونه از پرسش‌ها هستند، p از آزمون جایگشت است و «معنادار» آن است که هر دو تأیید کنند.",
		NothingToChoose: "شمار نامزدها و نتیجه‌ها هر دو %s است: بازچینی چیزی را برنمی‌گزیند و فقط ترتیب همان‌ها را عوض می‌کند.",
		NotReranked:     "%s از %[3]s پرسش %[2]s تا را بازچینی نکرد؛ رقم‌های آن برای این پرسش‌ها ترتیب پیش از آن است.",
		InShort:         "خلاصه", MS: "میلی‌ثانیه",
		Finds: "«%s» برای %s پرسش از هر ۱۰۰ پرسش، سند درست را میان پنج نتیجهٔ نخست نشان می‌دهد.",
		Above: "%s در اینجا بهتر از %s است و این تفاوت تصادفی نیست.",
		Below: "%s در اینجا به‌طور معنادار بدتر از %s است.",
		Same:  "تفاوت %s با %s در اینجا از حد تصادف فراتر نمی‌رود.",
		stages: map[string]string{
			"bm25": "کلیدواژه (BM25)", "semantic": "معنا (بردار)", "hybrid": "ترکیبی", "hybrid@depth": "ترکیبی تا ژرفای بازچینی", "rerank": "بازچینی محلی",
			"late": "تعامل دیرهنگام", "fast": "بازچین سریع", "precise": "بازچین دقیق", "cohere": "Cohere", "rrf": "دو شاخه بر پایهٔ رتبه (RRF)", "rerank-rrf": "پیش و پس بر پایهٔ رتبه (RRF)",
		},
		metrics: map[string]string{"recall": "recall", "pass": "pass", "mrr": "MRR", "ndcg": "nDCG"},
	}
}
