"""Records what trec_eval, through ir_measures and pytrec_eval, makes of some runs, for the Go tests to agree with.

    python -m venv V && V/bin/pip install -r requirements.txt
    V/bin/python record.py

writes backend/eval/testdata/metrics-reference.json. The runs and judgements are made up: by hand where a case is
meant, and by a seeded generator for what nobody thought of. Every query of a run stands in the file with its own
figures; a query that the run lacks has none here and counts as 0 in ours.
"""

import json
import pathlib
import random

import ir_measures
from ir_measures import RR, Qrel, R, ScoredDoc, Success, nDCG

CUTOFFS = [1, 5, 10, 20, 50]

# Ours: theirs.
MEASURES = {f"recall@{k}": R @ k for k in CUTOFFS}
MEASURES |= {f"pass@{k}": Success @ k for k in CUTOFFS}
MEASURES |= {f"ndcg@{k}": nDCG @ k for k in CUTOFFS}

BY_HAND = {
    "first": ({"a": 1}, [("a", 3.0), ("b", 2.0)]),
    "third": ({"c": 1}, [("a", 3.0), ("b", 2.0), ("c", 1.0)]),
    "grades in the wrong order": ({"a": 1, "b": 2, "c": 0}, [("a", 3.0), ("c", 2.0), ("b", 1.0)]),
    "high grades": ({"a": 3, "b": 7, "c": 1}, [("c", 3.0), ("a", 2.0), ("b", 1.0)]),
    "judged not relevant only": ({"a": 0, "b": 0}, [("a", 3.0), ("b", 2.0)]),
    "not judged": ({"a": 2}, [("x", 5.0), ("y", 4.0), ("a", 3.0), ("z", 2.0)]),
    "nothing relevant is found": ({"a": 1, "b": 1}, [("x", 5.0), ("y", 4.0)]),
    "ties": ({"a": 1, "b": 2}, [("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)]),
    "ties at the cut": ({f"r{i}": 1 for i in range(3)}, [(f"r{i}", 1.0) for i in range(3)] + [(f"x{i}", 1.0) for i in range(6)]),
    "more relevant than the cut": ({f"r{i:02}": 1 + i % 2 for i in range(30)}, [(f"r{i:02}", 60.0 - i) for i in range(0, 30, 3)]),
    "a negative grade": ({"a": -1, "b": 1}, [("a", 2.0), ("b", 1.0)]),
    "the run lacks the query": ({"a": 1}, None),
}


def generated(rng):
    """Up to 60 documents of 80, scores with many ties, grades 0 to 2, some documents not judged."""
    documents = [f"d{i:02}" for i in range(80)]
    judged = {d: rng.choice([0, 0, 1, 1, 2]) for d in rng.sample(documents, rng.randint(1, 25))}
    run = [(d, rng.randint(0, 12) / 4) for d in rng.sample(documents, rng.randint(0, 60))]
    return judged, run


def cut(run, k):
    """trec_eval has no reciprocal rank with a cut; its own order is cut instead."""
    by_query = {}
    for d in sorted(run, key=lambda d: (d.score, d.doc_id), reverse=True):
        by_query.setdefault(d.query_id, []).append(d)
    return [d for scored in by_query.values() for d in scored[:k]]


def main():
    rng = random.Random(20)
    cases = dict(BY_HAND) | {f"generated {i}": generated(rng) for i in range(40)}
    qrels = [Qrel(q, d, grade) for q, (judged, _) in cases.items() for d, grade in judged.items()]
    run = [ScoredDoc(q, d, score) for q, (_, scored) in cases.items() for d, score in scored or []]
    figures = {q: {} for q in cases}
    name = {str(theirs): ours for ours, theirs in MEASURES.items()}
    for m in ir_measures.pytrec_eval.iter_calc(list(MEASURES.values()), qrels, run):
        figures[m.query_id][name[str(m.measure)]] = m.value
    for k in CUTOFFS:
        for m in ir_measures.pytrec_eval.iter_calc([RR], qrels, cut(run, k)):
            figures[m.query_id][f"mrr@{k}"] = m.value
    document = {
        "versions": {"ir_measures": ir_measures.__version__, "pytrec_eval-terrier": "0.5.11"},
        "ties": "equal scores stand in descending order of the document's name, as trec_eval has them",
        "cases": [
            {"name": q, "judged": judged, "run": scored or [], "missing": scored is None, "metrics": figures[q]}
            for q, (judged, scored) in cases.items()
        ],
    }
    path = pathlib.Path(__file__).resolve().parents[1] / "testdata" / "metrics-reference.json"
    lines = [json.dumps(c, sort_keys=True) for c in document.pop("cases")]
    text = json.dumps(document, indent=1)[:-2] + ',\n "cases": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
    path.write_text(text, encoding="ascii")
    json.loads(text)
    print(path, len(text), "bytes,", len(cases), "cases")


if __name__ == "__main__":
    main()
