"""The Arrow schema of problems."""

from __future__ import annotations

import pyarrow as pa

from nlfol.store.columns import field, schema
from nlfol.store.schemas import STATUS

_STATEMENT = pa.struct(
    [
        field("text", pa.string()),
        field("line", pa.string(), null=True),  # of the gold program; null where it adds nothing, or there is none
        # Where the text speaks of which symbol, in which form of the lexicon; empty where the English is free.
        field(
            "mentions",
            pa.list_(
                pa.struct(
                    [
                        field("start", pa.int32()),
                        field("end", pa.int32()),
                        field("concept", pa.string()),
                        field("form", pa.string()),
                    ]
                )
            ),
        ),
    ]
)

PROBLEMS = schema(
    "problems",
    1,
    [
        field("item", pa.string()),
        field("family", pa.string()),  # rules, taxonomy, order, proofs; free: not in a controlled English
        field("language", pa.string(), null=True),  # of the gold program: clauses, formulas, constraints
        field("statements", pa.list_(_STATEMENT)),
        field("question", _STATEMENT),
        field("options", pa.list_(_STATEMENT)),  # without their letters
        field("answer", pa.string()),  # a letter
        field("evidence", pa.string(), null=True),  # how the answer follows, see problems.problem.Evidence
        field("depth", pa.int32(), null=True),  # see problems.problem.Problem
        # What was said otherwise, by the statement's place; empty in originals.
        field(
            "rewrites",
            pa.list_(
                pa.struct(
                    [
                        field("statement", pa.int32()),
                        field("level", pa.string()),
                        field("type", pa.string()),
                        field("before", pa.string()),
                        field("after", pa.string()),
                    ]
                )
            ),
        ),
        *STATUS,
    ],
)
"""One row a problem, in the source's order."""
