package extract

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// persianCalendar is the number of the Solar Hijri calendar in formats, in base 16.
const persianCalendar = 0x16

var (
	// A format may begin with a language and a calendar: [$-fa-IR,16] or [$-160429].
	calendarPattern = regexp.MustCompile(`^\[\$-(?:[A-Za-z-]+,([0-9A-Fa-f]+)|([0-9A-Fa-f]{6,8}))\]`)
	dayPattern      = regexp.MustCompile(`(?i)y+|m+|d+`)
)

var persianMonths = [...]string{"فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد", "شهریور", "مهر", "آبان", "آذر", "دی", "بهمن", "اسفند"}
var persianDays = [...]string{"شنبه", "یکشنبه", "دوشنبه", "سه‌شنبه", "چهارشنبه", "پنجشنبه", "جمعه"}

// persianDate shows a date whose format asks for the Solar Hijri calendar, which excelize does not
// know. ok is false for every other format.
func persianDate(code string, serial float64, date1904 bool) (text string, ok bool) {
	m := calendarPattern.FindStringSubmatch(code)
	if m == nil || serial < 0 || serial > 3e6 {
		return "", false
	}
	calendar, _ := strconv.ParseUint(m[1], 16, 32)
	if m[2] != "" {
		n, _ := strconv.ParseUint(m[2], 16, 32)
		calendar = n >> 16 & 0xff
	}
	code, _, _ = strings.Cut(code[len(m[0]):], ";")
	if calendar != persianCalendar || !dayPattern.MatchString(code) || strings.ContainsAny(code, "hHsS") {
		return "", false
	}
	days := int(math.Floor(serial))
	if date1904 {
		days += 1462
	}
	year, month, day := solarHijri(days)
	text = dayPattern.ReplaceAllStringFunc(strings.NewReplacer(`\`, "", `"`, "").Replace(code), func(s string) string {
		switch strings.ToLower(s) {
		case "d", "m":
			return strconv.Itoa(map[byte]int{'d': day, 'm': month}[s[0]|0x20])
		case "dd", "mm":
			return fmt.Sprintf("%02d", map[byte]int{'d': day, 'm': month}[s[0]|0x20])
		case "ddd", "dddd":
			return persianDays[days%7] // the days of Excel count from a Saturday
		case "yy":
			return fmt.Sprintf("%02d", year%100)
		}
		if s[0]|0x20 == 'm' {
			return persianMonths[month-1]
		}
		return strconv.Itoa(year)
	})
	return text, true
}

// solarHijri gives the date of a day of Excel's count (1 is 1 January 1900, as it is from March of that
// year on). Leap years come in the cycle of 33 that holds from 1178 to 1633.
func solarHijri(days int) (year, month, day int) {
	const nowruz1386 = 39162 // 21 March 2007; 1386 begins a cycle
	const cycle = 33*365 + 8
	d := days - nowruz1386
	cycles := int(math.Floor(float64(d) / cycle))
	d -= cycles * cycle
	year = 1386 + 33*cycles
	for ; ; year++ {
		length := 365
		switch (year%33 + 33) % 33 {
		case 1, 5, 9, 13, 17, 22, 26, 30:
			length = 366
		}
		if d < length {
			break
		}
		d -= length
	}
	if d < 6*31 {
		return year, d/31 + 1, d%31 + 1
	}
	d -= 6 * 31
	return year, d/30 + 7, d%30 + 1
}
