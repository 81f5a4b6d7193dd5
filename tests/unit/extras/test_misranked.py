"""Members of ranking sets that do not stand at their end."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.stored import frame, stored

from nlfol.logic.ontology.ontology import Ontology
from nlfol.results.statistics.summary import Origin
from nlfol.store import files, schemas
from nlfol.tasks.item import Item, Member
from nlfol.tasks.registry import build_task
from nlfol_extras.analyses.misranked import misranked, roles_of

ROLES = ("gold", "equivalent", "perturbation", "negation", "negation_normal_form")


@pytest.mark.parametrize(
    ("order", "fault"),
    [
        ("1 0 2 4 3", None),
        ("1 0 4 2 3", "negation_normal_form"),
        ("1 0 3 4 2", "negation negation_normal_form"),
        ("2 0 1 3 4", "gold equivalent"),
        ("0 2 1 3 4", "equivalent"),
    ],
)
def test_ranking_fault_names_misplaced_members(order: str, fault: str | None) -> None:
    task: Any = build_task('{"task": "ranking"}')
    item = Item("a:0", "a", "", "P(a)", Ontology(), tuple(Member("P(a)", "", role) for role in ROLES))
    places = [int(place) for place in order.split()]
    said = json.dumps({"reasoning": "", "answer": [place + 1 for place in places]})
    assert task.judge_answer(item, range(5), said).fault == fault
    similarities = [-float(places.index(place)) for place in range(5)]
    assert task.judge_similarities(item, similarities).fault == fault
    assert task.judge_similarities(item, [0.0] * 5).fault is None


def test_misranked_members_are_counted_by_role(tmp_path: Path) -> None:
    sets = [stored(schemas.ITEMS, item=f"{story}:0", candidates=candidates()) for story in "abc"]
    files.write(tmp_path / "r.arrow", schemas.ITEMS, sets, {"dataset": "d", "task": "r", "task_kind": "ranking"})
    faults = {"a:0": "negation_normal_form", "b:0": "negation negation_normal_form", "c:0": None}
    answers = [
        {"item": item, "presentation": "formula", "metric": "both", "outcome": "answered", "fault": fault}
        for item, fault in faults.items()
    ]
    lost = {"item": "c:0", "presentation": "formula", "metric": "both", "outcome": "truncated"}
    origin = Origin("d", "r", "ranking", "audited", "m", "chat", 3)
    rows = list(misranked([(origin, frame(schemas.SCORES, *answers, lost))], roles_of([tmp_path / "r.arrow"])))
    found: dict[str, Any] = {row["role"]: (row["answers"], row["out"], row["alone"], row["wrong"]) for row in rows}
    assert list(found) == [role for role in ROLES if role != "perturbation"]
    assert found["negation"] == (3, 1, 0, pytest.approx(1 / 3))
    assert found["negation_normal_form"] == (3, 2, 1, pytest.approx(2 / 3))
    assert found["gold"] == (3, 0, 0, 0)


def candidates() -> list[dict[str, Any]]:
    member: Any = schemas.ITEMS.field("candidates").type.value_type
    return [stored(member, role=role) for role in ROLES]
