"""The Arrow schemas of what is analysed over aligned programs, and over problems in other words."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from nlfol.store.columns import TASK, field, schema

WORDING = [
    field("reader", pa.string()),  # of the original's entry
    # The dataset that is said in other words; this and the following are null of originals.
    field("original", pa.string(), null=True),
    field("procedure", pa.string(), null=True),  # audited, or paper: the protocol of the dataset's entry
    field("intensity", pa.float64(), null=True),
    field("types", pa.list_(pa.string()), null=True),  # empty for all
    field("at_most", pa.int64(), null=True),  # also null where there is no bound
    field("glossary", pa.bool_(), null=True),
    field("decoys", pa.int64(), null=True),
]
"""How a dataset is worded, see the entry of ``reader: diversified``."""

_MODEL = [
    field("strategy", pa.string(), null=True),  # of a task of programs
    field("model", pa.string()),
    field("kind", pa.string()),  # of the model, as in CELLS
]


def _interval(name: str) -> list[pa.Field[Any]]:
    """A figure and its interval at 95 % over stories; null where there is nothing to divide by."""
    return [field(part, pa.float64(), null=True) for part in (name, f"{name}_low", f"{name}_high")]


POOLED = (
    *("dispersion", "dispersion_of_all", "collision", "f"),
    *("by_structure", "by_name", "unaligned", "lines", "problems", "table_precision", "table_recall"),
)
"""Sums over sums; ``f`` is that of B³."""

DRIFT = schema(
    "drift",
    1,
    [
        *TASK,
        *WORDING,
        *_MODEL,
        field("language", pa.string(), null=True),  # of all programs; null where they are in several, or in none
        field("items", pa.int64()),
        field("stories", pa.int64()),
        field("seeds", pa.int64()),
        field("answers", pa.int64()),  # items × seeds
        field("aligned", pa.int64()),  # of them; the others by their reason
        *(field(name, pa.int64()) for name in ("lost", "unparsable", "no_gold", "gold_unread", "internal_error")),
        *_interval("right"),  # of all answers
        *(part for name in POOLED for part in _interval(name)),
        # Bounds of the dispersion over the maps that fit.
        field("dispersion_least", pa.float64(), null=True),
        field("dispersion_greatest", pa.float64(), null=True),
        *_interval("dispersion_by_problem"),  # its mean over problems
        *_interval("problems_of_answers"),  # consistent programs of all answers but those without a gold program
    ],
)
"""One row a dataset, task of programs and model."""

CAUSES = schema(
    "causes",
    1,
    [
        *TASK,
        field("original", pa.string(), null=True),  # as in DRIFT
        *_MODEL,
        field("cause", pa.string()),  # as in PROGRAMS
        field("answers", pa.int64()),  # items × seeds
        field("share", pa.float64()),  # of all answers
    ],
)
"""One row a dataset, task of programs, model, and cause that some answer has."""

TRANSITIONS = schema(
    "transitions",
    1,
    [
        field("between", pa.string()),  # tasks: of one dataset; datasets: an original and the same in other words
        *(
            field(f"{place}_{name}", pa.string())
            for place in ("first", "second")
            for name in ("dataset", "task", "strategy")
        ),
        field("model", pa.string()),
        field("kind", pa.string()),
        field("before", pa.string()),  # the cause of the first answer
        field("after", pa.string()),  # and that of the second, to the same item under the same seed
        field("change", pa.string(), null=True),  # see statistics.transitions; null where both are right
        field("answers", pa.int64()),
    ],
)
"""One row a pair of tasks or datasets, model, and pair of causes that some answers have."""
