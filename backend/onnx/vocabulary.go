package onnx

import (
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protowire"

	"fanous/backend/domain"
)

// spareRows is how many more rows than the tokenizer has tokens a word table may have: they are padded to round
// numbers, and some models have a few that nothing uses.
const spareRows = 1024

// CheckVocabulary refuses a tokenizer that is not the model's: it would give every text the tokens of another one, or
// tokens that the model does not have. The model's file is at path; its weights are not read.
func CheckVocabulary(path string, t *Tokenizer) error {
	rows, err := rows(path)
	if err != nil {
		return fmt.Errorf("the model %s: %w", path, err)
	}
	size := t.Size()
	if rows < size || rows > size+spareRows {
		return domain.Errorf(domain.CodeModelTokenizer, "install the model again, with its own tokenizer",
			"the tokenizer has %d tokens and the model has %d: they are not of one model", size, rows)
	}
	return nil
}

// Size is how many tokens there are.
func (t *Tokenizer) Size() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.lib == nil {
		return 0
	}
	return int64(t.lib.VocabSize())
}

// Field numbers of the ONNX messages that lead to the weights' shapes.
const (
	graphInitializer = 5
	tensorDims       = 1
	maxDims          = 1 << 10 // bytes; real ones take a few
)

// rows is the greatest first dimension among the model's weights: in a text encoder that of its word table.
func rows(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	most := int64(0)
	err = fields(f, 0, info.Size(), func(num protowire.Number, from, to int64) error {
		if num != modelGraph {
			return nil
		}
		return fields(f, from, to, func(num protowire.Number, from, to int64) error {
			if num != graphInitializer {
				return nil
			}
			n, err := firstDim(f, from, to)
			most = max(most, n)
			return err
		})
	})
	if err != nil {
		return 0, fmt.Errorf("not an ONNX model, or damaged: %w", err)
	}
	return most, nil
}

// firstDim reads the first dimension of the tensor in [from, to) of r, which is its first field: packed, as encoders
// write it today, or each dimension as a field of its own.
func firstDim(r io.ReaderAt, from, to int64) (int64, error) {
	buf := make([]byte, min(maxDims, to-from))
	if _, err := r.ReadAt(buf, from); err != nil && err != io.EOF {
		return 0, err
	}
	num, kind, n := protowire.ConsumeTag(buf)
	if n < 0 || num != tensorDims {
		return 0, nil // a scalar, or fields in an order that no encoder writes
	}
	buf = buf[n:]
	if kind == protowire.BytesType {
		if buf, n = protowire.ConsumeBytes(buf); n < 0 {
			return 0, nil
		}
	}
	dim, n := protowire.ConsumeVarint(buf)
	if n < 0 {
		return 0, nil
	}
	return int64(dim), nil
}
