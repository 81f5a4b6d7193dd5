"""Lines in symbols of their own that definitions prove, and which of these words tell."""

import pytest

from nlfol.logic import Formula, parse
from nlfol.problems.alignment import Known, StoryVerdict, judge_story
from nlfol.problems.alignment.own import read_own_program
from nlfol.problems.programs.formulas.maps import numbered
from nlfol.problems.programs.symbols import Symbol

ANCHORED, UNANCHORED, NO = Known.ANCHORED, Known.UNANCHORED, Known.NO


def judged(
    gold: list[str], other: list[str], *sentences: str, glosses: tuple[dict[str, str], dict[str, str]] = ({}, {})
) -> StoryVerdict:
    ours, theirs = ([parse(text) for text in side] for side in (gold, other))
    spoken = [*sentences, *[""] * (len(gold) - len(sentences))]
    known = [glossed(*each) for each in zip((ours, theirs), glosses, strict=True)]
    return judge_story([[formula] for formula in ours], theirs, spoken, *known)


def glossed(formulas: list[Formula], glosses: dict[str, str]) -> dict[Symbol, str]:
    symbols = (symbol for formula in formulas for symbol in numbered(formula).symbols)
    return {symbol: glosses[symbol.name] for symbol in symbols if symbol.name in glosses}


DRINKERS = ["∀x (Drinks(x) → Dependent(x))", "∀x (Drinks(x) ∨ Jokes(x))"]
COFFEE = ["∀x (Drink(x, coffee) → DependentOn(x, caffeine))", "∀x (Drink(x, coffee) ∨ Joke(x))"]


def test_definitions_fill_in_one_constant() -> None:
    found = judged(DRINKERS, COFFEE, "Who drinks coffee is dependent on caffeine.", "People drink coffee or joke.")
    assert found.lines == (ANCHORED, ANCHORED)
    assert found.defined == (True, True)
    assert "Drinks(x) is Drink(x, coffee)" in found.definitions


def test_definitions_need_a_sentence_that_says_the_constant() -> None:
    assert judged(DRINKERS, COFFEE, "Who drinks is dependent.", "People drink or joke.").lines == (
        UNANCHORED,
        UNANCHORED,
    )


@pytest.mark.parametrize(
    ("gold", "other"),
    [
        ("∀x (Safe(x) → Dog(x))", "∀x (Dog(x) ∨ NotSafe(x))"),
        ("∀x (Safe(x) → Dog(x))", "∀x (Dog(x) ∨ Unsafe(x))"),
        ("∀x (Unaware(x) → Cat(x))", "∀x (Aware(x) ∨ Cat(x))"),
        ("∀x (LikesTea(x) → Dog(x))", "∀x (Like(x, tea) → Dog(x))"),
        ("∀x (Like(x, tea) → Dog(x))", "∀x (LikesTea(x) → Dog(x))"),
        ("∀x (TalentedPoet(x) → Dog(x))", "∀x (Talented(x) ∧ Poet(x) → Dog(x))"),
        ("∀x (Talented(x) ∧ Poet(x) → Dog(x))", "∀x (TalentedPoet(x) → Dog(x))"),
        ("Directed(bob, jaws)", "DirectedBy(jaws, bob)"),
    ],
)
def test_words_anchor_a_definition(gold: str, other: str) -> None:
    assert judged([gold], [other]).lines == (ANCHORED,)


