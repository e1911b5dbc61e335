"""The weights of tiny-xlmr-madeup-weights, the same that the Go package models/tinyxlmr makes.

Weight number k (counted from 0 over all tensors, in the order of tensors() and row-major in each) is made
from output k of splitmix64 with seed 0: u = (output >> 11) / 2**53, value = centre + (2u - 1) * scale,
computed in float64 and rounded to float32.
"""

import numpy as np

VOCABULARY, POSITIONS, HIDDEN, LAYERS, HEADS, FFN = 250002, 514, 32, 3, 4, 64
EPSILON = 1e-5


def tensors():
    """Yields (name in transformers, shape, centre, scale) in the order of drawing."""

    def linear(name, rows, cols, scale):
        yield name + ".weight", (rows, cols), 0.0, scale
        yield name + ".bias", (rows,), 0.0, 0.25

    def norm(name):
        yield name + ".weight", (HIDDEN,), 1.0, 0.25
        yield name + ".bias", (HIDDEN,), 0.0, 0.25

    e = "roberta.embeddings."
    yield e + "word_embeddings.weight", (VOCABULARY, HIDDEN), 0.0, 1.0
    yield e + "position_embeddings.weight", (POSITIONS, HIDDEN), 0.0, 0.25
    yield e + "token_type_embeddings.weight", (1, HIDDEN), 0.0, 0.25
    yield from norm(e + "LayerNorm")
    for i in range(LAYERS):
        p = f"roberta.encoder.layer.{i}."
        for part in ("query", "key", "value"):
            yield from linear(p + "attention.self." + part, HIDDEN, HIDDEN, 0.5)
        yield from linear(p + "attention.output.dense", HIDDEN, HIDDEN, 0.5)
        yield from norm(p + "attention.output.LayerNorm")
        yield from linear(p + "intermediate.dense", FFN, HIDDEN, 0.5)
        yield from linear(p + "output.dense", HIDDEN, FFN, 0.5)
        yield from norm(p + "output.LayerNorm")
    yield from linear("classifier.dense", HIDDEN, HIDDEN, 0.5)
    yield from linear("classifier.out_proj", 1, HIDDEN, 1.0)


def splitmix64(first, count):
    z = np.arange(first + 1, first + count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def weights():
    """Returns {name: float32 array}."""
    out, drawn = {}, 0
    for name, shape, centre, scale in tensors():
        count = int(np.prod(shape))
        u = (splitmix64(drawn, count) >> np.uint64(11)).astype(np.float64) / 2.0**53
        out[name] = (centre + (2 * u - 1) * scale).astype(np.float32).reshape(shape)
        drawn += count
    return out


def model():
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification

    config = XLMRobertaConfig(
        vocab_size=VOCABULARY, max_position_embeddings=POSITIONS, type_vocab_size=1, hidden_size=HIDDEN,
        num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=FFN, num_labels=1,
        layer_norm_eps=EPSILON, hidden_act="gelu", pad_token_id=1, bos_token_id=0, eos_token_id=2,
        attn_implementation="eager",
    )
    m = XLMRobertaForSequenceClassification(config).eval().to(torch.float32)
    state = {name: torch.from_numpy(w) for name, w in weights().items()}
    missing, unexpected = m.load_state_dict(state, strict=False)
    # Buffers (position ids) are not weights; anything else missing would leave torch's random values in.
    missing = [n for n in missing if n in dict(m.named_parameters())]
    if missing or unexpected:
        raise SystemExit(f"the model's tensors differ: missing {missing}, unexpected {unexpected}")
    return m
