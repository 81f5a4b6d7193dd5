"""The leaders in each question: the last lines of a run on the terminal, and the first of its report.

A *question* is a task on a dataset, and the way in which candidates are shown, by its leading metric; that of a task
whose presentations are parts of one question is the balanced accuracy of all. Models are ranked by these rules:

* A score without interval, or with one wider than ``WIDEST``, is of *too few items* (or stories) for a rank, and one
  over another number of items than most of the others, or not over theirs, of *other items*, however high it is.
* A model is *best* if it alone is possibly the best (``statistics.ranks``); if several are, they are *tied*. Each lies
  between two ranks, such as 1–5 of 10.
* The floor is the highest score without reading on the same items: of chance, a constant, the candidate nearest to all
  others, the look of formulas, or, for all but embedding models, of proving what follows from the candidates and
  guessing the rest (``reasoner``). Whose interval reaches it is *not above* it, and neither best nor tied; of several
  models, intervals are as wide as Holm's method asks, so that one of many guessers is rarely above.

Models are in the order of their scores. If the first is not above its floor, none with the same floor is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from nlfol.facts import FACTS, GUESSERS, learn
from nlfol.mappings import AnyRow
from nlfol.results.statistics.clusters import LEAST_STORIES, student_p, student_quantile
from nlfol.results.statistics.differences import holm
from nlfol.results.statistics.ranks import WIDEST
from nlfol.results.statistics.summary import COMPARED, OUTCOMES, guessers_of
from nlfol.results.tables.table import Sample, Score, shown
from nlfol.store.origins import metadata_at

Row = AnyRow

BALANCED = "balanced_accuracy"
BEST, TIED, BEHIND, ONLY, NOT_ABOVE = RANKED = ("best", "tied", "behind", "only model", "not above")
FEW_ITEMS, FEW_STORIES, OTHER_ITEMS = "too few items", "too few stories", "other items"

EXACT = (*GUESSERS, "constant")
_FLOORS = (*EXACT, "medoid", "surface")
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Question:
    """A question: what its rows share, and models, best first, with their places, as defined above.

    ``others`` are of references and written answers; of these, ``floors`` see no sentence. The first model is told
    beside ``rival``, the next that is possibly best, or else the second. ``ranks`` are their rows of
    ``comparisons.RANKS``.
    """

    about: Row
    models: Sequence[tuple[Row, str]]
    others: Sequence[Row]
    floors: Sequence[Row]
    rival: Row | None
    ranks: Mapping[str, Row] = field(default_factory=dict)

    @property
    def ranked(self) -> list[tuple[Row, str]]:
        """Return the models with enough of the same items."""
        return [(row, state) for row, state in self.models if state in RANKED]

    def floor_of(self, row: Row) -> Row | None:
        """Return the floor of a model; None if there is none on its items."""
        return _floor_of(row, self.floors)

    def rank_of(self, name: str) -> str:
        """Return the ranks between which a model lies in words; none of a single model."""
        row = self.ranks.get(name)
        if row is None or row["models"] == 1:
            return ""
        ends = str(row["first"]) if row["first"] == row["last"] else f"{row['first']}–{row['last']}"
        return f"{ends} of {row['models']}"

    def finding(self) -> str:
        """Return what it shows in a sentence with the figures that carry it, or what is missing."""
        row, state = self.models[0]
        name, asked = row["model"], f"{_items(row)}){_unread(row)}"
        if state not in RANKED:
            few = listed([f"{entry['model']} {_score(entry)} over {_counting(entry)}" for entry, _ in self.models])
            need = f"{LEAST_STORIES} stories are" if state == FEW_STORIES else "some 25 items are"
            return (
                f"{state} to say anything ({few}; {need} needed for an interval within ±{WIDEST / 2:.1f}){_unread(row)}"
            )
        reached = self.floor_of(row)
        floor = f", {reached['model']} {_score(reached)} without reading" if reached else ""
        if reached and state == NOT_ABOVE:
            return f"{name} does not beat {reached['model']}: {_score(row)} against {_score(reached)} ({asked}"
        if self.rival is None:
            return f"{name} has {_score(row)}{floor} ({asked}"
        tied = [entry["model"] for entry, other in self.models[1:] if other == TIED] or [self.rival["model"]]
        verdict = f"is tied with {listed(tied)}: {_score(row)}," if state == TIED else f"is best: {_score(row)} before"
        return f"{name} {verdict} {self.rival['model']} with {_score(self.rival)} ({asked}"


def headlines(questions: Sequence[Question], most: int = 9) -> list[str]:
    """Return a line for each question with ranks, of at most ``most``, and one for the others; for each if none has."""
    asked = [question for question in questions if question.models]
    ranked = [question for question in asked if question.ranked] or asked
    lines = [f"{asked_of(question.about)}: {question.finding()}" for question in ranked]
    others = "; ".join(asked_of(question.about) for question in asked if question not in ranked)
    left = [f"and {len(lines) - most} more"] if len(lines) > most else []
    return [*lines[:most], *left, *([f"too few items for a rank: {others}"] if others else [])]


def closing_lines(results: Path) -> list[str]:
    """Return what a run ends with: where its tables are, and who is ahead."""
    paths = [results / f"tables/{name}.arrow" for name in ("cells", "ranks", "verifications")]
    for path in filter(Path.exists, paths):
        learn(metadata_at(path))
    rows = [pl.read_ipc(path).to_dicts() if path.exists() else [] for path in paths]
    board = int(metadata_at(paths[1]).get("board", 0)) if paths[1].exists() else 0
    lines = headlines(standings(*rows, board=board)) or ["No model was asked: scores.csv has references alone."]
    return [f"Tables: {results}/tables", *lines, *own_errors(rows[0], f"{results}/logs")]


def own_errors(cells: Iterable[Row], logs: str | None = "logs") -> list[str]:
    """Return a line for each model and task with answers that nlfol failed to judge, from rows of ``schemas.CELLS``.

    The traceback is in the folder ``logs``, or on standard error if that is None.
    """
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in cells:
        if row["metric"] in FACTS[row["task_kind"]].metrics[:1] and row["internal_error"]:
            counts[row["dataset"], row["task"], row["model"]] += row["internal_error"]
    return [
        f"nlfol failed to judge {count:,} answer{'s' * (count > 1)} of {model} ({worded(task)} on {dataset}): an error "
        "of nlfol, not of the model, and scored 0 until it is fixed. Please report it with the traceback"
        + (" above" if logs is None else f" in {logs}/*/{dataset}/{task}/{model}.log")
        for (dataset, task, model), count in counts.items()
    ]


def standings(
    cells: Iterable[Row], ranks: Iterable[Row], verified: Iterable[Row] = (), *, board: int | None = None
) -> list[Question]:
    """Return the questions in which something is right or wrong, in the order of the cells.

    They are of rows of ``schemas.CELLS``, ``comparisons.RANKS`` and ``verification.VERIFICATIONS``; ``board``
    are the models that are tested against floors together, if more than there are.
    """
    asked: dict[tuple[str, ...], list[Row]] = {}
    for row in _rows(cells, verified):
        asked.setdefault(_key(row), []).append(row)
    known: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in ranks:
        known.setdefault(_key(row), {})[row["model"]] = row
    return [_question(rows, known.get(key, {}), board or 0) for key, rows in asked.items()]


def _rows(cells: Iterable[Row], verified: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows by the first metric, or balanced accuracy."""
    balanced = {(row["dataset"], row["task"], row["model"]): row for row in verified if row["group"] == "all"}
    for row in cells:
        kind = FACTS[row["task_kind"]]
        if row["metric"] not in kind.metrics[:1] or row["mean"] is None:
            continue
        if not kind.weakest_counts:
            yield row
            continue
        of_pairs = balanced.pop((row["dataset"], row["task"], row["model"]), None)
        if of_pairs and of_pairs[BALANCED] is not None:
            ends = {"mean": of_pairs[BALANCED], **{end: of_pairs[f"{BALANCED}_{end}"] for end in ("low", "high")}}
            read = of_pairs["pairs"] - of_pairs["unread"]
            counts = {"items": of_pairs["items"], "stories": of_pairs["stories"], "answered": read, "effective": None}
            yield {**row, **counts, **ends, "metric": BALANCED, "presentation": ""}


