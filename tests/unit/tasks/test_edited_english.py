"""The certified English of edited formulas: who says the formula before the edit made two errors that cancel out."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.tasks.generated_set import items_file, triples_file

from nlfol.asking.asking import usable_items
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.equivalence import equivalence
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply
from nlfol.tasks.registry import build_task

ENTRY = {"task": "logical_translation", "english": "edited"}
FORMULAS = ["∀x (P(x) → Q(x))", "∃x (P(x) ∧ Q(x)) ∨ R(a, b)", "P(a) ∧ ¬Q(a)"]
TASK = build_task(json.dumps(ENTRY))


@pytest.fixture
def items(tmp_path: Path) -> list[Item]:
    triples = triples_file(
        tmp_path / "triples.arrow", "first_order", derive(map(parse, FORMULAS)), [(2, formula) for formula in FORMULAS]
    )
    return usable_items(items_file(tmp_path, triples, **ENTRY))


def test_an_item_is_about_the_formula_after_an_edit_and_keeps_the_one_before(items: list[Item]) -> None:
    assert len(items) == len(FORMULAS)
    for item, before in zip(items, FORMULAS, strict=True):
        assert [member.role for member in item.members] == ["gold", "original"]
        assert [member.formula for member in item.members] == [item.formula, before]
        assert equivalence(parse(item.formula), parse(before)).outcome == "not_equivalent"
        assert LANGUAGES["first_order"].read_english(item.text, item.ontology) is parse(item.formula)


def scores(item: Item, answer: str | None) -> dict[str, Any]:
    text = None if answer is None else json.dumps({"reasoning": "", "answer": answer})
    judged = TASK.judge(item, [Reply("", "failed" if text is None else "answered", text)])
    return {name: judged.scores[name] for name in ("equivalence", "returned")}


def test_a_formalization_is_right_or_has_returned_or_neither(items: list[Item]) -> None:
    for item, before in zip(items, FORMULAS, strict=True):
        assert scores(item, item.formula) == {"equivalence": 1, "returned": 0}
        assert scores(item, f"¬¬({before})") == {"equivalence": 0, "returned": 1}
        assert scores(item, "R(b, a)") == {"equivalence": 0, "returned": 0}
        for lost in ("R(b", "S(a)", None):
            assert scores(item, lost) == {"equivalence": 0, "returned": 0}
        assert TASK.chance(item).scores["returned"] == 0


def test_other_entries_have_no_such_metric(items: list[Item]) -> None:
    plain = build_task(json.dumps({"task": "logical_translation"}))
    text = json.dumps({"reasoning": "", "answer": items[0].formula})
    assert "returned" not in plain.judge(items[0], [Reply("", "answered", text)]).scores
    assert not TASK.entry.is_about_dataset
    assert plain.entry.is_about_dataset
