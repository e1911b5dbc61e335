package extract

import (
	"strings"
	"time"
)

// firstDate is the first date that can be made out of some, written as metadata has them (ISO 8601, whole or
// only its start); zero if none can.
func firstDate(written ...string) time.Time {
	for _, s := range written {
		s = strings.TrimSpace(s)
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05",
			"2006-01-02", "2006/01/02", "20060102", "2006-01", "2006"} {
			if t, err := time.Parse(layout, s); err == nil && !believable(t).IsZero() {
				return t
			}
		}
		if t := parseMailDate(s); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// believable is a date on which somebody may have written a document; zero for those of programs that did not
// know, and of calendars that are not ours.
func believable(t time.Time) time.Time {
	if t.Year() < 1900 || t.Year() > 2200 {
		return time.Time{}
	}
	return t
}
