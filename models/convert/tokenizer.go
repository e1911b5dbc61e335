package convert

import (
	"bytes"
	"encoding/json"
	"fmt"

	"fanous/models"
)

// maxTokenizer bounds what is read of a tokenizer.json; multilingual ones have 17 MB.
const maxTokenizer = 256 << 20

// checkTokenizer compares a tokenizer with the rows of the word table: a token without a row would stop a search. Rows
// without a token are common. typed says that the tokenizer is of the BERT family, whose models are taught two texts with
// a token type each; the XLM-R family has one type. Either may stand before either architecture: e5's BERT reads XLM-R's tokens.
func checkTokenizer(path string, rows int) (typed bool, err error) {
	var t struct {
		Model struct {
			Vocab json.RawMessage `json:"vocab"`
		} `json:"model"`
		Added []struct {
			ID      int    `json:"id"`
			Content string `json:"content"`
		} `json:"added_tokens"`
	}
	if err := readJSON(path, maxTokenizer, &t); err != nil {
		return false, err
	}
	last, err := lastToken(t.Model.Vocab)
	if err != nil {
		return false, fmt.Errorf("%s: its vocabulary: %w", models.TokenizerFile, err)
	}
	marks := map[string]bool{}
	for _, a := range t.Added {
		last = max(last, a.ID)
		marks[a.Content] = true
	}
	xlmr, bert := marks["<s>"] && marks["</s>"], marks["[CLS]"] && marks["[SEP]"]
	switch {
	case !xlmr && !bert:
		return false, fmt.Errorf("%s has neither <s> and </s> nor [CLS] and [SEP]: it is not of the XLM-R or BERT family", models.TokenizerFile)
	case last >= rows:
		return false, fmt.Errorf("%s has a token %d, and the word table %d rows: they are not of one model", models.TokenizerFile, last, rows)
	}
	return bert && !xlmr, nil
}

// lastToken is the largest number in a vocabulary, which is a list in the numbers' order or a map to them.
func lastToken(vocab json.RawMessage) (int, error) {
	if bytes.HasPrefix(bytes.TrimSpace(vocab), []byte("[")) {
		var list []json.RawMessage
		err := json.Unmarshal(vocab, &list)
		return len(list) - 1, err
	}
	var numbers map[string]int
	if err := json.Unmarshal(vocab, &numbers); err != nil {
		return 0, err
	}
	last := -1
	for _, n := range numbers {
		last = max(last, n)
	}
	return last, nil
}