def _question(rows: Sequence[Row], ranks: Mapping[str, Row], board: int) -> Question:
    models = sorted((row for row in rows if row["kind"] in COMPARED), key=lambda row: -row["mean"])
    others = [row for row in rows if row["kind"] not in COMPARED]
    state_of = {row["model"]: _few(row) or OTHER_ITEMS for row in models}
    ranked = [row for row in models if not _few(row) and row["model"] in ranks]
    floors = [row for row in others if row["kind"] in _FLOORS and ranked and row["items"] == ranked[0]["items"]]
    floors = [row for row in floors if row["kind"] in EXACT or not _few(row)]
    floor_of = {row["model"]: _floor_of(row, floors) for row in ranked}
    possible = [row["model"] for row in ranked if ranks[row["model"]]["possibly_best"]]
    low = _not_above(ranked, floor_of, board)
    alone = ONLY if len(ranked) == 1 else BEST if len(possible) == 1 else TIED
    for name in floor_of:
        state_of[name] = NOT_ABOVE if name in low else alone if name in possible else BEHIND
    if ranked and (lead := ranked[0]["model"]) in low:
        low |= {name for name, floor in floor_of.items() if floor is floor_of[lead]}
        state_of |= {name: NOT_ABOVE if name in low else BEHIND for name in floor_of}
    ordered = [*ranked, *(row for row in models if state_of[row["model"]] not in RANKED)]
    tied = [row for row in ranked[1:] if row["model"] in possible]
    above = [row for row in tied if state_of[row["model"]] == TIED]
    rival = next(iter(above or tied or ranked[1:]), None)
    standing = [(row, state_of[row["model"]]) for row in ordered]
    return Question(rows[0], standing, others, floors, rival, ranks)


