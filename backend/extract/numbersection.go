package extract

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	// sectionCondition says for which numbers a section of a format is: [<1000], [=1].
	sectionCondition = regexp.MustCompile(`\[(<=|>=|<>|<|>|=)(-?[0-9.]+(?:[Ee][+-]?[0-9]+)?)\]`)
	// formatQuoted is text in a format.
	formatQuoted = regexp.MustCompile(`"[^"]*"|\\.`)
	// sectionColour is a colour by its number, which excelize takes for digits.
	sectionColour = regexp.MustCompile(`(?i)\[color ?[0-9]+\]`)
)

// sectionFor is the section of a format that shows a number, where its sections say for which numbers they are (excelize
// would take the first), and the number as it is shown there: one for negative numbers alone says itself that they are. ok
// is false where no section is for this number. A format that says nothing of the kind stays whole.
func sectionFor(code string, number float64) (section string, shown float64, ok bool) {
	if !sectionCondition.MatchString(formatQuoted.ReplaceAllString(code, "")) {
		return code, number, true
	}
	all := formatSections(code)
	all = all[:min(len(all), 3)] // the fourth is for text
	for i, section := range all {
		condition := sectionCondition.FindStringSubmatch(formatQuoted.ReplaceAllString(section, ""))
		negative := false
		switch {
		case condition != nil:
			ok = holds(number, condition[1], condition[2])
			negative = ok && !holds(0, condition[1], condition[2]) && strings.HasPrefix(condition[1], "<")
		case i == 0:
			ok = number > 0
		case i == 1 && len(all) == 3:
			ok = number < 0
			negative = ok
		default:
			ok = true
		}
		if ok {
			if negative {
				number = math.Abs(number)
			}
			return section, number, true
		}
	}
	return "", number, false
}

func holds(number float64, operator, limit string) bool {
	than, err := strconv.ParseFloat(limit, 64)
	if err != nil {
		return false
	}
	switch operator {
	case "<":
		return number < than
	case "<=":
		return number <= than
	case ">":
		return number > than
	case ">=":
		return number >= than
	case "<>":
		return number != than
	}
	return number == than
}

// formatSections cuts a format at the semicolons that stand in no text of it.
func formatSections(code string) []string {
	hidden := formatQuoted.ReplaceAllStringFunc(code, func(text string) string { return strings.Repeat("x", len(text)) })
	var all []string
	for {
		i := strings.IndexByte(hidden, ';')
		if i < 0 {
			return append(all, code)
		}
		all = append(all, code[:i])
		code, hidden = code[i+1:], hidden[i+1:]
	}
}
