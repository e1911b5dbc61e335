package trial

import (
	"fmt"
	"math"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/onnx"
)

// pair is a query with a passage.
type pair struct{ query, passage string }

// known are the pairs that a trial scores: passages that answer a query, each followed by one that does not.
//
// What the catalogue's rerankers answer on them was never measured here, for their weights could not be had: no score
// is expected of them. A device is compared with the CPU on the same file, and a model that is known to be good must
// put the answer above the other passage; without the right instructions an int8 model can saturate so far that it
// no longer does.
func known() []pair {
	return []pair{
		{"When was the lantern of the harbour first lit?", "The harbour's lantern was lit for the first time in the autumn of 1923."},
		{"When was the lantern of the harbour first lit?", "Bananas are sweet and grow where it never freezes."},
		{"چراغ دریایی بندر نخستین بار چه سالی روشن شد؟", "چراغ دریایی این بندر نخستین بار در پاییز سال ۱۳۰۲ روشن شد."},
		{"چراغ دریایی بندر نخستین بار چه سالی روشن شد؟", "موز میوه‌ای شیرین است که در جاهای گرم می‌روید."},
		{"متى أضيئت منارة الميناء لأول مرة؟", "أضيئت منارة الميناء لأول مرة في خريف عام 1923."},
		{"متى أضيئت منارة الميناء لأول مرة؟", "الموز فاكهة حلوة تنمو في البلاد الدافئة."},
	}
}

// typical is a passage of the length that indexing cuts, for timing.
func typical() pair {
	return pair{known()[0].query, strings.Repeat("The keeper climbed the stairs of the lighthouse every evening and lit the lantern of the harbour. ", 10)}
}

// tolerance is how far a device's score may be from the CPU's: of the score, or absolutely where that is below 1.
const tolerance = 1e-2

// judge says what is wrong with the scores of the known pairs. cpu are those of the same file on the CPU; nil: these
// are.
func judge(s Subject, scores, cpu []float64) (difference float64, err error) {
	for i, x := range scores {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, disagrees(s, fmt.Sprintf("a score is not a number (%v)", x))
		}
		if cpu != nil {
			difference = max(difference, math.Abs(x-cpu[i])/max(1, math.Abs(cpu[i])))
		}
	}
	if difference > tolerance {
		return difference, disagrees(s, fmt.Sprintf("its scores are up to %.3g away from the CPU's", difference))
	}
	for i := 0; s.Judge && i+1 < len(scores); i += 2 {
		if scores[i] <= scores[i+1] {
			return difference, disagrees(s, fmt.Sprintf("of a passage that answers a query and one that does not it prefers the second (%.3g and %.3g)", scores[i], scores[i+1]))
		}
	}
	return difference, nil
}

func disagrees(s Subject, what string) error {
	if s.Device == onnx.CPU {
		return domain.Errorf(domain.CodeDeviceDisagrees, "install the model again; on a processor without VNNI an int8 model can be at fault, another precision is not",
			"the model does not work on this processor: %s", what)
	}
	return domain.Errorf(domain.CodeDeviceDisagrees, "", "%s computes wrongly: %s", s.Device, what)
}
