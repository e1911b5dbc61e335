package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"fanous/backend/domain"
)

// A line of the file is an entry as JSON whose last field is the digest of everything before that field, closed
// by a brace. It holds for the bytes as they are, so that no two ways of writing an entry can be exchanged.
const hashField = `,"hash":"`

// tailLength is the length of the last field with the brace.
const tailLength = len(hashField) + 2*sha256.Size + len(`"}`)

var errLine = errors.New("it is no whole entry")

// seal makes the line of an entry, with its line feed, and the digest in it.
func seal(e domain.LedgerEntry) (line []byte, hash string, err error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, "", fmt.Errorf("ledger entry: %w", err)
	}
	line = bytes.TrimSuffix(body.Bytes(), []byte("\n"))
	hash = Digest(line)
	return append(line[:len(line)-1], hashField+hash+"\"}\n"...), hash, nil
}

// sealed gives what a line was made of, without its line feed, if it is whole.
func sealed(line []byte) (body []byte, hash string, err error) {
	at := len(line) - tailLength
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(hashField)) || !bytes.HasSuffix(line, []byte(`"}`)) {
		return nil, "", errLine
	}
	hash = string(line[at+len(hashField) : len(line)-2])
	body = append(bytes.Clone(line[:at]), '}')
	if Digest(body) != hash {
		return nil, "", errLine
	}
	return body, hash, nil
}

// link is what the chain needs of an entry; reading only that is quick.
type link struct {
	N      int64                `json:"n"`
	Prev   string               `json:"prev"`
	Faults []domain.LedgerFault `json:"faults"` // that the entry acknowledges
	hash   string
}

// linkOf reads a whole line's place in the chain.
func linkOf(line []byte) (link, error) {
	body, hash, err := sealed(line)
	if err != nil {
		return link{}, err
	}
	place := body
	if at := bytes.Index(body, []byte(`,"at":`)); at > 0 && !bytes.Contains(body, []byte(`"kind":"`+domain.LedgerAcknowledged+`"`)) {
		place = append(body[:at:at], '}')
	}
	l := link{hash: hash}
	if err := json.Unmarshal(place, &l); err != nil {
		return link{}, errLine
	}
	return l, nil
}

// Digest is the SHA-256 of a text, in hex.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
