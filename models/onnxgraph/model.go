// Package onnxgraph writes BERT and XLM-R encoders as ONNX files, from weights in memory.
//
// The graph takes input_ids and attention_mask (int64, [batch, sequence]; the fast layout has no mask), of a model with
// token types token_type_ids too, and gives
// last_hidden_state (float32, [batch, sequence, hidden]), or logits ([batch, outputs]) where the model has a
// classifier. It runs on ONNX Runtime (some operators are its own). Writing the same model in the same form twice
// gives the same bytes.
//
// Positions are counted from the first token on, whatever it is: FirstPosition + 0, 1, 2, ... That is
// BERT's rule, and XLM-R's (padding id + running count of tokens that are not padding) for every input that
// is unpadded or padded on the right; input padded on the left is not supported.
package onnxgraph

import "fmt"

// BlockSize is how many neighbouring weights of a row share one scale in a 4-bit matrix.
const BlockSize = 32

// Model is an encoder with its weights. Matrices of linear layers are [out, in].
type Model struct {
	Name    string
	Heads   int
	Epsilon float32 // of every layer normalisation

	// Word has a row for each token of the vocabulary.
	Word Matrix
	// Position has a row for each position, kept as float32. Where Types has none, the row of the only token type has been
	// added to every one.
	Position Matrix
	// Types has a row for each token type, for a model that tells two texts apart by them.
	Types Matrix
	// FirstPosition is the row of Position for the first token: 0 in BERT, 2 in XLM-R.
	FirstPosition int
	Norm          Norm
	Layers        []Layer
	// Classifier, where there is one, reads the first token's vector (XLM-R's sequence classification).
	Classifier *Classifier
}

// Layer is one transformer block, normalising after each half.
type Layer struct {
	Query, Key, Value, Output Linear
	AttentionNorm             Norm
	Up, Down                  Linear
	OutputNorm                Norm
}

// Classifier is out(tanh(dense(first token))).
type Classifier struct{ Dense, Out Linear }

// Norm is a layer normalisation.
type Norm struct{ Weight, Bias []float32 }

// Linear is x·Wᵀ + b.
type Linear struct {
	Weight Matrix
	Bias   []float32
}

func (l Linear) check(what string, out, in int) error {
	if err := l.Weight.check(what, out, in); err != nil {
		return err
	}
	if len(l.Bias) != out {
		return fmt.Errorf("the bias of %s has %d values, not %d", what, len(l.Bias), out)
	}
	return nil
}

func (n Norm) check(what string, size int) error {
	if len(n.Weight) != size || len(n.Bias) != size {
		return fmt.Errorf("%s has %d weights and %d biases, not %d", what, len(n.Weight), len(n.Bias), size)
	}
	return nil
}

func (m *Model) check(f Form) error {
	hidden := m.Word.Cols
	switch {
	case hidden <= 0 || m.Word.Rows <= 0:
		return fmt.Errorf("the word table is [%d, %d]", m.Word.Rows, hidden)
	case m.Heads <= 0 || hidden%m.Heads != 0:
		return fmt.Errorf("%d heads do not divide %d", m.Heads, hidden)
	case m.FirstPosition < 0 || m.FirstPosition >= m.Position.Rows:
		return fmt.Errorf("first position %d of %d", m.FirstPosition, m.Position.Rows)
	case m.Position.Nibbles != nil:
		return fmt.Errorf("the position table must not be in 4 bits")
	}
	var err error
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	keep(m.Word.check("the word table", m.Word.Rows, hidden))
	if f.words() == Q4 && hidden%BlockSize != 0 {
		keep(fmt.Errorf("%d columns do not make blocks of %d for 4 bits", hidden, BlockSize))
	}
	keep(m.Position.check("the position table", m.Position.Rows, hidden))
	if m.Types.Rows > 0 {
		keep(m.Types.check("the table of token types", m.Types.Rows, hidden))
	}
	keep(m.Norm.check("the embedding normalisation", hidden))
	for i, l := range m.Layers {
		part := func(s string) string { return fmt.Sprintf("layer %d %s", i, s) }
		ffn := l.Up.Weight.Rows
		keep(l.Query.check(part("query"), hidden, hidden))
		keep(l.Key.check(part("key"), hidden, hidden))
		keep(l.Value.check(part("value"), hidden, hidden))
		keep(l.Output.check(part("output"), hidden, hidden))
		keep(l.AttentionNorm.check(part("attention normalisation"), hidden))
		keep(l.Up.check(part("up"), ffn, hidden))
		keep(l.Down.check(part("down"), hidden, ffn))
		keep(l.OutputNorm.check(part("output normalisation"), hidden))
	}
	if c := m.Classifier; c != nil {
		keep(c.Dense.check("classifier dense", hidden, hidden))
		keep(c.Out.check("classifier out", c.Out.Weight.Rows, hidden))
	}
	return err
}
