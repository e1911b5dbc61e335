"""Records what the Python libraries make of the texts in texts.py and languages.py, for the Go tests to agree with.

    python -m venv V && V/bin/pip install -r requirements.txt
    V/bin/python record.py --tokenizer .../tokenizer.json

writes backend/onnx/testdata/token-ids-reference.json and backend/rerank/testdata/tiny-xlmr-reference.json.

The tokenizer is multilingual-e5-small's: it has the vocabulary and the rules of XLM-R, as the rerankers' have.
The model is tiny-xlmr-madeup-weights (tiny_xlmr.py): the real architecture and vocabulary, weights from a
random generator, so its logits say nothing about relevance.
"""

import argparse
import hashlib
import json
import pathlib
import platform

import numpy
import tokenizers
import torch
import transformers

import languages
import texts
import tiny_xlmr

MAX_TOKENS = 512
MAX_QUERY_TOKENS = 256
START, END = 0, 2

# A text that spells out a special token would otherwise forge the frame of a pair: `<s>`, `<pad>`, `</s>`
# and `<mask>` are taken out of every text's ids. `<unk>` stays: ordinary text gives it too.
DROPPED = [0, 1, 2, 250001]

TOKENIZER_SHA256 = "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"

NUL_NOTE = (
    "NUL is an unknown character (id 3) to the Python library. Bindings over C strings cannot pass it; "
    "U+10FFFF in its place gives the same ids."
)


def plain_ids(tokenizer, text):
    return tokenizer.encode(text, add_special_tokens=False).ids


def text_ids(tokenizer, text):
    return [i for i in plain_ids(tokenizer, text) if i not in DROPPED]


def pair_ids(tokenizer, query, passage):
    q = text_ids(tokenizer, query)[:MAX_QUERY_TOKENS]
    p = text_ids(tokenizer, passage)[: MAX_TOKENS - 4 - len(q)]
    return [START] + q + [END, END] + p + [END]


def check_against_library(tokenizer, query, passage, ids):
    """Where our cap and our filter do nothing, the library's own pair must be the same."""
    forged = any(i in DROPPED for t in (query, passage) for i in plain_ids(tokenizer, t))
    if forged or len(plain_ids(tokenizer, query)) > MAX_QUERY_TOKENS:
        return False
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
    theirs = tokenizer.encode(query, passage).ids
    tokenizer.no_truncation()
    if theirs != ids:
        raise SystemExit(f"the library's pair differs for {query!r}, {passage!r}")
    return True


def versions():
    return {
        "python": platform.python_version(),
        "tokenizers": tokenizers.__version__,
        "transformers": transformers.__version__,
        "torch": torch.__version__,
        "numpy": numpy.__version__,
    }


def record_tokens(tokenizer):
    out = []
    for name, text in texts.TEXTS:
        entry = {"name": name, "text": text, "ids": text_ids(tokenizer, text)}
        raw = plain_ids(tokenizer, text)
        if raw != entry["ids"]:
            entry["undropped_ids"] = raw
        out.append(entry)
    return {
        "versions": {k: v for k, v in versions().items() if k in ("python", "tokenizers")},
        "tokenizer_sha256": TOKENIZER_SHA256,
        "special_tokens": False,
        "dropped_ids": DROPPED,
        "nul": NUL_NOTE,
        "texts": out,
    }


def record_pairs(tokenizer):
    model = tiny_xlmr.model()
    out, checked = [], 0
    for name, query, passage in texts.PAIRS + languages.PAIRS:
        ids = pair_ids(tokenizer, query, passage)
        checked += check_against_library(tokenizer, query, passage, ids)
        with torch.inference_mode():
            logit = model(input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long)).logits
        out.append({"name": name, "query": query, "passage": passage, "ids": ids, "logit": logit.item()})
    return {
        "versions": versions(),
        "model": "tiny-xlmr-madeup-weights",
        "tokenizer_sha256": TOKENIZER_SHA256,
        "rule": "<s> query </s></s> passage </s>; the query is cut to max_query_tokens, then the passage to what is left",
        "max_tokens": MAX_TOKENS,
        "max_query_tokens": MAX_QUERY_TOKENS,
        "dropped_ids": DROPPED,
        "nul": NUL_NOTE,
        "pairs_equal_to_the_library_own": checked,
        "pairs": out,
    }


def write(path, document):
    """One line a list of numbers, so that a difference can be read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lists = {}

    def hide(value):
        if isinstance(value, dict):
            return {k: hide(v) for k, v in value.items()}
        if isinstance(value, list) and all(isinstance(v, int) for v in value):
            key = f"@{len(lists)}@"
            lists[f'"{key}"'] = json.dumps(value)
            return key
        if isinstance(value, list):
            return [hide(v) for v in value]
        return value

    text = json.dumps(hide(document), ensure_ascii=True, indent=1)
    for key, value in lists.items():
        text = text.replace(key, value, 1)
    path.write_text(text + "\n", encoding="ascii")
    print(path, path.stat().st_size, "bytes")


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, default=root, help="the repository's root")
    args = parser.parse_args()
    if hashlib.sha256(args.tokenizer.read_bytes()).hexdigest() != TOKENIZER_SHA256:
        raise SystemExit(f"{args.tokenizer} is not the tokenizer that the references are for")
    tokenizer = tokenizers.Tokenizer.from_file(str(args.tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    torch.set_num_threads(1)
    write(args.out / "backend/onnx/testdata/token-ids-reference.json", record_tokens(tokenizer))
    write(args.out / "backend/rerank/testdata/tiny-xlmr-reference.json", record_pairs(tokenizer))


if __name__ == "__main__":
    main()