def _few(row: Row) -> str:
    if row["low"] is not None and row["high"] - row["low"] <= WIDEST:
        return ""
    return FEW_STORIES if row["stories"] < LEAST_STORIES <= row["items"] else FEW_ITEMS


def _floor_of(row: Row, floors: Iterable[Row]) -> Row | None:
    of_row = (floor for floor in floors if floor["kind"] not in GUESSERS or floor["kind"] in guessers_of(row["kind"]))
    return max(of_row, key=lambda floor: floor["mean"], default=None)


def _not_above(rows: Iterable[Row], floor_of: Mapping[str, Row | None], board: int) -> set[str]:
    """Return the models that are not above their floors, by Holm's method over all that have one.

    A score's t is its distance to the floor in those to the low end of its interval, times Student's quantile.
    """
    values: dict[str, float] = {}
    for row in rows:
        if (floor := floor_of[row["model"]]) is not None:
            reached = floor["mean"] if floor["kind"] in EXACT or floor["high"] is None else floor["high"]
            above, half = row["mean"] - reached, row["mean"] - row["low"]
            t = student_quantile(row["stories"]) * above / half if half else 0.0
            values[row["model"]] = student_p(t, row["stories"]) if t > 0 else 1.0
    return {name for name, p in zip(values, holm([*values.values()], board), strict=True) if p >= LEVEL}


def _key(row: Row) -> tuple[str, ...]:
    return row["dataset"], row["task"], row["presentation"]


def asked_of(row: Row) -> str:
    """Return the question of a row in words."""
    way = worded(row["presentation"])
    return f"{worded(row['task'])} on {row['dataset']}{f' ({way})' if way else ''}"


_CALLED = {"bleu": "BLEU", "le": "LE", "f1": "F1", "chrf": "chrF", "rouge_l": "ROUGE-L"}


def worded(name: str) -> str:
    """Return an identifier as words."""
    return _CALLED.get(name, name.replace("_", " "))


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return names as words; of more than ``most`` the number of the others."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} others" if len(names) > most else "")


def _score(row: Row) -> str:
    ends = (None, None) if row["kind"] in EXACT else (row["low"], row["high"])
    return shown(Score(row["mean"], None, *ends))


def _items(row: Row) -> str:
    return f"{shown(Sample(row['items'], row['available']))} items"


def _counting(row: Row) -> str:
    """Return the items in words, and as how many they count if their stories are alike or one holds most of them."""
    effective = row["effective"]
    return _items(row) + (f" that count as {effective:.0f}" if effective and effective < row["items"] / 2 else "")


def _unread(row: Row) -> str:
    """Return the outcomes of answers if none could be read."""
    lost = ", ".join(f"{row[name]:,} {worded(name)}" for name in OUTCOMES[1:] if row[name])
    return f"; no answer could be read: {lost}" if lost and not row["answered"] else ""
