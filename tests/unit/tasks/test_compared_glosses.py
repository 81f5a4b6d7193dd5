"""Own ontologies whose glosses an embedding model compares, from items to scores."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.examples import ROOT
from tests.unit.tasks.generated_set import items_file, triples

import compare_glosses
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.responses import response_row, write_responses
from nlfol.config import ConfigurationError, read_configuration
from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.local.materialisation import materialise
from nlfol.models.request import JobFiles
from nlfol.store import files, schemas
from nlfol.tasks.registry import build_task

CONFIGURATION = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
GLOSSES = {"model": "minilm"}
OWN = {"task": "logical_translation", "ontology": "own", "scope": "sentence", "glosses": GLOSSES}
SYMBOLS = [
    {"name": "Feline", "kind": "predicate", "arity": 1, "gloss": "x is a domestic cat"},
    {"name": "Rests", "kind": "predicate", "arity": 1, "gloss": "x is asleep"},
]
RIGHT, EXCHANGED = "forall x (Feline(x) -> Rests(x))", "forall x (Rests(x) -> Feline(x))"


def answer(formula: str) -> str:
    return json.dumps({"reasoning": "", "symbols": SYMBOLS, "answer": formula})


def asked(folder: Path, answers: Sequence[str | None]) -> tuple[Path, Path]:
    """Items of one sentence, and answers to it; None was cut off."""
    source = triples(folder / "triples.arrow", [("s", "Every cat sleeps.", "∀x (Cat(x) → Sleeps(x))")])
    items, responses = items_file(folder, source, **OWN), folder / "responses.arrow"
    asking = Asking(Offered.read(items), "toy", "t", build_task(json.dumps(OWN)), "m", "{}", 7, responses)
    (item,) = asking.offered.items
    rows = [
        response_row(item, "", seed=seed, answer=text, outcome="truncated" if text is None else "answered")
        for seed, text in enumerate(answers)
    ]
    write_responses(asking, "chat", "m", rows)
    return items, responses


def compared(folder: Path, items: Path, responses: Path) -> Path:
    glosses, weights = folder / "minilm.arrow", folder / "weights"
    minilm = CONFIGURATION["models"]["minilm"]
    materialise(EmbeddingEntry.model_validate(minilm), weights)
    compare_glosses.main(
        items,
        responses,
        json.dumps(OWN),
        glosses,
        model_json=json.dumps(minilm),
        job_files=JobFiles(folder / "vectors", weights=weights),
    )
    return glosses


def test_undecided_glosses_are_compared_by_cosine(tmp_path: Path) -> None:
    items, responses = asked(tmp_path, [f"```json\n{answer(RIGHT)}\n```", answer(EXCHANGED), "no JSON", None])
    glosses = compared(tmp_path, items, responses)
    found = {(row["gloss"], row["gold"]): row["similarity"] for row in files.rows(glosses, schemas.GLOSSES)}
    assert {gloss for gloss, _ in found} == {"is a domestic cat", "is asleep"}
    assert len(found) == 4
    assert scored(tmp_path, items, responses, glosses) == [1, 0, 0, 0]
    assert scored(tmp_path, items, responses, None) == [1, 1, 0, 0]


def scored(
    folder: Path, items: Path, responses: Path, glosses: Path | None, metric: str = "anchored", **settings: float
) -> list[float]:
    compares = None if glosses is None else {**GLOSSES, **settings}
    output = folder / "scores.arrow"
    judge_answers.main(items, responses, json.dumps(OWN | {"glosses": compares}), output, glosses=glosses)
    return [row["score"] for row in files.rows(output, schemas.SCORES) if row["metric"] == metric]


@pytest.mark.parametrize(
    ("glosses", "complaint"),
    [
        (
            {"model": "minlm"},
            "tasks.own.glosses.model: minlm is no model of kind embedding under models; name one of: minilm",
        ),
        ({"model": "reader"}, "tasks.own.glosses.model: reader is no model of kind embedding"),
        ({"model": "minilm", "threshold": 1.5}, "threshold"),
    ],
)
def test_glosses_key_requires_embedding_model(glosses: dict[str, Any], complaint: str) -> None:
    tasks = {"own": OWN | {"glosses": glosses, "datasets": ["tarski"]}}
    with pytest.raises(ConfigurationError, match=complaint):
        read_configuration(CONFIGURATION | {"tasks": tasks})
