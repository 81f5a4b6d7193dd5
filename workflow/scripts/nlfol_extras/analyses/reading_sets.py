"""Readings that a model gives over its seeds, and those that are accepted of the sentence.

A sentence has ``m`` accepted readings that are not proven equivalent to one another; of a model's ``n`` answers, one a
seed, ``c[r]`` give reading ``r``. ``k`` of the ``n`` are drawn without replacement, of which ``C[r]`` give it::

    precision = Σ c[r] / n
    coverage  = E Σ min(C[r], 1) / min(k, m)
    share     = E Σ min(C[r], ceil(k / m)) / k

``k`` is the smallest number of seeds, from two on, of the models asked, so that more seeds buy nothing: each figure is
its expectation at ``k`` answers, without bias, as that of pass@k is (Chen et al., arXiv 2107.03374, equation 1). Each
answer that is not accepted, or silent, is lost, whatever it says and however many others say the same. In ``share`` an
accepted reading counts up to its part of the ``k`` answers, so who knows one of two readings has half, and who sprays
has what is right of the spray: with one reading, ``share`` is ``precision``, and linear, so that neither guessing
several formulas nor repeating one pays. ``coverage`` alone rewards guesses; it says what is missed.
``benchmarks/reading_sets.py`` has other definitions, and the strategies that break them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, comb, fsum
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import polars as pl

from nlfol.facts import ACCEPTED
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.reading.strict import parse
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.clusters import clustered_mean
from nlfol.results.statistics.summary import Origin
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, opens
from nlfol.results.tables.table import TableForm
from nlfol.store import files
from nlfol.store.columns import Interval, TaskColumns, row_schema, with_ends
from nlfol.store.schemas import TRIPLES

ONE, SEVERAL = "one", "several"

CONSTANT, EVEN = "always one reading", "any reading alike"
"""Marks that are no models: who knows one accepted reading, and who draws each answer from all of them."""


_READ = "item story presentation seed metric score formula"


class _Given(TaskColumns):
    presentation: str
    model: str
    kind: str  # "constant" of the marks
    readings: str  # accepted of the sentence: one, or several
    seeds: int | None  # null of marks
    meanings: float | None  # of the answers drawn, mean; null of marks


class ReadingSetRow(_Given):
    """One row a dataset, task, presentation, model and kind of sentence; after the models the marks."""

    items: int
    accepted: float  # readings, mean
    answers: int  # drawn of the seeds (k)
    precision: Interval
    coverage: Interval
    share: Interval


READING_SETS = row_schema("reading_sets", 1, ReadingSetRow)


class Figures(NamedTuple):
    """Precision, coverage and share of a sentence, in [0, 1], expected of the answers drawn."""

    precision: float
    coverage: float
    share: float


@dataclass(frozen=True, slots=True)
class _Sentence:
    story: str
    accepted: int
    given: tuple[int, ...]  # how often each accepted reading is given
    other: tuple[int, ...]  # and each other meaning
    seeds: int


def figures(given: Sequence[int], seeds: int, drawn: int) -> Figures:
    """Return the figures of a sentence, from how often each accepted reading is given, for 1 to ``seeds`` drawn.

    Raises ``ValueError`` without readings, or if more are given or drawn than there are seeds.
    """
    if not given or not 1 <= drawn <= seeds or sum(given) > seeds or min(given) < 0:
        raise ValueError(f"{list(given)} of {seeds} answers give a reading, of which {drawn} are drawn")
    most = ceil(drawn / len(given))
    return Figures(
        sum(given) / seeds,
        fsum(_expected(count, seeds, drawn, 1) for count in given) / min(drawn, len(given)),
        fsum(_expected(count, seeds, drawn, most) for count in given) / drawn,
    )


@lru_cache(maxsize=10_000)
def _expected(count: int, seeds: int, drawn: int, most: int) -> float:
    """Return the mean of min(C, most), C of the ``drawn`` being of ``count`` among the seeds."""
    ways = (min(each, most) * comb(count, each) * comb(seeds - count, drawn - each) for each in range(drawn + 1))
    return sum(ways) / comb(seeds, drawn)


def figures_of_even(accepted: int, drawn: int) -> Figures:
    """Return the figures of who draws each answer from all accepted readings, each as likely."""
    most = ceil(drawn / accepted)
    chances = [comb(drawn, each) * (accepted - 1) ** (drawn - each) / accepted**drawn for each in range(drawn + 1)]
    share = fsum(chance * min(each, most) for each, chance in enumerate(chances)) * accepted / drawn
    return Figures(1.0, (1 - chances[0]) * accepted / min(drawn, accepted), share)


def reading_sets(loaded: Iterable[tuple[Origin, pl.DataFrame]], triples: Mapping[str, Path]) -> Iterator[ReadingSetRow]:
    """Yield the rows of ``READING_SETS`` of models with two seeds or more, where readings are known."""
    groups: defaultdict[tuple[str, str, str], list[tuple[Origin, pl.DataFrame]]] = defaultdict(list)
    for source, scores in loaded:
        judged = scores.filter(pl.col("metric") == ACCEPTED)
        for (shown,), answers in judged.group_by("presentation", maintain_order=True):
            if answers["seed"].n_unique() > 1:
                groups[source.dataset, source.task, str(shown)].append((source, answers))
    accepted = {dataset: _readings(triples[dataset]) for dataset in dict.fromkeys(key[0] for key in groups)}
    for (dataset, _, shown), group in groups.items():
        drawn = min(answers["seed"].n_unique() for _, answers in group)
        asked: dict[str, _Sentence] = {}
        for source, answers in group:
            found = _sentences(answers, accepted[dataset])
            asked |= found
            for kind, several in _by_kind(found):
                about: _Given = {
                    **source.of_task,
                    "presentation": shown,
                    "model": source.model,
                    "kind": source.kind,
                    "readings": kind,
                    "seeds": several[0].seeds,
                    "meanings": fmean(_meanings(one, drawn) for one in several),
                }
                yield _row(about, several, drawn, [figures(one.given, one.seeds, drawn) for one in several])
        of_task = group[0][0].of_task
        for kind, several in _by_kind(asked):
            for name in (CONSTANT, EVEN):
                mark: _Given = {
                    **of_task,
                    "presentation": shown,
                    "model": name,
                    "kind": "constant",
                    "readings": kind,
                    "seeds": None,
                    "meanings": None,
                }
                yield _row(mark, several, drawn, [_mark(name, one.accepted, drawn) for one in several])


def _mark(name: str, accepted: int, drawn: int) -> Figures:
    if name == EVEN:
        return figures_of_even(accepted, drawn)
    return figures((drawn, *[0] * (accepted - 1)), drawn, drawn)


def _by_kind(found: Mapping[str, _Sentence]) -> Iterator[tuple[str, list[_Sentence]]]:
    for kind in (ONE, SEVERAL):
        of_kind = [one for one in found.values() if (one.accepted > 1) == (kind == SEVERAL)]
        if of_kind:
            yield kind, of_kind


def _row(about: _Given, found: Sequence[_Sentence], drawn: int, each: Sequence[Figures]) -> ReadingSetRow:
    stories = [one.story for one in found]
    precision, coverage, share = (clustered_mean(values, stories).ends for values in zip(*each, strict=True))
    row: ReadingSetRow = {
        **about,
        "items": len(found),
        "accepted": fmean(one.accepted for one in found),
        "answers": drawn,
        "precision": precision,
        "coverage": coverage,
        "share": share,
    }
    return with_ends(ReadingSetRow, row)


def _readings(path: Path) -> dict[str, Mapping[str, int]]:
    """Return the accepted readings of each sentence, each with the number of its meaning, from 0."""
    rows = files.read_frame(path, TRIPLES).select("item", "readings")
    return {item: _meant(readings) for item, readings in rows.rows() if readings}


def _meant(formulas: Iterable[str]) -> dict[str, int]:
    """Return formulas with numbers, equal for those that are proven equivalent."""
    numbers: dict[str, int] = {}
    for formula in formulas:
        same = (known for known in numbers if _are_equivalent(known, formula))
        numbers.setdefault(formula, numbers.get(next(same, ""), len({*numbers.values()})))
    return numbers


@lru_cache(maxsize=50_000)
def _are_equivalent(one: str, other: str) -> bool:
    return one == other or equivalence(parse(one), parse(other)).outcome is Outcome.EQUIVALENT


def _sentences(answers: pl.DataFrame, accepted: Mapping[str, Mapping[str, int]]) -> dict[str, _Sentence]:
    """Return what a model gave of each sentence."""
    found, seeds = {}, answers["seed"].n_unique()
    for (item,), of_item in answers.group_by("item", maintain_order=True):
        readings = accepted[str(item)]
        said = of_item.select("formula", pl.col("score") == 1).drop_nulls("formula").rows()
        given = Counter(_reading(formula, readings) for formula, is_right in said if is_right)
        others = [formula for formula, is_right in said if not is_right]
        numbers, count = _meant(others), len({*readings.values()})
        found[str(item)] = _Sentence(
            str(of_item["story"][0]),
            count,
            tuple(given[reading] for reading in range(count)),
            tuple(Counter(numbers[formula] for formula in others).values()),
            seeds,
        )
    return found


def _reading(formula: str, readings: Mapping[str, int]) -> int:
    """Return the meaning of an answer that scores have accepted."""
    return next(number for reading, number in readings.items() if _are_equivalent(reading, formula))


def _meanings(one: _Sentence, drawn: int) -> float:
    return fsum(_expected(count, one.seeds, drawn, 1) for count in (*one.given, *one.other))


def _opened(number: Number) -> Filter | None:
    return None if number.row["kind"] == "constant" else opens(number, metric=ACCEPTED)


_PRECISION = "Precision: answers that give an accepted reading."
_COVERAGE = (
    "Coverage: accepted readings given at least once, of those that k answers can give; guesses raise it. Share: "
    "answers that give one, none counted beyond its part of the k answers."
)
_ANSWERS = (
    "k: the fewest seeds of a model here, so that more seeds do not raise a figure. Meanings: among k answers, up to "
    "proven equivalence."
)
_MARKS = f"“{CONSTANT}” and “{EVEN}” are no models: what these would have. Silence has nothing."
_NOTES = (_PRECISION, _COVERAGE, _ANSWERS, _MARKS, f"Intervals at 95 %: {columns.MADE}.")

TABLE = TableForm(
    "reading_sets",
    "Readings over seeds",
    "What a model's answers give of the readings that are accepted of a sentence, expected of k of its seeds; "
    "sentences with one reading and with several apart.",
    (
        *columns.texts("dataset", "task", "presentation", "model", "readings"),
        columns.count("items"),
        columns.share("accepted", "Accepted readings"),
        columns.count("seeds"),
        columns.count("answers", "Answers (k)"),
        columns.share("meanings", "Meanings"),
        *map(columns.interval, ("precision", "coverage", "share")),
    ),
    _NOTES,
    ("reading_sets",),
    opens=_opened,
    nothing="No model was asked under two seeds about sentences whose readings are known.",
)

ANALYSIS = Analysis(
    rows=(
        Rows(
            READING_SETS,
            lambda given: reading_sets(
                given.loaded(_READ, "translation_scores", metrics=[ACCEPTED]), given.by_dataset("triples")
            ),
        ),
    ),
    tables=(TABLE,),
)
"""Readings given over seeds, and those accepted."""