@pytest.mark.parametrize(
    ("gold", "other", "verdict"),
    [
        ("∀x (Cat(x) → Dog(x))", "∀x (Dog(x) → Cat(x))", UNANCHORED),  # up to names a converse
        ("∀x (Cat(x) → Dog(x))", "∀x (Cat(x) → Zorbs(x))", UNANCHORED),  # the only one left
        ("Chase(tom, ann)", "Chase(ann, tom)", UNANCHORED),
        ("Capital(paris, france)", "Capital(france, paris)", UNANCHORED),  # nor with names filled in
        ("Directed(bob, jaws)", "DirectedBy(bob, jaws)", UNANCHORED),
        ("∀x (Safe(x) → Dog(x))", "∀x (Dog(x) ∨ Safe(x))", NO),  # polarity is not searched
        ("∀x (Safe(x) → Dog(x))", "∀x (Unsafe(x) → Dog(x))", NO),
        ("Built(tower, n1946)", "Built(tower, n1964)", UNANCHORED),
        ("Plane(t10)", "Plane(n100)", UNANCHORED),
        ("∀x (Talented(x) ∧ Poet(x) → Dog(x))", "∀x (Talented(x) → Dog(x))", NO),  # a part is dropped
        ("∀x (TalentedPoet(x) → Dog(x))", "∀x (Talented(x) ∧ Rich(x) → Dog(x))", NO),
        ("∀x (Cat(x) → Dog(x))", "∀x (Cat(x) → Cat(x))", NO),
        ("∀x (Cat(x) → Cat(x))", "∀x (Dog(x) → Dog(x))", NO),
    ],
)
def test_words_do_not_anchor_another_meaning(gold: str, other: str, verdict: Known) -> None:
    assert judged([gold], [other]).lines == (verdict,)


def test_symbol_stands_for_one_concept_in_a_story() -> None:
    gold = ["∀x (Cat(x) → Dog(x))", "∀x (Bird(x) → Dog(x))"]
    assert judged(gold, ["∀x (Cat(x) → Dog(x))", "∀x (Cat(x) → Dog(x))"]).lines == (ANCHORED, NO)
    assert judged(gold, ["∀x (Cat(x) → Dog(x))", "∀x (Bird(x) → Cat(x))"]).lines.count(ANCHORED) == 1


def test_lines_that_speak_for_two_definitions_anchor_neither() -> None:
    gold = ["∀x (Library(x) → Cheap(x))", "∃x (Library(x) ∧ Big(x))"]
    split = ["∀x (Book(x) ∧ Library(x) → Cheap(x))", "∃x (Book(x) ∧ Library(x) ∧ Big(x))"]
    glosses: tuple[dict[str, str], dict[str, str]] = ({"Library": "{} is a book in the library"}, {})
    other = judged(gold, [split[0], "∃x (Library(x) ∧ Library(x) ∧ Big(x))"], glosses=glosses)
    assert ANCHORED not in other.lines
    assert judged(gold, split, glosses=glosses).lines == (ANCHORED, ANCHORED)


def test_gloss_anchors_a_name_of_other_words() -> None:
    other = ["∀x (Club(x) → Rich(x))"]
    gold = ["∀x (Team(x) → Rich(x))"]
    assert judged(gold, other).lines == (UNANCHORED,)
    assert judged(gold, other, glosses=({}, {"Club": "x is a soccer team"})).lines == (ANCHORED,)
    assert judged(gold, other, glosses=({}, {"Club": "x is not a soccer team"})).lines == (UNANCHORED,)


PROGRAM = """Predicates:
Drink(x, y) ::: x drinks y.
InŁódź(x) ::: x is in Łódź.

Premises:
Drink(x, coffee) → Dependent(x) ::: Who drinks coffee is dependent.
Dependent(x → ::: Nobody is.

Conclusion:
Dependent(rina) ::: Rina is dependent.
"""


def test_own_program_has_glosses_and_lines_by_sentence() -> None:
    program = read_own_program(PROGRAM)
    assert {symbol.name: gloss for symbol, gloss in program.declared.items()} == {
        "Drink": "x drinks y.",
        "InLodz": "x is in Łódź.",
    }
    assert program.conclusion == parse("Dependent(rina)")
    sentences = ["Who drinks coffee, is dependent.", "Nobody is.", "Somebody is."]
    assert program.by_sentence(sentences) == [
        parse("∀x (Drink(x, coffee) → Dependent(x))"), None, None
    ]  # fmt: skip


def test_glosses_of_other_numbers_anchor_no_other_name() -> None:
    gold, other = ["∀x (Cheap(x) → Sold(x))"], ["∀x (Cheaper(x) → Sold(x))"]
    concepts = {"Cheap": "{} is cheaper than 800 dollars"}
    assert judged(gold, other, glosses=(concepts, {"Cheaper": "x is cheaper than 800 dollars"})).lines == (ANCHORED,)
    assert judged(gold, other, glosses=(concepts, {"Cheaper": "x is cheaper than before"})).lines == (UNANCHORED,)
