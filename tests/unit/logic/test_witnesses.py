"""Labels with a witness: errors that they must not forgive, and what they may."""

import pytest

from nlfol.logic import parse
from nlfol.logic.readings import Said
from nlfol.logic.witnesses import changes_nothing, witness

SENTENCE = "The song was a hit all over Europe."
STORY = ("Song(hooray)", "∀x (Song(x) ∧ Old(x) → Known(x))", "Old(b)")


def label(gold: str, answer: str, sentence: str = SENTENCE, story: tuple[str, ...] = STORY) -> str | None:
    found = witness(parse(gold), parse(answer), Said(sentence, tuple(map(parse, story))))
    return None if found is None else f"{found.rule.value}: {found.licence}"


def test_fact_that_the_answer_adds_is_said_and_entailed() -> None:
    added = "in_context: the story entails Song(hooray), which the sentence says"
    assert label("Hit(hooray)", "Hit(hooray) ∧ Song(hooray)") == added
    assert label("Hit(hooray)", "Song(hooray) → Hit(hooray)") == added
    assert label("Hit(hooray)", "Hit(hooray) ∧ Song(hooray)", "Hooray was a hit all over Europe.") is None


def test_fact_that_the_answer_leaves_out_is_entailed_and_not_said() -> None:
    gold, answer = "Hit(hooray) ∧ Song(hooray)", "Hit(hooray)"
    assert label(gold, answer, "Hooray was a hit.") == "in_context: the story entails Song(hooray)"
    assert label(gold, answer) is None  # the sentence says it, so the answer has left it out


@pytest.mark.parametrize(
    ("gold", "answer", "story"),
    [
        ("Hit(hooray)", "Hit(hooray) ∧ Song(hooray)", ()),  # nobody says so
        ("Hit(hooray)", "Hit(hooray) ∧ Song(b)", (*STORY, "Song(b)")),  # gold does not name b
        ("Hit(hooray)", "Hit(hooray) ∧ Song(hooray)", (*STORY, "¬Old(b)")),  # the story is inconsistent
        ("Hit(hooray)", "Song(hooray)", (*STORY, "Hit(hooray)")),  # another symbol: both sides have an atom
        ("Hit(hooray)", "Song(hooray) ∨ ¬Song(hooray)", (*STORY, "Hit(hooray)")),
        ("Hit(hooray) ∧ Old(hooray)", "(Hit(hooray) ∨ ¬Song(hooray)) ∧ Old(hooray)", STORY),  # a condition of a part
        # The story excludes where they differ, but no fact does.
        ("Song(hooray) ∧ Hit(hooray)", "Song(hooray) → Hit(hooray)", STORY),
        ("∀x (Song(x) → Hit(x))", "∀x (Song(x) ∧ Old(x) → Hit(x))", (*STORY, "∀x Old(x)")),
        ("Hit(hooray)", "Hit(hooray) ∧ ∀x (Song(x) ∧ Old(x) → Known(x))", STORY),
        ("Hit(hooray)", "Hit(hooray) ↔ ∀x (Song(x) ∧ Old(x) → Known(x))", STORY),
        ("Hit(hooray)", "∀x Song(x) → Hit(hooray)", STORY),
    ],
)
def test_witness_is_absent_where_only_story_makes_equal(gold: str, answer: str, story: tuple[str, ...]) -> None:
    assert label(gold, answer, story=story) is None


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("∀x (Pet(x) → Dog(x) ∨ Cat(x))", "either"),
        ("¬∃x (Pet(x) ∧ ¬Dog(x) ∧ ¬Cat(x))", "either"),
        ("∀x ((Pet(x) → Dog(x)) ⊕ Cat(x))", None),  # another scope
        ("∀x (Pet(x) → Dog(x) ∧ Cat(x))", None),
        ("∀x (Dog(x) ⊕ Cat(x) → Pet(x))", None),
    ],
)
def test_either_forgives_the_sign_alone(answer: str, rule: str | None) -> None:
    found = label("∀x (Pet(x) → Dog(x) ⊕ Cat(x))", answer, "Pets can be either a dog or a cat.", ())
    assert (found and found.partition(":")[0]) == rule


def test_definition_never_turns_a_condition_into_an_equivalence() -> None:
    sentence = "A werewolf is a human that can turn."
    assert label("∀x (Human(x) ↔ Werewolf(x))", "∀x (Werewolf(x) → Human(x))", sentence, ()) is not None
    assert label("∀x (Human(x) ↔ Werewolf(x))", "∀x (Human(x) → Werewolf(x))", sentence, ()) is None
    assert label("∀x (Werewolf(x) → Human(x))", "∀x (Human(x) ↔ Werewolf(x))", sentence, ()) is None


def test_change_of_nothing_in_the_story_is_proven() -> None:
    gold, answer = parse("Song(hooray) ∧ Hit(hooray)"), parse("Song(hooray) → Hit(hooray)")
    assert changes_nothing(gold, answer, Said("", (parse("Song(hooray)"),)))
    assert not changes_nothing(gold, answer, Said("", (parse("Song(b)"),)))
    assert not changes_nothing(gold, answer, Said("", (parse("Song(b)"), parse("¬Song(b)"))))
    assert not changes_nothing(gold, gold, Said(""))
