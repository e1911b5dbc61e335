"""Records what the transformers library computes with the made-up models of models/convert/converttest.

    go test ./models/convert -run TestWriteFixtures -fixtures DIR
    python models/reference/converted.py DIR

writes backend/onnx/testdata/converted-reference.json: for each model some token ids and the logit, or the first numbers
of the first and the last token's vector.
"""

import argparse
import hashlib
import json
import pathlib
import platform

import torch
import transformers

OUT = "backend/onnx/testdata/converted-reference.json"
INPUTS = [
    [0, 7, 2],
    [0, 10, 11, 2, 2, 12, 13, 14, 15, 2],
    [0] + list(range(20, 60)) + [2],
    [0] + [4 + i * 37 % 90 for i in range(60)] + [2, 2, 2],
]


SEPARATOR = 2


def types(ids):
    """The token types that BERT was taught pairs with: 1 after the first separator."""
    first = ids.index(SEPARATOR)
    return [int(i > first) for i in range(len(ids))]


def numbers(model, ids, kinds):
    with torch.inference_mode():
        out = model(
            input_ids=torch.tensor([ids]),
            attention_mask=torch.ones(1, len(ids), dtype=torch.long),
            token_type_ids=torch.tensor([kinds]),
        )
    if "logits" in out:
        return out.logits[0].tolist()
    hidden = out.last_hidden_state[0]
    return hidden[0, :4].tolist() + hidden[-1, :4].tolist()


def record(folder):
    config = json.loads((folder / "config.json").read_text())
    name = config["architectures"][0]
    kind = getattr(transformers, name)
    model, info = kind.from_pretrained(folder, output_loading_info=True, attn_implementation="eager", dtype=torch.float32)
    wrong = [k for k in ("missing_keys", "unexpected_keys", "mismatched_keys") if info[k]]
    if wrong:
        raise SystemExit(f"{folder}: {[(k, info[k]) for k in wrong]}")
    model.eval()
    typed = "[SEP]" in (folder / "tokenizer.json").read_text()
    return {
        "architecture": name,
        "bert_tokens": typed,
        "weights_sha256": hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest(),
        "outputs": [
            {"ids": ids, "numbers": numbers(model, ids, types(ids) if typed else [0] * len(ids))} for ids in INPUTS
        ],
    }


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    document = {
        "versions": {"python": platform.python_version(), "transformers": transformers.__version__, "torch": torch.__version__},
        "models": [record(f) for f in sorted(args.folder.iterdir())],
    }
    text = json.dumps(document, indent=None).replace('{"architecture"', '\n{"architecture"').replace('{"ids"', '\n {"ids"')
    (root / OUT).write_text(text + "\n", encoding="ascii")
    print(OUT, (root / OUT).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
