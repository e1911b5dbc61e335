package corpus

import (
	"encoding/base64"
	"strings"
)

// What programs for mail sign and encrypt. Nothing here is a signature or a cipher: nobody checks the one, and nobody can
// read the other.

// der makes a value of ASN.1, whose length is less than 64 KiB.
func der(tag byte, parts ...string) string {
	inner := strings.Join(parts, "")
	return string([]byte{tag, 0x82, byte(len(inner) >> 8), byte(len(inner))}) + inner
}

// sealed puts content into a message of the cryptographic message syntax (CMS): one that signs it, or one that hides it.
func sealed(content string, encrypted bool) string {
	const integer, octets, object, sequence, set, own = 0x02, 0x04, 0x06, 0x30, 0x31, 0xa0
	kind := func(last string) string { return der(object, "\x2a\x86\x48\x86\xf7\x0d\x01\x07"+last) }
	last := "\x02"
	if encrypted {
		last = "\x03"
	}
	return der(sequence, kind(last), der(own, der(sequence, der(integer, "\x01"), der(set), der(sequence, kind("\x01"), der(own, der(octets, content))), der(set))))
}

const sealedMail = "From: keeper@example.org\r\nTo: harbour@example.org\r\nDate: Tue, 03 Jan 2023 10:00:00 +0330\r\nMIME-Version: 1.0\r\nSubject: "

// enclosed is a message, or a part of one, that is nothing but a file of a type.
func enclosed(kind, name, data string) string {
	return "Content-Type: " + kind + "; name=" + name + "\r\nContent-Disposition: attachment; filename=" + name + "\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		lines(base64.StdEncoding.EncodeToString([]byte(data))) + "\r\n"
}

// several is a message of two parts.
func several(kind, first, second string) string {
	return "Content-Type: multipart/" + kind + "; boundary=seal\r\n\r\n--seal\r\n" + first + "\r\n--seal\r\n" + second + "--seal--\r\n"
}

const (
	pgpHidden = "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA0tlcXVhZGVs\r\n=aaaa\r\n-----END PGP MESSAGE-----\r\n"
	pgpSigned = "-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nnuthatch is in the clear\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\niQEzBAEBghostletters\r\n=aaaa\r\n-----END PGP SIGNATURE-----\r\n"
)
