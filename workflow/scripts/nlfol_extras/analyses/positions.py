"""Answers by the position of the gold formula, with a test of its effect within sizes of set.

Later positions occur in larger sets only, which are harder, so shares of right answers by position say little. Let
``y`` be the score of an answer about an item with ``n`` candidates, less the mean score of all answers about sets of
that size, and ``a[i, p]`` the sum of these over the answers about item ``i`` that were shown the gold formula at
position ``p``. If positions do not matter, they could have been exchanged within each item, as they were drawn. So the
sums over items, U[p], have the mean 0 and, each item for itself, the covariances::

    s[i] = (sum of a[i, p]² - (sum of a[i, p])² / n) / (n - 1)
    V    = sum of s[i] * (I - J / n) over items, where I - J / n is over the positions of the item's set
    Q    = U' V⁻ U

which is the Cochran-Mantel-Haenszel statistic of general association with sizes as strata (Landis, Heyman and Koch,
"Average Partial Association in Three-Way Contingency Tables", 1978), and Cochran's Q where each item is shown at each
position once. Positions are drawn item by item, so that answers of one story, or to one item, may go together as they
like. Q has nearly the chi-square distribution with as many degrees of freedom as V has ranks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.facts import AnswerForm
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.contrasts import adjust
from nlfol.results.statistics.summary import Origin, stream
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, opens
from nlfol.results.tables.table import Kind, TableForm
from nlfol.store import files, schemas
from nlfol.store.columns import Int32, TaskColumns, row_schema
from nlfol.store.origins import metadata_at

_RANK = 1e-9
"""Singular values below this part of the largest count as 0."""

Floats = npt.NDArray[np.float64]


class PositionRow(TaskColumns):
    """One row a dataset, most similar task, presentation and dialogue model, and one a position of the gold formula."""

    presentation: str
    model: str
    # Where the gold formula was shown, from 1; null in the row of all positions.
    position: Int32 | None
    answers: int  # items × seeds shown so, whatever became of the answer
    right: int
    # How many would be right if positions did not matter: each answer counts as the mean of its size of set.
    expected: float
    # Of all positions; null in the rows of one, and where nothing varies.
    statistic: float | None
    freedom: int | None
    p: float | None
    adjusted: float | None  # by Holm over all rows with a p-value


POSITIONS = row_schema("positions", 2, PositionRow)

Sizes = dict[tuple[str, str], dict[str, int]]
"""Candidates in the set of each item, by dataset and task."""


def sizes_of(paths: Iterable[Path]) -> Sizes:
    """Return the sizes of the sets of ITEMS files."""
    sizes: Sizes = {}
    for path in paths:
        about, items = metadata_at(path), files.read_frame(path, schemas.ITEMS)
        sizes[about["dataset"], about["task"]] = dict(items.select("item", pl.col("candidates").list.len()).rows())
    return sizes


def positions(paths: Iterable[Path], sizes: Sizes) -> list[PositionRow]:
    """Return the rows of ``POSITIONS`` for scores files, in the files' order.

    Only dialogue models' choices of a candidate have a position; other answers make no rows. The p-values of all rows
    are one family and are adjusted together (``differences.holm``). Raises ``StoreError`` for an item of unknown size.
    """
    rows = [row for path in paths for row in _of_file(path, sizes)]
    adjust(rows)
    return rows


_READ = ("item", "presentation", "position", "score")


def _of_file(path: Path, sizes: Sizes) -> Iterator[PositionRow]:
    source, chunks = stream(path, columns=_READ)
    if source.asked.form is not AnswerForm.CHOICE:
        return
    shown = pl.concat(chunk.drop_nulls("position").select(_READ) for chunk in chunks)
    for (presentation,), answers in shown.group_by("presentation", maintain_order=True):
        yield from _of_answers(source, str(presentation), _sized(path, source, answers, sizes))


def _sized(path: Path, source: Origin, answers: pl.DataFrame, sizes: Sizes) -> pl.DataFrame:
    known = sizes.get((source.dataset, source.task), {})
    unknown = next((item for item in answers["item"] if item not in known), None)
    if unknown is not None:
        raise files.StoreError(f"{path}: no ITEMS file given has item {unknown!r}; build the items and judge again")
    size = [known[item] for item in answers["item"]]
    expected = expected_scores(size, answers["score"].to_list())
    return answers.with_columns(size=pl.Series(size, dtype=pl.Int64), expected=pl.Series(expected))


def _of_answers(source: Origin, presentation: str, answers: pl.DataFrame) -> Iterator[PositionRow]:
    tested = position_test(*(answers[name].to_list() for name in ("item", "size", "position", "score")))
    by_position = answers.sort("position", maintain_order=True).group_by("position", maintain_order=True)
    for position, some in ((None, answers), *((position, some) for (position,), some in by_position)):
        test = tested if position is None else None
        yield {
            **source.of_task,
            "model": source.model,
            "presentation": presentation,
            "position": cast("int | None", position),
            "answers": some.height,
            "right": round(fsum(some["score"])),
            "expected": fsum(some["expected"]),
            "statistic": None if test is None else test.statistic,
            "freedom": None if test is None else test.freedom,
            "p": None if test is None else test.p,
            "adjusted": None,
        }


@dataclass(frozen=True, slots=True)
class PositionTest:
    """The statistic Q, its degrees of freedom and the p-value."""

    statistic: float
    freedom: int
    p: float


def expected_scores(sizes: Sequence[int], scores: Sequence[float]) -> Floats:
    """Return, for each answer, the mean score of all answers about sets of its size; float64 (answers,)."""
    _, group = np.unique(np.asarray(sizes), return_inverse=True)
    right = np.asarray(scores, dtype=np.float64)
    means: Floats = (np.bincount(group, weights=right) / np.bincount(group))[group]
    return means


def position_test(
    items: Sequence[str], sizes: Sequence[int], positions: Sequence[int], scores: Sequence[float]
) -> PositionTest | None:
    """Test answers; None where nothing varies: all answers about sets of one size are right, or all wrong.

    Positions count from 1 to the size of the set. Raises ``ValueError`` if one lies outside it.
    """
    if any(not 1 <= position <= size for position, size in zip(positions, sizes, strict=True)):
        raise ValueError("a position lies outside its set")
    if not items:
        return None
    deviations = np.asarray(scores, dtype=np.float64) - expected_scores(sizes, scores)
    names, index = np.unique(np.asarray(items), return_inverse=True)
    most = max(sizes)
    shown = np.zeros((len(names), most))
    np.add.at(shown, (index, np.asarray(positions) - 1), deviations)
    size = np.zeros(len(names), dtype=np.int64)
    size[index] = sizes
    variance = np.where(
        size > 1, (np.square(shown).sum(axis=1) - shown.sum(axis=1) ** 2 / size) / np.maximum(size - 1, 1), 0.0
    )
    covariance = np.zeros((most, most))
    for number in np.unique(size):
        part = float(variance[size == number].sum())
        covariance[:number, :number] += part * (np.eye(number) - 1 / number)
    freedom = int(np.linalg.matrix_rank(covariance, tol=_RANK, hermitian=True)) if covariance.max() > _RANK else 0
    if not freedom:
        return None
    sums = shown.sum(axis=0)
    statistic = float(sums @ np.linalg.pinv(covariance, rcond=_RANK, hermitian=True) @ sums)
    from scipy.special import chdtrc

    return PositionTest(statistic, freedom, float(chdtrc(freedom, statistic)))


def position_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the share of right answers by position."""
    import altair as alt

    from nlfol.results.analyses.charts import lines, opened, tips

    shown = [
        {
            "panel": " · ".join((row["dataset"], row["task"], row["presentation"])),
            "model": row["model"],
            "position": row["position"],
            "answers": row["answers"],
            "mean": row["right"] / row["answers"],
            "opens": opened({**row, "metric": "accuracy"}, position=str(row["position"])),
        }
        for row in rows.to_dicts()
        if row["position"] is not None
    ]
    return lines(
        shown,
        "position",
        "Most similar by position",
        "Share of right answers among those to prompts that show the gold formula at a position.",
        x=alt.X("position:O", title="Where the gold formula was shown", axis=alt.Axis(labelAngle=0)),
        y="Share of right answers",
        tooltip=tips("model", "position", "answers"),
    )


