"""Statements of problems on which models agree with one another and with no gold.

Lines of programs have a shape, the line with numbers for names: models whose lines have one shape say the same up to
names. A statement is suspect if at least ``LEAST`` models have one shape for it, each in most of its programs, and no
map of names makes that equivalent to a gold line, in any dataset that holds the statement. Models share mistakes, and
often choose another granularity than gold, so a suspect is to be read again and is no verdict. Lines that mean the same
in another order have other shapes, so that more may agree than are listed.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import COMPARED
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import Kind, TableForm
from nlfol.store.columns import row_schema
from nlfol.store.files import read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.problem_schemas import PROGRAMS
from nlfol.store.schemas import ITEMS

LEAST = 3
"""Models that have to agree."""


class SuspectRow(TypedDict):
    """One row a task and statement on which models agree against all gold lines, most of them first."""

    task: str
    story: str
    item: str  # the first problem with the statement
    place: str  # its number there, from 1
    text: str
    gold: list[str]  # of each dataset that holds it, each once
    line: str  # of the first of the models
    models: list[str]
    agree: int
    of: int  # models with a line for it that could be read


SUSPECTS = row_schema("suspect_gold", 1, SuspectRow)


@dataclass
class _Statement:
    story: str
    item: str
    place: str
    gold: dict[str, None] = field(default_factory=dict)
    shapes: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By model, its shapes with their number."""
    lines: dict[str, str] = field(default_factory=dict)
    """The first line of each shape."""
    right: set[str] = field(default_factory=set)
    """Shapes that are equivalent to a gold line."""


def suspects(items: Iterable[Path], programs: Iterable[Path]) -> Iterator[SuspectRow]:
    """Yield the rows of ``SUSPECTS``, of ITEMS and PROGRAMS files of datasets with the same statements."""
    texts = {(about["dataset"], about["task"]): _texts(path) for path in items for about in [metadata_at(path)]}
    statements: dict[tuple[str, str, str], _Statement] = {}
    for path in programs:
        about = metadata_at(path)
        if about["kind"] in COMPARED:
            _count(statements, about["task"], about["model"], path, texts.get((about["dataset"], about["task"]), {}))
    rows = [
        row for (task, _, text), statement in statements.items() if (row := _row(task, text, statement)) is not None
    ]
    yield from sorted(rows, key=lambda row: -row["agree"])


def _texts(path: Path) -> dict[tuple[str, str], tuple[str, str | None]]:
    """Return the text and gold line of each statement by item and number."""
    return {
        (item, str(number)): (statement["text"], statement["line"])
        for item, problem in read_frame(path, ITEMS).select("item", "problem").drop_nulls().iter_rows()
        for number, statement in enumerate(json.loads(problem)["statements"], 1)
    }


def _count(
    statements: dict[tuple[str, str, str], _Statement],
    task: str,
    model: str,
    path: Path,
    texts: dict[tuple[str, str], tuple[str, str | None]],
) -> None:
    aligned = read_frame(path, PROGRAMS).filter(pl.col("status") == "aligned").select("item", "story", "sentences")
    for item, story, sentences in aligned.iter_rows():
        for sentence in sentences:
            text, gold = texts.get((item, sentence["place"]), ("", None))
            if sentence["shape"] is None or gold is None:
                continue
            statement = statements.setdefault((task, story, text), _Statement(story, item, sentence["place"]))
            statement.gold[gold] = None
            statement.shapes[model][sentence["shape"]] += 1
            statement.lines.setdefault(sentence["shape"], sentence["line"])
            if sentence["aligned_by"] == "structure":
                statement.right.add(sentence["shape"])


def _row(task: str, text: str, statement: _Statement) -> SuspectRow | None:
    usual = {model: shapes.most_common(1)[0][0] for model, shapes in statement.shapes.items()}
    shape, agree = Counter(usual.values()).most_common(1)[0]
    if agree < LEAST or shape in statement.right:
        return None
    models = [model for model, own in usual.items() if own == shape]
    return {
        "task": task,
        "story": statement.story,
        "item": statement.item,
        "place": statement.place,
        "text": text,
        "gold": [*statement.gold],
        "line": statement.lines[shape],
        "models": models,
        "agree": agree,
        "of": len(usual),
    }


_CAPTION = (
    f"Statements for which at least {LEAST} models write the same line up to names, which no map of names makes "
    "equivalent to a gold line: to be read again, not judged."
)
_PLACE = (
    "Item: the first problem with the statement; place: its number there. Of: models with a line that could be read. A "
    "model's line is that of most of its programs."
)

ANALYSIS = Analysis(
    rows=(Rows(SUSPECTS, lambda given: suspects(given.files["problem_items"], given.files["programs"])),),
    tables=(
        TableForm(
            "suspect_gold",
            "Statements on which models agree against gold",
            _CAPTION,
            (
                *columns.texts("task", "item", "place", "text"),
                columns.column("gold", "Gold", Kind.TEXT, lambda row: " · ".join(row["gold"])),
                columns.text("line", "Models' line"),
                *columns.counts("agree", "of"),
                columns.column("models", "Models", Kind.TEXT, lambda row: ", ".join(row["models"])),
            ),
            (_PLACE, "Most are another granularity than gold's, and no fault."),
            ("suspect_gold",),
            opens=nothing,
            nothing="No three models agree on a statement against all its gold lines.",
        ),
    ),
)
"""Statements on which models agree with one another and with no gold."""
