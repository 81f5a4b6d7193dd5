"""The rows of CLAIMS."""

from typing import TypedDict, cast

from nlfol.mappings import AnyRow
from nlfol.store.columns import Pairing, row_schema


class NamedClaim(TypedDict):
    """Columns that name a claim and its sides."""

    claim: str
    dataset: str
    task: str | None  # what both sides share, as the next three
    metric: str | None
    presentation: str | None
    model: str | None
    first: str  # claimed to score higher; both by what they do not share
    second: str


class _Counts(TypedDict):
    items: int
    available: int  # that the dataset offers for both
    stories: int


class Difference(TypedDict):
    """Columns of a difference: as compared, of the scores as they are, and its interval at 95 % and p-value.

    The interval is null for one story, all of them where too few items make pairs.
    """

    compared: str  # score; above_chance where the sides differ in chance; dispersion; log_odds
    difference: float | None
    raw: float | None
    low: float | None
    high: float | None
    p: float | None


class _Compared(Difference):
    # By Holm over the rows of the claim; of thinking as in DIFFERENCES.
    adjusted: float | None
    data: str  # holds, contradicted, open; unpaired where there is no difference


class TestedClaim(_Counts, _Compared, Pairing):
    """Columns of what the data say."""


class AboveChance(TypedDict):
    """Columns of sides that differ in chance."""

    compared: str
    difference: float
    low: float | None
    high: float | None
    p: float


class ClaimRow(NamedClaim, TestedClaim):
    """One row a claim, dataset and pair of sides; tasks stand for their first metric."""


CLAIMS = row_schema("claims", 3, ClaimRow)


def tested(difference: float | None, row: AnyRow) -> TestedClaim:
    """Return the columns of a difference that a row of another table has."""
    return {
        "items": row["items"],
        "available": row["available"],
        "stories": row["stories"],
        "compared": "score",
        "difference": difference,
        "raw": difference,
        "low": row["low"],
        "high": row["high"],
        "p": row["p"],
        "adjusted": None,
        "data": "",
        **cast("Pairing", {name: row[name] for name in Pairing.__annotations__}),
    }
