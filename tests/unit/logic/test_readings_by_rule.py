"""Readings by rule: what words of a sentence license, and what they do not."""

import pytest

from nlfol.logic import Outcome, equivalence, parse
from nlfol.logic.readings import Said, defined_term, readings, says_either

EITHER = "A thing is either a plant or an animal."
WEREWOLF = "A werewolf is a human that can turn into a wolf."
BOOKS = "Some books that contain innovative ideas are about technology."
STORY = ("∀x (Book(x) ∧ Old(x) → Dear(x))", "Book(b)")


def made(gold: str, sentence: str, *story: str) -> list[tuple[str, str]]:
    said = Said(sentence, tuple(map(parse, story)))
    return [(one.rule.value, str(one.formula)) for one in readings(parse(gold), said)]


@pytest.mark.parametrize(
    ("gold", "sentence", "story", "expected"),
    [
        ("∀x (Plant(x) ⊕ Animal(x))", EITHER, (), [("either", "∀x (Plant(x) ∨ Animal(x))")]),
        ("∀x (Plant(x) ∨ Animal(x))", EITHER, (), [("either", "∀x (Plant(x) ⊕ Animal(x))")]),
        ("∀x (Plant(x) ∨ Animal(x))", "A thing is a plant or an animal.", (), []),
        ("Plant(a) ⊕ Animal(a)", "a is either a plant or an animal, but not both.", (), []),
        ("¬Plant(a) ∧ ¬Animal(a)", "Either way, a is neither a plant nor an animal.", (), []),
        # A tautology is no reading.
        ("P(a) ∨ Q(a) → P(a) ⊕ Q(a)", "If a is P or Q, then either P or Q.", (), []),
        (
            "∀x (Human(x) ∧ Turns(x, wolf) ↔ Werewolf(x))",
            WEREWOLF,
            (),
            [("definition", "∀x (Werewolf(x) → Human(x) ∧ Turns(x, wolf))")],
        ),
        (
            "∀x (Album(x) → (Sold(x) ↔ Gold(x)))",
            "A gold album is one which sold well.",
            (),
            [("definition", "∀x (Album(x) → Gold(x) → Sold(x))")],
        ),
        ("∀x (Human(x) ∧ Turns(x, wolf) → Werewolf(x))", WEREWOLF, (), []),  # never from → to ↔
        ("∀x (Human(x) ↔ Werewolf(x))", "All and only humans that turn are werewolves.", (), []),
        (
            "∃x (Innovative(x) ∧ Technological(x))",
            BOOKS,
            STORY,
            [("under_a_sort", "∃x (Book(x) ∧ (Innovative(x) ∧ Technological(x)))")],
        ),
        (
            "∀x (Innovative(x) → Technological(x))",
            BOOKS,
            STORY,
            [("under_a_sort", "∀x (Book(x) ∧ Innovative(x) → Technological(x))")],
        ),
        # Not said; asserted of a variable in the story; gold does not restrict x otherwise; gold has the sort.
        ("∃x (Innovative(x) ∧ Technological(x))", "Some works are about technology.", STORY, []),
        ("∃x (Innovative(x) ∧ Technological(x))", BOOKS, (*STORY, "∀x (Novel(x) → Book(x))"), []),
        ("∃x (Innovative(x) ∧ Technological(x))", BOOKS, (*STORY, "∀x (Film(x) → ¬Book(x))"), []),
        ("∀x Technological(x)", BOOKS, STORY, []),
        ("∃x ∃y (Book(x) ∧ About(x, y) ∧ Technological(y))", BOOKS, STORY, []),
    ],
)
def test_readings_need_words_that_license_them(
    gold: str, sentence: str, story: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    assert made(gold, sentence, *story) == expected


def test_words_of_a_sort_stand_side_by_side() -> None:
    story = ("∀x (HomeOffice(x) ∧ Quiet(x) → Dear(x))",)
    assert made("∀x (Worker(x) → Tired(x))", "Workers at home visit the office.", *story) == []
    assert made("∀x (Worker(x) → Tired(x))", "Workers with a home office are tired.", *story) != []


def test_readings_mean_something_else_than_gold_and_each_other() -> None:
    gold = parse("∀x (A(x) → B(x) ⊕ C(x) ⊕ D(x))")
    known = [gold, *(one.formula for one in readings(gold, Said("Each A is either B or C or D.")))]
    assert len(known) == 4
    for place, one in enumerate(known):
        for other in known[place + 1 :]:
            assert equivalence(one, other).outcome is Outcome.NOT_EQUIVALENT


@pytest.mark.parametrize(
    ("sentence", "term"),
    [
        ("An Olympian is a person who trains.", "An Olympian"),
        ("A heptalogy, is a work that is made up of seven works.", "A heptalogy"),
        ("Top players are players who can use both feet.", "Top players"),
        ("Every Olympian is a person who trains.", None),
        ("All players that win are players who train.", None),
        ("If it rains, it is a day that is wet.", None),
        ("An Olympian is strong.", None),
        ("An Olympian is a person.", None),
        ("is", None),
        ("", None),
    ],
)
def test_defined_term_is_subject_of_a_definition(sentence: str, term: str | None) -> None:
    assert defined_term(sentence) == term


@pytest.mark.parametrize(
    ("sentence", "licensed"),
    [
        ("EITHER a or b.", True),
        ("a or b.", False),
        ("Neither a nor b.", False),
        ("Either a or b, but not both.", False),
        ("Either a or b, nor c.", False),
    ],
)
def test_either_licenses_unless_excluded(sentence: str, *, licensed: bool) -> None:
    assert says_either(sentence) is licensed
