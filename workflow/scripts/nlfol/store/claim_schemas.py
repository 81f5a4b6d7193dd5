"""The Arrow schemas of what is tested and taken apart over scores."""

from __future__ import annotations

import pyarrow as pa

from nlfol.store.columns import TASK, field, schema

CLAIMS = schema(
    "claims",
    1,
    [
        field("claim", pa.string()),  # see statistics.claims.CLAIMS
        field("dataset", pa.string()),
        # What both sides share; null where they do not.
        field("task", pa.string(), null=True),
        field("metric", pa.string(), null=True),
        field("presentation", pa.string(), null=True),
        field("model", pa.string(), null=True),
        field("first", pa.string()),  # the side that is claimed to score higher, by what it does not share
        field("second", pa.string()),
        field("items", pa.int64()),  # of both sides
        field("available", pa.int64()),  # that the dataset offers for the task, or for both tasks
        field("stories", pa.int64()),
        field("difference", pa.float64()),  # of the means, first less second
        field("low", pa.float64(), null=True),  # interval at 95 %; null for one story
        field("high", pa.float64(), null=True),
        field("p", pa.float64()),  # two-sided, of equal means; belongs to the interval
        field("adjusted", pa.float64()),  # by Holm over the rows of the claim; of thinking as in DIFFERENCES
        field("data", pa.string()),  # holds, contradicted, open
    ],
)
"""One row a claim, dataset and pair of sides; tasks stand for their first metric."""

VARIANCES = schema(
    "variances",
    1,
    [
        *TASK,
        field("metric", pa.string()),  # the task's first
        field("presentation", pa.string()),
        field("model", pa.string()),
        field("items", pa.int64()),
        field("available", pa.int64()),  # that the dataset offers for the task
        field("seeds", pa.int64()),
        field("variance", pa.float64()),  # of an answer; see statistics.variances
        field("item", pa.float64(), null=True),  # share of it; null where it is 0, as all below
        field("within", pa.float64(), null=True),  # order and sampling together
        field("order", pa.float64(), null=True),  # null also where they cannot be told apart
        field("sampling", pa.float64(), null=True),
        field("repeated", pa.int64()),  # items by which they are, see statistics.variances
    ],
)
"""One row a dialogue model under several seeds, task and presentation."""

DIFFICULTY = schema(
    "difficulty",
    1,
    [
        *TASK,
        field("metric", pa.string()),  # the task's first
        field("presentation", pa.string()),
        field("model", pa.string(), null=True),  # null where items are counted by all of them
        # models: by which of them solve an item; others: by their mean score without this one; operators, quantifiers
        field("group", pa.string()),
        field("case", pa.string()),
        field("items", pa.int64()),
        field("mean", pa.float64()),  # of the model; of group models, of all of them
        field("low", pa.float64(), null=True),  # interval at 95 %; null for one story
        field("high", pa.float64(), null=True),
        field("named", pa.list_(pa.string())),  # of group models, the items that all or none of them solve
    ],
)
"""One row a dataset, task, presentation, model, group and case; see ``statistics.difficulty``."""

WITHOUT_SUSPECTS = schema(
    "without_suspects",
    1,
    [
        *TASK,
        field("metric", pa.string()),
        field("presentation", pa.string()),
        field("model", pa.string()),
        field("kind", pa.string()),  # of the model, as in CELLS
        field("items", pa.int64()),  # asked
        field("available", pa.int64()),
        field("suspects", pa.int64()),  # of those asked
        # As in CELLS, of all items asked, and without suspects, where all is null if no item is left.
        *(
            field(f"{name}{end}", pa.float64(), null=True)
            for end in ("", "_without")
            for name in ("mean", "deviation", "low", "high")
        ),
    ],
)
"""One row a cell of a dataset with suspect gold formulas whose model was asked one of them."""

POSITIONS = schema(
    "positions",
    2,
    [
        *TASK,
        field("presentation", pa.string()),
        field("model", pa.string()),
        # Where the gold formula was shown, from 1; null in the row of all positions.
        field("position", pa.int32(), null=True),
        field("answers", pa.int64()),  # items × seeds shown so, whatever became of the answer
        field("right", pa.int64()),
        # How many would be right if positions did not matter: each answer counts as the mean of its size of set.
        field("expected", pa.float64()),
        # Of all positions, see statistics.position_test; null in the rows of one, and where nothing varies.
        field("statistic", pa.float64(), null=True),
        field("freedom", pa.int64(), null=True),
        field("p", pa.float64(), null=True),
        field("adjusted", pa.float64(), null=True),  # by Holm over all rows with a p-value
    ],
)
"""One row a dataset, most similar task, presentation and dialogue model, and one each position of the gold formula."""
