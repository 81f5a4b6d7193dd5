"""Own ontologies whose glosses an embedding model compares, from items to scores."""

import json
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
OWN = {"task": "logical_translation", "ontology": "own", "scope": "sentence", "glosses": {"model": "minilm"}}
SYMBOLS = [
    {"name": "Feline", "kind": "predicate", "arity": 1, "gloss": "x is a domestic cat"},
    {"name": "Rests", "kind": "predicate", "arity": 1, "gloss": "x is asleep"},
]
RIGHT, EXCHANGED = "forall x (Feline(x) -> Rests(x))", "forall x (Rests(x) -> Feline(x))"


def answer(formula: str) -> str:
    return json.dumps({"reasoning": "", "symbols": SYMBOLS, "answer": formula})


def test_glosses_that_words_leave_undecided_are_compared_by_cosines(tmp_path: Path) -> None:
    source = triples(tmp_path / "triples.arrow", [("s", "Every cat sleeps.", "∀x (Cat(x) → Sleeps(x))")])
    items = items_file(tmp_path, source, **OWN)
    task = json.dumps(OWN)
    responses, glosses, weights = (tmp_path / name for name in ("responses.arrow", "minilm.arrow", "weights"))
    asking = Asking(Offered.read(items), "toy", "t", build_task(task), "m", "{}", 7, responses)
    (item,) = asking.offered.items
    answers = [f"```json\n{answer(RIGHT)}\n```", answer(EXCHANGED), "no JSON", None]
    outcomes = ["answered"] * 3 + ["truncated"]
    rows = [
        response_row(item, "", seed=seed, answer=text, outcome=outcome)
        for seed, (text, outcome) in enumerate(zip(answers, outcomes, strict=True))
    ]
    write_responses(asking, "chat", "m", rows)
    minilm = CONFIGURATION["models"]["minilm"]
    materialise(EmbeddingEntry.model_validate(minilm), weights)
    compare_glosses.main(
        items,
        responses,
        task,
        glosses,
        model_json=json.dumps(minilm),
        job_files=JobFiles(tmp_path / "vectors", weights=weights),
    )
    found = {(row["gloss"], row["gold"]): row["similarity"] for row in files.rows(glosses, schemas.GLOSSES)}
    assert {gloss for gloss, _ in found} == {"is a domestic cat", "is asleep"}
    assert len(found) == 4
    assert scores(items, responses, task, tmp_path / "with.arrow", glosses) == [1, 0, 0, 0]
    by_words = json.dumps(OWN | {"glosses": None})
    assert scores(items, responses, by_words, tmp_path / "without.arrow") == [1, 1, 0, 0]


def scores(items: Path, responses: Path, task: str, output: Path, glosses: Path | None = None) -> list[float]:
    judge_answers.main(items, responses, task, output, glosses=glosses)
    return [row["score"] for row in files.rows(output, schemas.SCORES) if row["metric"] == "anchored"]


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
def test_an_entry_names_an_embedding_model(glosses: dict[str, Any], complaint: str) -> None:
    tasks = {"own": OWN | {"glosses": glosses, "datasets": ["tarski"]}}
    with pytest.raises(ConfigurationError, match=complaint):
        read_configuration(CONFIGURATION | {"tasks": tasks})
