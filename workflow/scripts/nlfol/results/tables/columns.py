"""Columns that fetch their own cell from a row: the words and numbers that most tables are made of."""

from collections.abc import Callable, Set

import polars as pl

from nlfol.facts import GUESSERS
from nlfol.results.statistics.agreement import SHARES
from nlfol.results.tables.table import Cell, Column, Kind, P, Quantity, Row, Sample, Score


def column(name: str, header: str | None, kind: Kind, cell: Callable[[Row], Cell] | None = None) -> Column:
    """Return a column of any kind; by default its cell is the value of its name, its header its name in words."""
    words = "Shown as" if name == "presentation" else name.replace("_", " ").capitalize()
    return Column(name, words if header is None else header, kind, cell=cell or (lambda row: row[name]))


def text(name: str, header: str | None = None, of: str | None = None) -> Column:
    """Words of a row, under another name if given; an empty text is missing."""
    return column(name, header, Kind.TEXT, lambda row: row[of or name] or None)


def texts(*names: str) -> tuple[Column, ...]:
    """Several columns of words, under their own names."""
    return tuple(map(text, names))


def count(name: str, header: str | None = None) -> Column:
    """Return a column of counts."""
    return column(name, header, Kind.COUNT)


def counts(*names: str) -> tuple[Column, ...]:
    """Several columns of numbers of things, under their own names."""
    return tuple(map(count, names))


def asked(name: str, header: str | None = None) -> Column:
    """Return a column of counts that guessers, which are asked nothing, do not have."""
    return column(name, header, Kind.COUNT, lambda row: None if row["kind"] in GUESSERS else row[name])


def share(name: str, header: str | None = None, of: str | None = None) -> Column:
    """Return a column of numbers that are not whole."""
    return column(name, header, Kind.SHARE, lambda row: row[of or name])


def quantity(name: str) -> Column:
    """Return a column of counts that may be expected ones, or of settings."""
    return column(name, None, Kind.SHARE, lambda row: None if row[name] is None else Quantity(row[name]))


def p(name: str = "p", header: str = "p") -> Column:
    """Return a column of p-values."""
    return column(name, header, Kind.SHARE, lambda row: None if row[name] is None else P(row[name]))


def tally(name: str, header: str, parts: tuple[str, ...], cell: Callable[[Row], Cell]) -> Column:
    """Several numbers of things."""
    return Column(name, header, Kind.TALLY, parts, cell)


def sample_of(row: Row) -> Sample:
    """Return the items asked, of those available."""
    return Sample(row["items"], row["available"])


def sample(header: str = "Items") -> Column:
    """Return the column of the items asked, of those available."""
    return column("items", header, Kind.SAMPLE, sample_of)


_EXACT = (*GUESSERS, "constant", "reader")
"""Kinds of models whose scores are known of the items, or follow from their design."""


def interval(name: str, header: str | None = None) -> Column:
    """Return a column of values with interval (``{name}_low``, ``{name}_high``) and deviation; ``_EXACT`` has none."""

    def cell(row: Row) -> Cell:
        if row[name] is None or row.get("kind") in _EXACT:
            return None if row[name] is None else Score(row[name])
        return Score(row[name], row.get(f"{name}_deviation"), row[f"{name}_low"], row[f"{name}_high"])

    return column(name, header, Kind.SCORE, cell)


def score_of(row: Row) -> Score | None:
    """Return a row's mean, deviation and interval (not of ``_EXACT``), bold where ``marked`` says so."""
    if row["mean"] is None:
        return None
    low, high = (None, None) if row.get("kind") in _EXACT else (row["low"], row["high"])
    return Score(row["mean"], row.get("deviation"), low, high, row.get("best", False))


Best = Set[tuple[str, str, str, str, str]]
"""Scores that are significantly the best of their column, as ``contrasts.significantly_best`` names them."""


def marked(cells: pl.DataFrame, best: Best = frozenset()) -> list[Row]:
    """Return rows of ``schemas.CELLS``, in whose column ``best`` it says whether they are."""
    names = ("dataset", "task", "metric", "presentation", "model")
    return [{**row, "best": tuple(row[name] for name in names) in best} for row in cells.to_dicts()]


def score(name: str = "score", header: str = "Score") -> Column:
    """Return the column of a row's mean, see ``score_of``."""
    return column(name, header, Kind.SCORE, score_of)


def difference(name: str = "difference", header: str = "Difference") -> Column:
    """Return a column of differences with interval, bold if the adjusted p is below 0.05."""

    def cell(row: Row) -> Cell:
        leads = row["adjusted"] is not None and row["adjusted"] < 0.05
        return None if row[name] is None else Score(row[name], None, row["low"], row["high"], leads)

    return column(name, header, Kind.SCORE, cell)


def contrast(name: str = "difference", header: str = "Difference") -> tuple[Column, ...]:
    """Return the columns of a difference, its p-values and its detectable difference."""
    return difference(name, header), p(), p("adjusted", "Adjusted p"), share("detectable")


def pairing(first: str = "first", second: str = "second") -> tuple[Column, ...]:
    """Return the columns of the pairs that a difference is of; the arms' names are for their unread answers."""

    def refused(row: Row) -> Cell:
        return row["refusal"] and (f"{row['refused']} ({row['refusal']})" if row["refused"] else row["refusal"])

    def unread(row: Row) -> Cell:
        return row["unread"], row["unread_second"]

    return (
        count("pairs"),
        column("refused", "Pairs refused", Kind.TEXT, refused),
        tally("unread", f"Unread, {first} / {second}", ("first", "second"), unread),
    )


PAIRING = (
    "Pairs: answers to one item under one seed that were given the same but for what is compared. Refused: the others, "
    "with what most of them differ in. No difference where fewer than half of the items asked make pairs. Unread: "
    "answers of pairs that could not be read, were cut off or never came; they are wrong."
)
AGREEMENT = (interval("agree"), *map(share, SHARES))
"""Shares of answers that both, one or neither of two is right about."""

AGREEMENT_NOTE = (
    "Answers to the same items under the same seeds: shares of them. Agree: both or neither is right, with the "
    "interval at 95 % (clusters: stories). Kappa is Cohen's, agreement beyond chance; near scores of 0 and 1 it is low "
    "or undefined even where nearly all answers agree."
)
TEST = "p: two-sided, of equal means; below 0.05 exactly where the interval does not hold 0."
DETECTABLE = "Bold: adjusted p below 0.05. Detectable: as in the table of differences."
SAMPLE = "“k of n”: k of the dataset's n items were asked of both; others were refused, or not asked."
ASKED = "“k of n”: k of the dataset's n items were asked; others were refused, or not asked."
MADE = "Wilson's with the design effect of stories and Student's quantile"
PROBLEMS_NOTE = (
    f"Intervals at 95 %: {MADE}, over items, whose stories (problems with the same statements) are clusters."
)
