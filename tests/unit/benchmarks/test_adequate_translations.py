"""Figures of questions that notice wrong premises, by stories and models that are small enough to count by hand."""

from random import Random

import pytest
from benchmarks.adequate_translations import Pair, misread, predicted

from nlfol.logic import parse
from nlfol.problems.adequacy.selecting import choose

STORY = tuple(map(parse, ("∀x (Cat(x) → Shy(x))", "Cat(tom) ∧ ¬Tall(tom)", "Shy(ann) ∨ Tall(ann)")))


def test_misreadings_of_all_sentences_are_noticed_unless_they_only_exchange_names() -> None:
    asked = [one.formula for one in choose(STORY, Random(1)).conclusions]
    found = {name: (alike, alone) for name, alike, alone in misread(STORY, asked)}
    for name in ("→ the wrong way round", "∀ … → as ∀ … ∧", "∨ as ⊕", "∧ as ∨", "two predicates as one"):
        assert found[name][0] < 1, name
    for name in ("two predicates exchanged", "two names exchanged"):
        assert found[name][0] == 1 > found[name][1], name


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((1, 0.5, 1, 0), "r 1.00 [1.00, 1.00], AUC 1.00 [1.00, 1.00], whole if all answers right 1.00"),
        ((0.5, 1, 0, 1), "r -1.00 [-1.00, -1.00], AUC 0.00 [0.00, 0.00], whole if all answers right 0.00"),
    ],
)
def test_answers_that_go_with_formulas_in_each_model_predict_them(answers: tuple[float, ...], expected: str) -> None:
    formulas = (1.0, 0.5, 1.0, 0.0)
    places = (("a", "1"), ("a", "2"), ("b", "1"), ("b", "2"))
    pairs = [
        Pair(model, f"{model}{story}{copy}", right, (answer,))
        for copy in range(20)
        for (model, story), right, answer in zip(places, formulas, answers, strict=True)
    ]
    found = predicted(pairs, 0, draws=50)
    assert found.startswith(expected)
