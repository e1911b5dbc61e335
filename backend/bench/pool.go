package bench

import (
	"fmt"
	"strings"

	"fanous/backend/onnx"
)

// query and texts are what made-up passages are cut from: three languages, as in a real collection.
const query = "when was the lantern of the old harbour first lit?"

var texts = []string{
	"The lantern of the old harbour was first lit in the spring of 1823, after two years of work on the tower and its lens. " +
		"Keepers wrote down every ship that passed, the weather and the oil that was burnt, and their books have come down to us. ",
	"فانوس دریایی بندر قدیمی نخستین بار در بهار سال ۱۲۰۲ روشن شد و نگهبانان آن نام هر کشتی را در دفتری می‌نوشتند. " +
		"این دفترها امروز در بایگانی شهر نگهداری می‌شوند و پژوهشگران از آن‌ها بهره می‌برند. ",
	"أضيء فانوس الميناء القديم لأول مرة في ربيع عام ١٨٢٣ بعد عامين من العمل في البرج والعدسة. " +
		"وكان الحراس يدونون اسم كل سفينة تمر والطقس وكمية الزيت التي تحترق كل ليلة. ",
}

// lengths are those of forty pairs in tokens, as retrieval gives them: in no order, some too long and cut. The first
// twenty have 4,393 tokens, all have 8,735.
var lengths = []int{
	98, 131, 512, 187, 240, 76, 305, 154, 221, 412, 119, 268, 173, 350, 92, 203, 512, 141, 109, 90,
	163, 84, 229, 512, 115, 197, 341, 128, 276, 70, 182, 445, 147, 93, 254, 388, 106, 211, 135, 266,
}

// pairs are passages for one query, as texts and as what a cross-encoder reads.
type pairs struct {
	passages []string
	ids      [][]int64
	tokens   int
}

// makePairs makes pairs of so many tokens each.
func makePairs(t *onnx.Tokenizer, lengths []int) (pairs, error) {
	q, err := t.Encode(query, 0)
	if err != nil {
		return pairs{}, err
	}
	var p pairs
	around := len(t.Pair(q.IDs, nil, 1<<20))
	for i, length := range lengths {
		long := fmt.Sprintf("%d. ", i+1) + strings.Repeat(texts[i%len(texts)], length/20+2)
		e, err := t.Encode(long, max(1, length-around))
		if err != nil {
			return pairs{}, err
		}
		passage := long[:e.Offsets[len(e.Offsets)-1][1]]
		if e, err = t.Encode(passage, 0); err != nil { // a word that was cut may have become other tokens
			return pairs{}, err
		}
		ids := t.Pair(q.IDs, e.IDs, 512)
		p.passages = append(p.passages, passage)
		p.ids = append(p.ids, ids)
		p.tokens += len(ids)
	}
	return p, nil
}