def _opens(number: Number) -> Filter | None:
    if number.column in ("expected", "p", "adjusted"):
        return None
    return opens(number, metric="accuracy", position=number.row["position"])


TABLE = TableForm(
    "positions",
    "Most similar by position of the gold formula",
    "Share of right answers among those to prompts that show the gold formula at a position.",
    (
        *columns.texts("dataset", "task", "protocol", "model", "presentation"),
        *map(columns.count, ("position", "answers")),
        columns.column("accuracy", None, Kind.SHARE, lambda row: row["right"] / row["answers"]),
        columns.column("expected", "If it did not matter", Kind.SHARE, lambda row: row["expected"] / row["answers"]),
        columns.p(),
        columns.p("adjusted", "Adjusted p"),
    ),
    (
        "Answers: items × seeds; unparsable, truncated, empty, blank, refused and failed ones count as wrong.",
        "Later positions occur in larger sets only, where there is more to choose from.",
        "If it did not matter: the accuracy to expect of sets of these sizes.",
        "Position –: all of them, with the p of no effect by the Cochran-Mantel-Haenszel test within sizes of set.",
        "The test exchanges positions within items, as they were drawn. Adjusted: by Holm over the table.",
    ),
    ("positions",),
    opens=_opens,
)

ANALYSIS = Analysis(
    rows=(
        Rows(POSITIONS, lambda given: positions(given.files["choice_scores"], sizes_of(given.files["choice_items"]))),
    ),
    tables=(TABLE,),
    figures=((("positions",), position_figure),),
)
