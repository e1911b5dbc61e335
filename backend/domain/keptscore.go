package domain

// KeptScore is a score that a reranker gave a passage, kept so that the same question need not be worked out
// again. It holds no text.
type KeptScore struct {
	Key     [32]byte // digest of all that the score depends on: model, query and the text that was read
	ChunkID int64    // the score goes with this chunk
	Raw     float64
}
