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

STOPS = schema(
    "stops",
    1,
    [
        *TASK,
        field("presentation", pa.string()),
        field("model", pa.string()),
        field("kind", pa.string()),
        field("stop", pa.string()),  # as in SCORES
        field("count", pa.int64()),  # items × seeds
    ],
)
"""One row a dataset, task of several rounds, presentation, model and reason for which its dialogues ended."""

_RATES = ("precision", "recall", "f1", "balanced_accuracy", "mcc")

VERIFICATIONS = schema(
    "verifications",
    1,
    [
        *TASK,
        field("model", pa.string()),
        field("kind", pa.string()),
        # What the pairs have in common: "all"; "size", with the item's category; "law" or "edit", with the one that
        # made the second of the pair.
        field("group", pa.string()),
        field("case", pa.string(), null=True),
        field("items", pa.int64()),
        field("stories", pa.int64()),
        field("pairs", pa.int64()),  # pairs × seeds
        field("unread", pa.int64()),  # of them, without an answer that could be read: they count as wrong
        field("true_positives", pa.float64()),  # equivalent and so answered; expected ones for chance
        field("false_positives", pa.float64()),
        field("true_negatives", pa.float64()),
        field("false_negatives", pa.float64()),
        field("right", pa.float64()),  # share of the pairs
        field("right_low", pa.float64(), null=True),  # interval at 95 % over stories; null where there is none
        field("right_high", pa.float64(), null=True),
        # Of all pairs, and of those of one size; null for a group of one class, and where a denominator is 0.
        *(field(f"{name}{end}", pa.float64(), null=True) for name in _RATES for end in ("", "_low", "_high")),
    ],
)
"""One row a dataset, verification task, model, and size, law or edit."""

ATTRIBUTIONS = schema(
    "attributions",
    2,
    [
        field("dataset", pa.string()),
        field("task", pa.string()),  # entry of the round trip
        field("formalized", pa.string()),  # entry of the translation of the certified English
        field("model", pa.string()),
        field("presentation", pa.string()),
        field("rounds", pa.int64()),
        field("items", pa.int64()),  # asked in both
        field("stories", pa.int64()),
        field("seeds", pa.int64()),
        field("chains", pa.int64()),  # items × seeds
        field("broken", pa.int64()),  # of them, not true after the first round
        field("no_english", pa.int64()),  # of these, without an answer in English
        field("informalization", pa.int64()),  # broken chains charged to the first half, those without English included
        field("formalization", pa.int64()),  # and to the second
        field("share", pa.float64(), null=True),  # of broken chains, the part charged to informalization; null if none
        field("share_low", pa.float64(), null=True),  # this and the others: interval at 95 % over stories
        field("share_high", pa.float64(), null=True),
        field("truth", pa.float64()),  # after the first round
        field("truth_low", pa.float64(), null=True),
        field("truth_high", pa.float64(), null=True),
        field("p_a", pa.float64()),  # measured: formalizations of the certified English that are right
        field("p_a_low", pa.float64(), null=True),
        field("p_a_high", pa.float64(), null=True),
        # The entry of the translation of edited formulas' certified English; null where there is none, and with it p_h
        # and p_i.
        field("edited", pa.string(), null=True),
        # Of wrong formalizations of edited English, the share that say the formula before the edit; null if none are
        # wrong.
        *(field(f"p_h{end}", pa.float64(), null=True) for end in ("", "_low", "_high")),
        # The share of right informalizations, by truth = p_i p_a + (1 - p_i) (1 - p_a) p_h.
        *(field(f"p_i{end}", pa.float64(), null=True) for end in ("", "_low", "_high")),
        # Bounds of the share of right informalizations, each with the interval of the bound; null if p_a is 0.
        *(
            field(f"p_i_{name}{end}", pa.float64(), null=True)
            for name in ("least", "most")
            for end in ("", "_low", "_high")
        ),
        field("truth_last", pa.float64()),  # after the last round
        field(
            "bound", pa.float64(), null=True
        ),  # of false positives after the last round; p_H is 1 where it is not measured
    ],
)
"""One row a generated dataset, round trip, translation, model and presentation."""

CROSSED = schema(
    "crossed",
    1,
    [
        field("dataset", pa.string()),
        field("task", pa.string()),
        field("informalizer", pa.string()),  # the model whose English it is
        field("formalizer", pa.string()),
        field("kind", pa.string()),  # of the formalizer, as in CELLS
        field("metric", pa.string()),
        field("items", pa.int64()),  # asked, of those that have English
        field("available", pa.int64()),  # items that have English
        field("stories", pa.int64()),
        field("seeds", pa.int64()),
        field("mean", pa.float64()),
        field("low", pa.float64(), null=True),  # interval at 95 % over stories; null for one story
        field("high", pa.float64(), null=True),
    ],
)
"""One row a dataset, task that takes a model's English, and model that formalizes it."""


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
