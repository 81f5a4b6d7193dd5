"""Words of problems that are given away: by their solved examples, or by what a model learnt.

A word is an expression of a concept that took the place of another (a rewrite of the problem). It is given away if one
text, an example or a dialogue that was learnt, has both expressions, or the new one and the concept's symbol.
Participles, references and other syntax are no words for a concept, and do not count.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from nlfol.problems.alignment.expressions import plain_expression
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store import files
from nlfol.store.columns import TaskColumns, row_schema
from nlfol.store.schemas import ITEMS
from nlfol.store.training_schemas import EXAMPLES

_NO_WORDS = ("voice", "reference", "syntax")
"""Types of rewrites that are no words."""


class _Named(TaskColumns):
    training: str | None  # null: of the examples in each item's own prompt


class WordsRow(_Named):
    """One row a dataset in other words and task whose items have examples; and one each training that it tests."""

    items: int  # with words
    words: int  # with repetitions
    given: int  # those given away
    share: float


WORDS = row_schema("words", 1, WordsRow)


def words(items: Iterable[Path], trainings: Iterable[Path]) -> Iterator[WordsRow]:
    """Yield the rows of ``WORDS``, from ITEMS and EXAMPLES files."""
    learnt = [_learnt(path) for path in trainings]
    for path in items:
        table = files.read(path, ITEMS)
        about = files.metadata_of(table)
        asked = [row for row in table.to_pylist() if row["status"] == "usable"]
        pairs_of = {row["item"]: pairs for row in asked if (pairs := _words(row["problem"]))}
        named: TaskColumns = {
            "dataset": about["dataset"],
            "task": about["task"],
            "task_kind": about["task_kind"],
            "protocol": about["protocol"] or None,
        }
        if any(row["exemplars"] for row in asked):
            examples = {
                row["item"]: tuple(_plain(f"{exemplar['text']} {exemplar['formula']}") for exemplar in row["exemplars"])
                for row in asked
            }
            yield from _row({**named, "training": None}, pairs_of, examples)
        for training, tested, texts_learnt in learnt:
            if about["dataset"] in tested:
                yield from _row({**named, "training": training}, pairs_of, dict.fromkeys(pairs_of, texts_learnt))


def _row(
    named: _Named, pairs_of: Mapping[str, Sequence[tuple[str, str]]], examples: Mapping[str, tuple[str, ...]]
) -> Iterator[WordsRow]:
    total = sum(map(len, pairs_of.values()))
    given = sum(_is_given(pair, examples[item]) for item, pairs in pairs_of.items() for pair in pairs)
    if total:
        yield {**named, "items": len(pairs_of), "words": total, "given": given, "share": given / total}


def _words(problem: str | None) -> list[tuple[str, str]]:
    """Return the expressions before and after of each word of an item's problem, as JSON."""
    rewrites = [] if problem is None else json.loads(problem)["rewrites"]
    words = [rewrite for rewrite in rewrites if rewrite["type"] not in _NO_WORDS]
    plain = [(plain_expression(rewrite["before"]), plain_expression(rewrite["after"])) for rewrite in words]
    return [(before, after) for before, after in plain if before != after]


def _learnt(path: Path) -> tuple[str, frozenset[str], tuple[str, ...]]:
    """Return the name of a training, the datasets that it tests, and each text that it learns from, once."""
    table = files.read(path, EXAMPLES)
    about = files.metadata_of(table)
    texts_of = {
        text
        for row in table.to_pylist()
        if (turns := row["messages"])
        for text in (turns[0]["content"], " ".join(turn["content"] for turn in turns[1:]))
    }
    return about["training"], frozenset(json.loads(about["tested"])), tuple(map(_plain, sorted(texts_of)))


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Return a text as ``plain_expression`` has it, with the words of its symbols, between blanks."""
    return f" {plain_expression(re.sub(r'(?<=[a-z0-9])(?=[A-Z])|_', ' ', text))} "


@lru_cache(maxsize=100_000)
def _is_given(pair: tuple[str, str], examples: tuple[str, ...]) -> bool:
    before, after = (f" {expression} " for expression in pair)
    return any(after in text and before in text for text in examples)


TABLE = TableForm(
    "words",
    "Words given away",
    "Words for concepts of problems that solved examples, or examples that a model learnt, have, too.",
    (
        *columns.texts("dataset", "task", "training"),
        *columns.counts("items", "words", "given"),
        columns.share("share", "Share"),
    ),
    (
        "Words: mentions of concepts that are said otherwise than in the original; no participles or references.",
        "Given: one example has the word together with the original one, or with the concept's symbol.",
        "Training: of the examples that it learns from; without, of those in the item's own prompt.",
    ),
    ("words",),
    opens=nothing,
)

ANALYSIS = Analysis(
    rows=(Rows(WORDS, lambda given: words(given.files["problem_items"], given.files["examples"])),), tables=(TABLE,)
)
