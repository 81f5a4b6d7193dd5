"""One quantity of one paper beside ours: what is asked otherwise has another name."""

from typing import Any

import polars as pl
import pytest
from tests.examples import ROOT
from tests.stored import frame, records, stored
from tests.unit.results.worked_out import published_beside

from nlfol.results.analyses.ceiling import TABLE as CEILING
from nlfol.results.analyses.curves import BOUNDED
from nlfol.results.tables.table import Sample
from nlfol.store.files import read_figures
from nlfol.store.schemas import CELLS

FIGURES = pl.concat(read_figures(ROOT / f"resources/published/{name}.csv") for name in ("autoeval", "nl_fol_lt"))


def cell(presentation: str, **more: Any) -> dict[str, Any]:
    about = {"dataset": "folio", "task": "translated", "task_kind": "logical_translation", "metric": "equivalence"}
    asked = {"presentation": presentation, "model": "gpt-4o-mini", "kind": "chat", "items": 5, "available": 1556}
    return about | asked | {"mean": 0.8, "low": 0.4, "high": 0.95} | more


@pytest.mark.parametrize(
    ("presentation", "expected"),
    [
        ("", ("nl_fol_lt", "2", "logical_translation")),
        # With prompt: formalization, beside an example of the same story.
        ("few_shot", ("autoeval", "12", "formalization")),
    ],
)
def test_translation_pairs_with_paper_using_same_prompt(presentation: str, expected: tuple[str, str, str]) -> None:
    rows = published_beside(FIGURES, cells=frame(CELLS, stored(CELLS, **cell(presentation))))
    assert [(row["paper"], row["table"], row["task"]) for row in rows] == [expected]
    # Five items tell nothing of .73 or .47.
    assert rows[0]["agrees"] == "cannot tell"


def test_zero_shot_translation_has_empty_published_comparison() -> None:
    assert published_beside(FIGURES, cells=frame(CELLS, stored(CELLS, **cell("zero_shot")))) == []


def test_ceiling_lists_models_from_paper_using_same_prompt() -> None:
    accepted = stored(CELLS, **cell("", metric="accepted"))
    rows = records(CEILING.table(frame(CELLS, stored(CELLS, **cell("")), accepted), FIGURES))
    assert {row["model"].partition(" (")[2] for row in rows[1:]} == {"nl_fol_lt)"}
    assert len(rows) == 5


def test_bounded_scores_report_item_sample() -> None:
    limit = {"dataset": "propositional", "task_kind": "round_trip", "metric": "truth", "presentation": "zero_shot"}
    row = cell(**limit, measure="operators_published", most=6.0, items=2, available=96)
    (found, *_) = published_beside(FIGURES, bounded=frame(BOUNDED, stored(BOUNDED, **row)))
    assert (found["metric"], found["items"]) == ("truth_operators_6", Sample(2, 96))
