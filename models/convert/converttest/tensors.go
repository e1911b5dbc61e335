package converttest

import (
	"fmt"

	"fanous/models/safetensors/safetensorstest"
)

// drawing makes tensors, each of numbers spread evenly around a centre.
type drawing struct {
	kind    string
	state   uint64
	tensors []safetensorstest.Tensor
}

// tensors are those that the reference implementation would save, under its names.
func (k Kind) tensors() []safetensorstest.Tensor {
	d := &drawing{kind: k.Type}
	prefix := "roberta."
	switch {
	case k.Bare:
		prefix = ""
	case k.bert():
		prefix = "bert."
	}
	e := prefix + "embeddings."
	d.draw(e+"word_embeddings.weight", 0, 1, Vocabulary, Hidden)
	d.draw(e+"position_embeddings.weight", 0, 0.25, Positions, Hidden)
	d.draw(e+"token_type_embeddings.weight", 0, 0.25, Types, Hidden)
	d.norm(e + "LayerNorm")
	for i := range Layers {
		p := fmt.Sprintf("%sencoder.layer.%d.", prefix, i)
		for _, part := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			d.linear(p+part, Hidden, Hidden)
		}
		d.norm(p + "attention.output.LayerNorm")
		d.linear(p+"intermediate.dense", FFN, Hidden)
		d.linear(p+"output.dense", Hidden, FFN)
		d.norm(p + "output.LayerNorm")
	}
	switch {
	case k.bert():
		d.linear(prefix+"pooler.dense", Hidden, Hidden)
		if k.bertCross() {
			d.linear("classifier", 1, Hidden)
		}
	case k.Cross():
		d.linear("classifier.dense", Hidden, Hidden)
		d.linear("classifier.out_proj", 1, Hidden)
	default:
		d.linear(prefix+"pooler.dense", Hidden, Hidden)
	}
	return d.tensors
}

func (d *drawing) linear(name string, out, in int) {
	d.draw(name+".weight", 0, 0.5, out, in)
	d.draw(name+".bias", 0, 0.25, out)
}

func (d *drawing) norm(name string) {
	d.draw(name+".weight", 1, 0.25, Hidden)
	d.draw(name+".bias", 0, 0.25, Hidden)
}

func (d *drawing) draw(name string, centre, scale float64, shape ...int) {
	n := 1
	for _, size := range shape {
		n *= size
	}
	t := safetensorstest.Tensor{Name: name, Type: d.kind, Shape: shape, Values: make([]float32, n)}
	for i := range t.Values {
		u := float64(d.next()>>11) / (1 << 53)
		// The conversions keep compilers from joining a product and a sum into one rounding.
		t.Values[i] = float32(centre + float64((float64(2*u)-1)*scale))
	}
	d.tensors = append(d.tensors, t)
}

// next is splitmix64 started at 0.
func (d *drawing) next() uint64 {
	d.state += 0x9E3779B97F4A7C15
	z := d.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
