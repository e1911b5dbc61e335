package onnxgraph

// Precision is how a graph holds and multiplies the model's matrices.
type Precision string

// Precisions that a model is written in.
const (
	FP32       Precision = "fp32"
	FP16       Precision = "fp16"        // everything; for GPUs. The output is float32 still.
	Int8       Precision = "int8"        // for CPUs: a scale an output channel, activations quantised as they come
	Int8Words4 Precision = "int8-words4" // the same with the word table in 4 bits
	Q4         Precision = "q4"          // 4-bit blocks, multiplied in float32: small, not fast
)
