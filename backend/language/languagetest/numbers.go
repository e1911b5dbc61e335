package languagetest

// numbers adds numbers, and what is written in groups as they are.
func (ws *words) numbers() {
	found, missed, group := ws.found, ws.missed, ws.group
	group("number with a fraction", "paid ", " euros", "1,234,567.50", "1.234.567,50", "1 234 567,50", "1'234'567.50", "1’234’567.50",
		"1234567.50", "1234567,50", "۱٬۲۳۴٬۵۶۷٫۵۰", "1\u00A0234\u00A0567,50", "1\u202F234\u202F567,50", "12,34,567.50")
	group("whole number", "paid ", " euros", "7,654,321", "7.654.321", "7 654 321", "7'654'321", "7654321", "۷٬۶۵۴٬۳۲۱",
		"۷،۶۵۴،۳۲۱", "76,54,321", "７，６５４，３２１")
	group("whole number", "paid ", " euros", "12,500", "12.500", "12 500", "12500")
	group("number with a fraction", "paid ", " euros", "1.250,00", "1,250.00", "1250.00")
	found("whole part of a number", "paid 1,234,567.50 now", "1234567", "1,234,567.50")
	found("whole part of a number", "paid 1,234,567.50 now", "1,234,567", "1,234,567.50")
	found("numbers side by side", "rooms 12 345 678 here", "345", "345")
	missed("list", "items 1,2,3 here", "123")
	missed("list", "items 1, 2, 3 here", "123")
	missed("list", "the years 2019 2020 2021", "201920202021")
	missed("section", "see 3.1.2.4 there", "3124")
	missed("section", "see 3.1.2.4 there", "3.1.4.2")
	missed("section", "see 1.23.456 there", "123456")
	missed("address", "host 192.168.100.200 is up", "192168100200")
	missed("date", "on 15.01.2020 it", "15012020")
	missed("fraction", "it is 3.75 now", "375")
	missed("another fraction", "paid 1,234,567.50 now", "1234567.75")
	found("fraction", "es sind 3,75 Euro", "3.75", "3,75")
	group("telephone", "call ", " now", "02188881234", "021-88881234", "021 8888 1234", "۰۲۱۸۸۸۸۱۲۳۴")
	found("telephone", "call +98 912 345 6789 now", "+989123456789", "+98 912 345 6789")
	found("telephone", "call +98-912-345-6789 now", "+98 912 345 6789", "+98-912-345-6789")
	found("telephone", "call 989123456789 now", "+98 912 345 6789", "989123456789")
	group("card", "card ", " here", "6037991112345678", "6037 9911 1234 5678", "6037-9911-1234-5678", "۶۰۳۷ ۹۹۱۱ ۱۲۳۴ ۵۶۷۸")
	group("account", "to ", " here", "DE89370400440532013000", "DE89 3704 0044 0532 0130 00")
	group("account", "to ", " here", "GB29NWBK60161331926819", "GB29 NWBK 6016 1331 9268 19")
	group("book", "ISBN ", " here", "9783161484100", "978-3-16-148410-0")
}
