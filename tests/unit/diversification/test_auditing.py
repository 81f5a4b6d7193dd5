"""The audit finds what is planted, and nothing in our own problems."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.diversification.judging import problem_of
from tests.unit.diversification.lexica import write_wordnet
from tests.unit.diversification.planting import PLANTS

from nlfol.diversification import Settings, diversify
from nlfol.diversification.audit import Check, audit
from nlfol.diversification.others import with_wordnet, with_words
from nlfol.problems import Lexicon, LexiconError, Problem, Rewrite, Statement
from nlfol.problems.problem import plain
from nlfol.randomness import generator

FAULTS = 5


@pytest.mark.parametrize("check", PLANTS)
def test_planted_faults_are_found(check: Check, drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    random = generator("planted", check)
    originals = [problem for family in drawn.values() for problem in family]
    planted = 0
    while planted < FAULTS:
        problem = random.choice(originals)
        made = diversify(problem, lexicon, Settings(), "test").problem
        faulty = PLANTS[check](made, lexicon, random)
        if faulty is not None:
            planted += 1
            assert check in {finding.check for finding in audit(problem, faulty.problem, faulty.lexicon)}


@pytest.fixture
def original(words: Lexicon) -> Problem:
    texts = ("Anne is round.", "Anne is red.", "Bob is young.", "Anne likes Bob.", "All red things are cold.")
    return problem_of(words, "Anne is cold.", *texts)


def rewritten(original: Problem, *texts: str) -> Problem:
    return replace(original, statements=plain(texts))


GOOD = (
    "Anne is ball-shaped.",
    "She has the color of blood.",
    "Bob is at an early stage of life.",
    "Bob is liked by Anne.",
    "Things that have the color of blood are cold.",
)


def test_other_words_are_read(original: Problem, lexicon: Lexicon) -> None:
    assert audit(original, rewritten(original, *GOOD), lexicon) == []


@pytest.mark.parametrize(
    ("place", "text", "check", "detail"),
    [
        (
            1,
            "She is ball-shaped.",
            Check.SHARED_FORM,
            "'ball-shaped' stands for Round in statement 1, and here for Red",
        ),
        (
            1,
            "She does not have the color of blood.",
            Check.CHANGED_POLARITY,
            "Red(anne, False) in place of Red(anne, True)",
        ),
        (3, "Anne is liked by Bob.", Check.CHANGED_MEANING, "Like(bob, anne, True)"),
        (1, "Anne blushes.", Check.UNREAD, "'blushes.'"),
    ],
)
def test_faults_are_named(  # noqa: PLR0917
    place: int, text: str, check: Check, detail: str, original: Problem, lexicon: Lexicon
) -> None:
    texts = list(GOOD)
    texts[place] = text
    findings = audit(original, rewritten(original, *texts), lexicon)
    assert [(each.check, each.statement) for each in findings if each.check is not Check.CHANGED_ANSWER] == [
        (check, place)
    ]
    assert detail in findings[0].detail


def test_words_that_describe_another_concept_are_found(words: Lexicon, lexicon: Lexicon) -> None:
    texts = ("The cat is red.", "The lion is red.", "The cat chases the lion.")
    original = problem_of(words, "The cat is red.", *texts)
    (finding,) = audit(original, rewritten(original, "The feline is red.", *texts[1:]), lexicon)
    assert (finding.check, finding.statement) == (Check.CLASHING_FORM, 0)
    assert finding.detail == "'feline' describes lion, and here stands for cat"


def test_statements_lost_and_added_are_found_where_they_are(original: Problem, lexicon: Lexicon) -> None:
    texts = [each.text for each in original.statements]
    (finding, *others) = audit(original, rewritten(original, *texts[:2], *texts[3:]), lexicon)
    assert (finding.check, finding.statement) == (Check.LOST_STATEMENT, 2)
    assert others == []
    (finding,) = audit(original, rewritten(original, *texts, "Bob is cold."), lexicon)
    assert (finding.check, finding.statement) == (Check.ADDED_STATEMENT, 5)
    for left in ([], texts[:4]):
        found = {each.check for each in audit(original, rewritten(original, *left), lexicon)}
        assert found == {Check.LOST_STATEMENT, Check.CHANGED_ANSWER}
    same = replace(original, answer="B")
    assert [each.check for each in audit(original, same, lexicon)] == [Check.CHANGED_ANSWER]


def test_questions_and_options_are_compared(original: Problem, lexicon: Lexicon) -> None:
    same = replace(original, question=Statement("Anne has a low temperature."))
    assert audit(original, same, lexicon) == []
    for other in (
        replace(original, question=Statement("Bob is cold.")),
        replace(original, options=plain(("Yes", "No", "Unknown"))),
        replace(original, options=original.options[:2]),
    ):
        assert {each.check for each in audit(original, other, lexicon)} == {Check.CHANGED_QUESTION}


def test_declared_rewrites_are_checked(original: Problem, lexicon: Lexicon) -> None:
    declared = (Rewrite(1, "word", "synonym", "red", "ruddy"), Rewrite(2, "word", "synonym", "young", "ruddy"))
    findings = audit(original, replace(original, rewrites=declared), lexicon)
    assert [each.detail for each in findings] == ["'ruddy' is said to stand for Red and Young"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("If someone likes Bob, then they are cold.", "Like($x, bob, True) >>> Cold($x, True)"),
        ("Everybody who likes Bob is cold.", "Like($x, bob, True) >>> Cold($x, True)"),
        ("Anyone red is cold.", "Red($x, True) >>> Cold($x, True)"),
        ("Everyone cold isn't red.", None),
        ("Everything red and rough is cold.", "Red($x, True) && Rough($x, True) >>> Cold($x, True)"),
        ("Anything which is red doesn't like Bob.", "Red($x, True) >>> Like($x, bob, False)"),
        ("Anne doesn't like Bob.", "Like(anne, bob, False)"),
        ("Anne is the colour of blood.", "Red(anne, True)"),
    ],
)
def test_what_people_write_is_read(text: str, line: str | None, words: Lexicon, lexicon: Lexicon) -> None:
    texts = ["Anne is cold.", "Bob is rough.", "Anne likes Bob.", "Red things are cold."]
    original = problem_of(words, "Anne is cold.", *texts)
    (finding, *_) = audit(original, rewritten(original, text, *texts[1:]), lexicon)
    if line is None:
        assert (finding.check, finding.statement) == (Check.UNREAD, 0)
    else:
        assert f"says {line} in place of Cold(anne, True)" in finding.detail


def test_others_words_are_read(words: Lexicon, lexicon: Lexicon, tmp_path: Path) -> None:
    texts = ["Anne is red.", "Bob chases Anne.", "Red things are cold."]
    original = problem_of(words, "Anne is cold.", *texts)
    other = rewritten(original, "Anne is of a ruddy hue.", "Bob hunts down Anne.", "Ruddy things feel chilled.")
    assert {finding.check for finding in audit(original, other, lexicon)} == {Check.UNREAD}
    mine = {"red": ["ruddy", "of a ruddy hue"], "chase": ["hunt down"], "cold": ["feel chilled"]}
    assert audit(original, other, with_words(lexicon, mine)) == []
    shared = with_words(lexicon, {**mine, "cold": ["ruddy", "feel chilled"]})
    assert Check.SECOND_READING in {finding.check for finding in audit(original, other, shared)}
    synsets = {"adj": [["red", "ruddy"]], "noun": [["mouse", "shiner"]], "verb": [["chase", "trail"]]}
    found = with_wordnet(lexicon, write_wordnet(tmp_path / "wordnet", synsets))
    assert audit(original, rewritten(original, "Anne is ruddy.", "Bob trails Anne.", texts[2]), found) == []


@pytest.mark.parametrize(
    ("mine", "message"),
    [
        ({"reddish": ["ruddy"]}, "'reddish' is no concept"),
        ({"red": ["r2"]}, "red: 'r2' is no expression of letters"),
        ({"red": ["ruddy"] * 101}, "one too many"),
    ],
)
def test_words_that_cannot_be_used_are_named(mine: dict[str, list[str]], message: str, lexicon: Lexicon) -> None:
    with pytest.raises(LexiconError, match=message):
        with_words(lexicon, mine)
