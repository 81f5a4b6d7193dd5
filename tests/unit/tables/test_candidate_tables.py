from typing import Any

import polars as pl

from nlfol.analyses.members import EDIT_MIX, EDIT_MIX_TABLE, SET_SIZES
from nlfol.analyses.positions import POSITIONS, TABLE

TASK = {"dataset": "toy", "task": "k3", "task_kind": "most_similar", "protocol": "audited"}


def frame(schema: Any, rows: list[dict[str, Any]]) -> pl.DataFrame:
    empty = pl.from_arrow(schema.empty_table())
    assert isinstance(empty, pl.DataFrame)
    return pl.DataFrame([dict.fromkeys(schema.names) | TASK | row for row in rows], schema=empty.schema)


MIX = frame(
    EDIT_MIX,
    [
        {"role": "gold", "change": [], "edits": 0, "count": 4, "total": 4},
        {"role": "perturbation", "change": ["negation", "quantifier"], "edits": 2, "count": 1, "total": 8},
        {"perturbations": 2, "count": 4, "total": 4},
    ],
)


def test_members_by_role_and_change() -> None:
    assert EDIT_MIX_TABLE.table(MIX).rows == (
        ("toy", "k3", "audited", "gold", None, 0, 4, 1.0),
        ("toy", "k3", "audited", "perturbation", "negation, quantifier", 2, 1, 0.125),
    )


def test_items_by_number_of_perturbations() -> None:
    assert SET_SIZES.table(MIX).rows == (("toy", "k3", "audited", 2, 4, 1.0),)


def test_positions() -> None:
    counts = frame(
        POSITIONS,
        [
            {"presentation": "english", "model": "m", "answers": 9, "right": 3, "expected": 3.0}
            | {"statistic": 2.0, "freedom": 2, "p": 0.25, "adjusted": 0.5},
            {"presentation": "english", "model": "m", "position": 3, "answers": 8, "right": 2, "expected": 4.0},
        ],
    )
    front = ("toy", "k3", "audited", "m", "english")
    assert TABLE.table(counts).rows == (
        (*front, None, 9, 1 / 3, 1 / 3, 0.25, 0.5),
        (*front, 3, 8, 0.25, 0.5, None, None),
    )
