package extract

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

const invitation = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:The desk\r\nBEGIN:VTIMEZONE\r\nTZID:Asia/Tehran\r\nEND:VTIMEZONE\r\n" +
	"BEGIN:VEVENT\r\nDTSTART;TZID=Asia/Tehran:20240501T093000\r\nDTEND:20240501T070000Z\r\nSUMMARY:جلسهٔ تحر\r\n یریه\r\nLOCATION:Room 3\\, first floor\r\n" +
	"ORGANIZER;CN=\"Ahmadi; Sara\":mailto:sara@example.org\r\nATTENDEE;ROLE=CHAIR:MAILTO:ali@example.org\r\nDESCRIPTION:Bring the papers.\\n\\nAnd coffee\\; black.\r\n" +
	"BEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nUID:x\r\nEND:VEVENT\r\nBEGIN:VTODO\r\nSUMMARY:Call\r\nDUE;VALUE=DATE:20240502\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"

func TestCards(t *testing.T) {
	for name, test := range map[string]struct{ text, format, want string }{
		"a calendar": {invitation, "ics", "h1 [جلسهٔ تحریریه] جلسهٔ تحریریه\n" +
			"p [جلسهٔ تحریریه] Start: 2024-05-01 09:30 Asia/Tehran⏎End: 2024-05-01 07:00 UTC⏎Place: Room 3, first floor⏎Organizer: Ahmadi; Sara <sara@example.org>⏎Attendee: ali@example.org\n" +
			"p [جلسهٔ تحریریه] Bring the papers.⏎⏎And coffee; black.\nh1 [Call] Call\np [Call] Due: 2024-05-02\n"},
		"an address book": {"BEGIN:VCARD\nVERSION:3.0\nN:Rezai;Ali;;Dr.;\nFN:Ali Rezai\nitem1.TEL;TYPE=CELL:+98 912 1\nADR:;;Street 1;Tehran;;;Iran\nPHOTO;ENCODING=b:AAAA\n AAAA\nEND:VCARD\nBEGIN:VCARD\nN:Smith;;;;\nEND:VCARD\n",
			"vcf", "h1 [Ali Rezai] Ali Rezai\np [Ali Rezai] Name: Rezai, Ali, Dr.⏎Phone: +98 912 1⏎Address: Street 1, Tehran, Iran\np [] Name: Smith\n"},
		"one of an old telephone": {"BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D8=B3=D8=A7=\r\n=D8=B1=D8=A7\r\nNOTE;QUOTED-PRINTABLE:two=0D=0Alines\r\nEND:VCARD\r\n",
			"vcf", "h1 [سارا] سارا\np [سارا] two⏎lines\n"},
		"broken off": {"BEGIN:VCALENDAR\nno field\nBEGIN:VEVENT\nSUMMARY:Open", "ics", "h1 [Open] Open\n"},
	} {
		c, err := extractBytes(t, []byte(test.text))
		if got := outlineOf(c.Blocks); err != nil || got != test.want || c.Format != test.format {
			t.Errorf("%s: %s %v\n%swant\n%s", name, c.Format, err, got, test.want)
		}
	}
}

// TestInvitations: a message says what it invites to, whatever is beside it.
func TestInvitations(t *testing.T) {
	calendar := "Content-Type: text/calendar; method=REQUEST; charset=utf-8\n\n" + invitation
	for name, body := range map[string]string{
		"beside its text": multi("alternative", "\nplease come", calendar),
		"alone":           calendar,
	} {
		c, err := extractBytes(t, []byte(mailStart+"Subject: S\n"+body))
		got := outlineOf(c.Blocks)
		if err != nil || !strings.Contains(got, "[S › جلسهٔ تحریریه] Start: 2024-05-01 09:30") || strings.Contains(name, "text") != strings.Contains(got, "please come") {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}

func FuzzCards(f *testing.F) {
	f.Add(invitation)
	f.Add("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:a=\nb=\n\nitem1.N:a\\;b;c\nEND:VCARD")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // decode gives no such text
		}
		c, err := readCards(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, c)
	})
}
