package language

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// parseDay reads a year, a month or a day, and gives the first day of it as ISO 8601. Numbers stand from the largest to the
// smallest; where the month has its name, anyhow. Years from 1200 to 1500 are of the Solar Hijri calendar, those from
// 1600 to 2999 of the Gregorian.
func parseDay(value string) (string, bool) {
	fields := strings.FieldsFunc(value, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("-/.,،", r) })
	var numbers []int
	gregorian, solar := 0, 0
	for _, field := range fields {
		n, ok := smallNumber(field)
		name := foldName(field)
		switch {
		case ok && n > 0:
			numbers = append(numbers, n)
		case gregorian+solar > 0:
			return "", false
		default:
			if gregorian, solar = gregorianMonths[name], solarMonths[name]; gregorian+solar == 0 {
				return "", false
			}
		}
	}
	if month := gregorian + solar; month > 0 && len(numbers) > 0 {
		slices.SortFunc(numbers, func(a, b int) int { return b - a })
		numbers = slices.Insert(numbers, 1, month)
	}
	if len(numbers) == 0 || len(numbers) > 3 {
		return "", false
	}
	return isoDay(append(numbers, 1, 1)[:3], gregorian > 0, solar > 0)
}

// isoDay writes a year, month and day of either calendar.
func isoDay(date []int, gregorian, solar bool) (string, bool) {
	year, month, day := date[0], date[1], date[2]
	switch {
	case month > 12:
		return "", false
	case year >= 1200 && year <= 1500 && !gregorian:
		return solarDay(year, month, day).Format(time.DateOnly), day <= solarMonth(year, month)
	case year >= 1600 && year <= 2999 && !solar:
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		return t.Format(time.DateOnly), t.Day() == day
	}
	return "", false
}

// smallNumber reads up to four digits of any of three sets.
func smallNumber(s string) (n int, ok bool) {
	digits := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			n = 10*n + int(r-'0')
		case r >= '۰' && r <= '۹':
			n = 10*n + int(r-'۰')
		case r >= '٠' && r <= '٩':
			n = 10*n + int(r-'٠')
		default:
			return 0, false
		}
		if digits++; digits > 4 {
			return 0, false
		}
	}
	return n, digits > 0
}

// gregorianMonths and solarMonths are the names of months, as foldName has them.
var (
	gregorianMonths = monthNames(`january jan ژانویه ینایر|february feb فوریه فبرایر|march mar مارس|april apr اوریل ابریل|
		may مه می مایو|june jun ژوین ژویین یونیو|july jul ژوییه یولیو|august aug اوت اغسطس|september sep sept سپتامبر سبتمبر|
		october oct اکتبر اکتوبر|november nov نوامبر نوفمبر|december dec دسامبر دیسمبر`)
	solarMonths = monthNames(`فروردین farvardin|اردیبهشت ordibehesht|خرداد khordad|تیر tir|مرداد امرداد mordad|شهریور shahrivar|
		مهر mehr|ابان aban|اذر azar|دی dey|بهمن bahman|اسفند esfand`)
)

func monthNames(list string) map[string]int {
	names := map[string]int{}
	for i, month := range strings.Split(list, "|") {
		for _, name := range strings.Fields(month) {
			names[name] = i + 1
		}
	}
	return names
}

// solarLeap says whether a year has 366 days: 8 of 33 do. The rule holds from 1178 to 1501.
func solarLeap(year int) bool { return (25*year+11)%33 < 8 }

func solarMonth(year, month int) int {
	switch {
	case month <= 6:
		return 31
	case month < 12 || solarLeap(year):
		return 30
	}
	return 29
}

// solarDay is a day of the Solar Hijri calendar in the Gregorian.
func solarDay(year, month, day int) time.Time {
	days := 365*(year-1) + (8*year+21)/33 + 31*(month-1) - max(0, month-7) + day - 1
	return time.Date(622, time.March, 21, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days) // 1 Farvardin 1, by today's rule
}
