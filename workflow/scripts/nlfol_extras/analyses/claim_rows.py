"""The rows of CLAIMS."""

from typing import TypedDict

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


class _Compared(TypedDict):
    compared: str  # score; above_chance where the sides differ in chance; dispersion
    # As compared; of the scores as they are; with interval at 95 %, which is null for one story. All are null where
    # too few items make pairs. Adjusted by Holm over the rows of the claim; of thinking as in DIFFERENCES.
    difference: float | None
    raw: float | None
    low: float | None
    high: float | None
    p: float | None
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
