package extract

import (
	"strings"
	"testing"

	"fanous/backend/domain"
)

// der makes a value of ASN.1 whose length is said.
func der(tag byte, parts ...string) string {
	inner := strings.Join(parts, "")
	return string([]byte{tag, 0x83, byte(len(inner) >> 16), byte(len(inner) >> 8), byte(len(inner))}) + inner
}

// unending makes one that ends by itself.
func unending(tag byte, parts ...string) string {
	return string([]byte{tag, 0x80}) + strings.Join(parts, "") + "\x00\x00"
}

// sealedAs puts content, as an octet string, into a message of a type.
func sealedAs(kind string, value func(tag byte, parts ...string) string, content ...string) string {
	data := der(berObject, cmsSigned[:len(cmsSigned)-1]+"\x01") // data
	if content != nil {
		data += value(berExplicit, content...)
	}
	return value(berSequence, der(berObject, kind), value(berExplicit, value(berSequence,
		der(berInteger, "\x01"), value(berSet, value(berSequence, der(berObject, "x"))), value(berSequence, data), value(berExplicit, "certificates"), der(berSet, "signers"))))
}

func TestSigned(t *testing.T) {
	whole := der(berOctets, "what was signed")
	pieces := unending(berOctets|berConstructed, der(berOctets, "what "), der(berOctets, "was "), der(berOctets, "signed"))
	for name, data := range map[string]string{
		"in one piece":      sealedAs(cmsSigned, der, whole),
		"as it is streamed": sealedAs(cmsSigned, unending, pieces),
		"both":              sealedAs(cmsSigned, der, pieces),
		"broken off":        sealedAs(cmsSigned, unending, der(berOctets|berConstructed, der(berOctets, "what was "), "\x04\x20signed")),
	} {
		if got, err := signedContent([]byte(data)); err != nil || strings.TrimRight(string(got), "\x00") != "what was signed" && name != "broken off" || !strings.HasPrefix(string(got), "what was signed") {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	for name, test := range map[string]struct {
		data string
		want error
	}{
		"encrypted":             {sealedAs(cmsEnveloped, der, whole), errEncrypted},
		"encrypted with a seal": {sealedAs(cmsAuthEnveloped, unending, whole), errEncrypted},
		"a signature alone":     {sealedAs(cmsSigned, der), errSignature},
	} {
		if found := readAll(t, "a", []byte(test.data)); len(found) != 1 || found[0].Reason != test.want.Error() {
			t.Errorf("%s: %s", name, listOf(found))
		}
	}
	if got := listOf(readAll(t, "گزارش.txt.p7m", []byte(sealedAs(cmsSigned, der, whole)))); got != "گزارش.txt (text, indexed)\np [] what was signed\n(cms, container) it holds 1 file\n" {
		t.Errorf("a file: %s", got)
	}
}

// TestSealedMail: what is signed in one piece is read as if it were not; of what is encrypted it is said.
func TestSealedMail(t *testing.T) {
	inner := multi("mixed", "Content-Type: text/plain\n\nthe secret place", attached("a.txt", []byte("beside it")))
	signed := sealedAs(cmsSigned, unending, der(berOctets, inner))
	encrypted := sealedAs(cmsEnveloped, der, der(berOctets, inner))
	mail := func(kind, data string) []byte {
		return []byte(mailStart + "Subject: S\nContent-Type: application/pkcs7-mime; smime-type=" + kind + "; name=smime.p7m\nContent-Disposition: attachment; filename=smime.p7m\n\n" + data)
	}
	saved := func(class, data string) []byte {
		return compoundFile(mapi(mapiTopHead, nil, map[uint32]string{unicodeTag(mapiSubject): "S", unicodeTag(mapiClass): class},
			numbered("attach", 0, mapi(mapiPartHead, map[uint16]uint64{mapiMethod: 1}, map[uint32]string{unicodeTag(mapiLongName): "smime.p7m", binaryTag(mapiData): data})))...)
	}
	const read = "p [S] the secret place\np [S] Attachments: a.txt\na.txt (text, indexed)\np [] beside it\n"
	for name, data := range map[string][]byte{
		"a message":                     mail("signed-data", signed),
		"a message of Outlook":          saved("IPM.Note.SMIME", signed),
		"Outlook, the signature beside": saved("IPM.Note.SMIME.MultipartSigned", multi("signed", inner, "Content-Type: application/pkcs7-signature\n\nx")),
	} {
		found := readAll(t, "a", data)
		if got := listOf(found); !strings.HasSuffix(got, read) || len(found[0].Content.Warnings) > 0 {
			t.Errorf("%s: %s %q", name, got, found[0].Content.Warnings)
		}
	}
	const pgp = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"
	for name, data := range map[string][]byte{
		"a message":            mail("enveloped-data", encrypted),
		"a message of Outlook": saved("IPM.Note.SMIME", encrypted),
		"PGP":                  []byte(mailStart + "Subject: S\n" + multi("encrypted", "Content-Type: application/pgp-encrypted\n\nVersion: 1", "Content-Type: application/octet-stream; name=encrypted.asc\n\n"+pgp)),
	} {
		found := readAll(t, "a", data)
		got := listOf(found)
		if last := found[len(found)-1]; len(found) != 2 || !strings.Contains(last.Reason, "encrypted") || last.State != domain.StateNeedsPassword || !strings.Contains(strings.Join(found[0].Content.Warnings, " "), encryptedMail) {
			t.Errorf("%s, encrypted: %s %q %q", name, got, last.State, found[0].Content.Warnings)
		}
	}
	found := readAll(t, "a", []byte(letter("S", "", "before\n\n"+pgp+"\nafter\n-----BEGIN PGP SIGNATURE-----\nxyz")))
	if got := listOf(found); !strings.HasSuffix(got, "p [S] before\np [S] after\n") || len(found[0].Content.Warnings) != 1 {
		t.Errorf("PGP in a text: %s", got)
	}
}

func FuzzCMS(f *testing.F) {
	f.Add([]byte(sealedAs(cmsSigned, der, der(berOctets, "a"))))
	f.Add([]byte(sealedAs(cmsSigned, unending, unending(berOctets|berConstructed, der(berOctets, "a"), der(berOctets, "b")))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if content, err := signedContent(data); err == nil && len(content) > len(data) {
			t.Errorf("%d bytes of %d", len(content), len(data))
		}
	})
}
