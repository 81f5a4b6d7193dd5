import json
from typing import Any, cast

import pytest
from pydantic import ValidationError

from nlfol.facts import BLIND
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.sets.anagram import bag
from nlfol.store.schemas import ItemRow, TripleRow
from nlfol.tasks.cues import WORDS, scored
from nlfol.tasks.item import Item
from nlfol.tasks.item_rows import Exemplars, sentence_row
from nlfol.tasks.neighbours import paired
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.reference import dialogue
from nlfol.tasks.registry import build_task

ENTRY = {"task": "most_similar", "protocol": "anagram", "control": "blind"}
STORIES = {
    "a": ["∀x (Cube(x) → Small(x))", "Larger(a, b)", "∃x (Tet(x) ∧ ¬Small(x))"],
    "b": ["Cube(a) → Tet(b)", "¬∃x (Tet(x) ∧ Larger(x, a))"],
    "c": ["∀x (Tet(x) → Larger(x, b))", "Cube(b) ∨ Small(a)"],
    "d": ["∃x (Cube(x) ∧ Larger(x, a))", "Tet(a) → ¬Small(b)"],
    "e": ["∀x (Small(x) → ¬Tet(x))", "Larger(b, a) ∧ Cube(a)"],
    "f": ["∃x (Small(x) ∧ Larger(b, x))", "Small(a) → Cube(b)"],
}
SYMBOLS = derive([parse(text) for texts in STORIES.values() for text in texts])


def triples(category: int | None = None) -> list[TripleRow]:
    return [
        cast(
            "TripleRow",
            {
                "item": f"{story}:{number}",
                "story": story,
                "language": "first_order",
                "text": LANGUAGES["first_order"].render(parse(text), SYMBOLS),
                "formula": text,
                "ontology": SYMBOLS.to_row(),
                "category": category,
                "depth": None,
                "readings": [],
            },
        )
        for story, texts in STORIES.items()
        for number, text in enumerate(texts)
    ]


def rows() -> list[ItemRow]:
    task = build_task(json.dumps(ENTRY))
    return [sentence_row(row, task, 1, Exemplars([], None, "d", 1)) for row in task.joined(triples())]


def test_neighbours_become_one_item_under_name_of_first() -> None:
    given, made = triples(), paired(triples())
    assert [row["item"] for row in made] == [row["item"] for row in given]
    assert made[0]["text"] == f"{given[0]['text']} {given[1]['text']}"
    assert made[0]["formula"] == "∀x (Cube(x) → Small(x)) ∧ Larger(a, b)"
    assert [row["formula"] for row in made[1:3]] == [row["formula"] for row in given[1:3]]
    assert paired(triples(3)) == triples(3)


def test_second_sentence_and_sets_of_two_are_refused_with_reason() -> None:
    reasons = {row["item"]: row["reason"] for row in rows()}
    # The first story's third sentence has no neighbour.
    assert (reasons["a:0"], reasons["a:1"]) == (None, "joined")
    assert reasons["a:2"] in (None, "one_anagram")
    assert set(reasons.values()) <= {None, "joined", "one_anagram", "no_anagram"}


def test_references_and_blind_control_answer_anagram_sets() -> None:
    task, setting = build_task(json.dumps(ENTRY)), Setting(1, NoPrompts())
    items = [Item.from_row(row) for row in rows() if row["status"] == "usable"]
    assert len(items) >= 5
    for item in items:
        for presentation in ("formula", "english"):
            shown = [member.shown(presentation) for member in item.members]
            assert len({frozenset(bag(text).items()) for text in shown}) == 1
            # Words in common, operators, negations.
            assert scored(item.text, shown, WORDS[:3]) == [[0.0] * 3] * len(shown)
        assert {m.shown("formula").count("(") for m in item.members} == {item.members[0].shown("formula").count("(")}
    for presentation in ("formula", "english", f"{BLIND}formula"):
        for kind in ("words", "order", "learner"):
            reference = task.reference(kind, items)
            for item in items:
                steps = dialogue(task.plan(setting), reference, item, presentation, 0)
                assert task.judge(item, [reply for _, reply in steps]).outcome == "answered"
    assert task.chance(items[0]).scores == {"accuracy": 1 / len(items[0].members)}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"task": "ranking"}, "protocol anagram is of most_similar.*take fair"),
        ({"perturbations": 2}, "anagram sets have 3 or 7"),
        ({"english": "paper"}, "told apart by length"),
        ({"minimum": 2}, "minimum is of protocol audited"),
    ],
)
def test_entry_refuses_what_anagram_sets_lack(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        build_task(json.dumps(ENTRY | keys))
