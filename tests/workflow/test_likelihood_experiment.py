"""A model that chooses by likelihood beside the same one that writes, from its weights to a table."""

import json
from collections import defaultdict
from collections.abc import Callable
from statistics import fmean
from typing import Any

import pytest
from tests.workflow.checkout import Checkout
from tests.workflow.tiny_model import ENTRY

from nlfol.store import files, schemas

CELLS = "results/tables/cells.arrow"


def test_choices_by_likelihood_stand_beside_written_ones_and_their_floor(changed: Callable[[Any], Checkout]) -> None:
    def edit(values: dict[str, Any]) -> None:
        likeliest = {**ENTRY, "source": {"path": "mine/tiny"}, "answer": "likelihood", "seeds": [3]}
        values["models"] |= {"likeliest": likeliest}
        values["tasks"]["most_similar"] |= {"reasoning": 0, "models": ["tiny", "likeliest", "chance"]}
        for task in ("logical_translation", "ranking"):
            values["tasks"][task] |= {"models": ["tiny", "chance"]}

    checkout = changed(edit)
    checkout.run(CELLS)
    responses = checkout.folder / "results/responses/mine/most_similar/likeliest.arrow"
    rows = files.rows(responses, schemas.RESPONSES)
    # Nothing is written, and a choice has its probability among the options.
    assert {(row["outcome"], row["completion_tokens"], row["logprob_tokens"]) for row in rows} == {("answered", 0, 1)}
    assert all(row["logprob"] < 0 for row in rows)
    right = defaultdict(list)
    for row in rows:
        right[row["presentation"]].append(row["order"][json.loads(row["answer"])["answer"] - 1] == 0)
    cells = {
        (row["model"], row["presentation"]): row
        for row in files.rows(checkout.folder / CELLS, schemas.CELLS)
        if row["task"] == "most_similar"
    }
    assert {model for model, _ in cells} == {"tiny", "likeliest", "chance"}
    for shown, of_shown in right.items():
        chosen, written, floor = (cells[model, shown] for model in ("likeliest", "tiny", "chance"))
        assert (chosen["answered"], written["answered"]) == (4, 8)
        assert chosen["mean"] == fmean(of_shown)
        assert floor["mean"] == pytest.approx(1 / 3)
