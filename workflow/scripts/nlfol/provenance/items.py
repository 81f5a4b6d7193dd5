"""History of one item of a cell: sentence, candidates, and each request with its answer and judgement."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from nlfol.models.journal.journal import recorded
from nlfol.problems.problem import Problem
from nlfol.provenance.selection import SelectionError
from nlfol.store import files, schemas
from nlfol.store.evidence import with_evidence
from nlfol.store.origins import metadata_at, place_of
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.tasks.item import shown

_JUDGED = (
    *("score", "outcome", "verdict", "means", "relation", "fault", "detail", "formula", "repairs", "ambiguities"),
    *("position", "tied"),
)
_SENTENCE = ("story", "index", "text", "source_formula", "repairs")


@dataclass(frozen=True, slots=True)
class Files:
    """The stage files behind a cell, and its journal; of the sources, sentences or problems, there is one."""

    sources: tuple[Path, ...]
    candidates: Path
    responses: Path
    scores: Path
    journal: Path
    evidence: Path | None = None

    @classmethod
    def of(cls, name: str, results: Path, journals: Path) -> Self:
        """Return the files of a ``dataset/task/model``."""
        dataset, task, model = name.split("/")
        return cls(
            (place_of(f"sentences/{dataset}", results), place_of(f"problems/{dataset}", results)),
            place_of(f"items/{dataset}/{task}", results),
            place_of(f"responses/{name}", results),
            place_of(f"scores/{name}", results),
            journals / model / f"{dataset}.{task}.jsonl",
            evidence if (evidence := place_of(f"evidence/{dataset}/{task}", results)).is_file() else None,
        )

    @property
    def is_journalled(self) -> bool:
        """Return whether a dialogue model was asked for the answers, in contrast to a file or a reference."""
        return any(files.read(self.responses, schemas.RESPONSES)["request"].is_valid().to_pylist())


def item_story(of_cell: Files, cell: Mapping[str, Any], item: str) -> dict[str, Any]:
    """Return an item from its source row to its scores in one cell, as JSON values.

    Raises ``SelectionError`` with the reason if it is none of the cell's, ``StoreError`` for unreadable files.
    """
    source, listed = _listed(of_cell)
    named = "story" if metadata_at(of_cell.candidates).get("items") == "stories" else "item"
    place = next((number for number, row in enumerate(listed, start=1) if row[named] == item), None)
    if place is None:
        raise SelectionError(f"{source}: no item {item!r}; an example of one is {listed[0][named]}")
    sentence = listed[place - 1]
    offered = next(iter(_rows(of_cell.candidates, schemas.ITEMS, item)), None)
    asked = [
        row for row in _rows(of_cell.responses, schemas.RESPONSES, item) if row["presentation"] == cell["presentation"]
    ]
    if not asked or offered is None:
        raise SelectionError(f"item {item!r} is not one of the {cell['items']} of this cell: {_why(sentence, offered)}")
    lines = recorded(of_cell.journal, {row["request"] for row in asked}) if of_cell.is_journalled else {}
    judged = {
        row["seed"]: row
        for row in _judged(of_cell, item)
        if (row["presentation"], row["metric"]) == (cell["presentation"], cell["metric"])
    }
    return {
        "item": item,
        "sentence": {
            "source_row": place,
            **{name: sentence[name] for name in _SENTENCE if name in sentence},
            # Of a story, which has the place of its first sentence, all of them.
            **({"text": offered["text"]} if named == "story" else {}),
        },
        "gold": offered["formula"],
        "candidates": [
            {name: member[name] for name in ("role", "formula", "english")}
            | {"certificates": len(member["certificates"] or ())}
            for member in offered["candidates"]
        ],
        "answers": [
            _answer(row, judged.get(row["seed"]), lines.get(row["request"], ())) for row in _by_dialogue(asked)
        ],
    }


def _listed(of_cell: Files) -> tuple[Path, list[dict[str, Any]]]:
    """Return the rows of the source; those of problems with their text."""
    sentences, problems = of_cell.sources
    if not problems.is_file():
        return sentences, files.rows(sentences, schemas.SENTENCES)
    rows = [row | {"text": shown(Problem.from_row(row))} for row in files.rows(problems, PROBLEMS)]
    return problems, rows


def _by_dialogue(asked: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of each seed by step, each marked as last or not."""
    steps = Counter(row["seed"] for row in asked)
    return [
        {**row, "last": row["step"] == steps[row["seed"]]}
        for seed in steps
        for row in sorted((row for row in asked if row["seed"] == seed), key=lambda row: int(row["step"]))
    ]


def _answer(row: Mapping[str, Any], score: Mapping[str, Any] | None, lines: Any) -> dict[str, Any]:
    kept = [(journal.name, number) for journal, number, reply in lines if reply.text == row["answer"]]
    journal, number = kept[0] if kept else (None, None)
    return {
        "seed": row["seed"],
        "step": row["step"],
        "part": row["part"],
        "order": row["order"],
        "request": row["request"],
        "journal": journal,
        "journal_line": number,
        "served_model": row["served_model"],
        "answer": row["answer"],
        "similarities": row["similarities"],
        # A dialogue is judged as a whole, after its last step.
        "judgement": {name: score[name] for name in _JUDGED} if score and row["last"] else None,
    }


def _judged(of_cell: Files, item: str) -> list[dict[str, Any]]:
    scores = pl.DataFrame(files.read(of_cell.scores, schemas.SCORES).filter(pc.field("item") == item))
    return with_evidence(scores, of_cell.evidence).to_dicts()


def _rows(path: Path, schema: pa.Schema, item: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = files.read(path, schema).filter(pc.field("item") == item).to_pylist()
    return rows


def _why(sentence: Mapping[str, Any], offered: Mapping[str, Any] | None) -> str:
    for row in (sentence, offered):
        if row is not None and row["status"] == "refused":
            return f"it was refused ({row['reason']}): {row['detail']}"
    return "it has no ontology" if offered is None else "it is not of the sample that was asked"
