"""The Arrow schemas of what is analysed over round trips and verification, beside those of ``analysis_schemas``."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from nlfol.store.columns import TASK, field, schema

_QUESTION = [
    *TASK,
    field("metric", pa.string()),
    field("presentation", pa.string()),
    field("model", pa.string()),
    field("kind", pa.string()),  # of the model, as in CELLS
]

BOUNDED = schema(
    "bounded",
    1,
    [
        *_QUESTION,
        field("measure", pa.string()),  # a column of MEASURES
        field("most", pa.float64()),  # its greatest value of the items
        field("items", pa.int64()),
        field("stories", pa.int64()),
        field("seeds", pa.int64()),
        field("mean", pa.float64()),
        field("deviation", pa.float64(), null=True),  # sample standard deviation over seeds; null for one seed
        field("low", pa.float64(), null=True),  # interval at 95 % over stories; null for one story
        field("high", pa.float64(), null=True),
    ],
)
"""One row a generated dataset, task, metric, presentation, model and limit of size: the score of items up to it."""


def _benchmark(name: str) -> list[pa.Field[Any]]:
    return [
        field(f"{name}_source", pa.string()),  # "here", or the file of published figures and its table
        field(f"{name}_dataset", pa.string()),
        field(f"{name}_task", pa.string()),
        field(f"{name}_metric", pa.string()),
        field(f"{name}_presentation", pa.string()),
    ]


BENCHMARKS = schema(
    "benchmarks",
    1,
    [
        *_benchmark("first"),
        *_benchmark("second"),
        field("models", pa.list_(pa.string())),  # in both
        field("first_scores", pa.list_(pa.float64())),  # of these
        field("second_scores", pa.list_(pa.float64())),
        field("rho", pa.float64(), null=True),  # Pearson's; null, as p and tau, where one of the two is constant
        field("rho_low", pa.float64(), null=True),  # Fisher's interval at 95 %; null for fewer than four models
        field("rho_high", pa.float64(), null=True),
        field("p", pa.float64(), null=True),
        field("tau", pa.float64(), null=True),  # Kendall's tau-b
        # P(first orders two models so | second does), and the other way round; intervals at 95 % by the jackknife.
        *(field(f"power_{name}{end}", pa.float64()) for name in ("first", "second") for end in ("", "_low", "_high")),
    ],
)
"""One row a pair of benchmarks with at least three models in common."""
