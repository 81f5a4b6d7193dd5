"""Rules of ``nlfol lint``: each finds its example, and what would be right is not found."""

import pytest
from benchmarks.lint import PAGE, examples, story_of
from hypothesis import given
from hypothesis import strategies as st

from nlfol.logic import parse
from nlfol.logic.english.unambiguous import render
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol_extras.lint import RULES, Level, Statement, Story, lint

ANIMALS = Ontology(
    (Predicate("Cat", 1, "{} is a cat", "{} is not a cat"), Predicate("Purr", 1, "{} purrs", "{} does not purr")),
    constants=(ConstantSymbol("tom", "Tom"),),
)


def found(text: str, formula: str, *others: tuple[str, str], level: Level = Level.PRECISE) -> set[str]:
    pairs = [(text, formula), *others]
    story = Story([Statement(str(place), *pair) for place, pair in enumerate(pairs)])
    return {finding.rule.name for finding in lint(story, level) if finding.statement.id == "0"}


EXAMPLES = examples(PAGE.read_text(encoding="utf-8"))


def test_lint_page_documents_every_rule() -> None:
    assert list(EXAMPLES) == list(RULES)


@pytest.mark.parametrize("name", [name for name in RULES if name != "english"])
def test_lint_rules_find_their_examples(name: str) -> None:
    story = story_of(EXAMPLES[name])
    findings = [finding for finding in lint(story, RULES[name].level) if finding.rule.name == name]
    assert findings
    # A contradiction is known at the last premise.
    assert name == "contradiction" or findings[0].statement is story.statements[0]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("Some cats purr.", "∃x (Cat(x) ∧ Purr(x))"),
        ("There is something that purrs if it is a cat.", "∃x (Cat(x) → Purr(x))"),
        ("People who own a cat are kind.", "∀x ∀y (Own(x, y) ∧ Cat(y) → Kind(x))"),
        ("Everything is a cat that purrs.", "∀x (Cat(x) ∧ Purr(x))"),
        ("Not every cat purrs and sleeps.", "¬∀x (Cat(x) ∧ Purr(x) ∧ Sleep(x))"),
        ("Ada is neither tall nor old.", "¬Tall(ada) ∧ ¬Old(ada)"),
        ("Ada is neither tall nor old.", "¬(Tall(ada) ∨ Old(ada))"),
        ("Ada is either both tall and old or neither tall nor old.", "¬(Tall(ada) ⊕ Old(ada))"),
        ("Ada is not a singer or a dancer.", "¬(Singer(ada) ∨ Dancer(ada))"),
        ("Ada is either not tall or old.", "¬Tall(ada) ∨ Old(ada)"),
        ("Ada is not both tall and old.", "¬(Tall(ada) ∧ Old(ada))"),
        ("Ada is unhappy.", "¬Happy(ada)"),
        ("Ada never sings.", "NeverSing(ada)"),
        ("Song No. 9 is long.", "Long(song9)"),
        ("Ada or Ben is tall.", "Tall(ada) ∨ Tall(ben)"),
        ("At least two cats purr.", "∃x ∃y (Cat(x) ∧ Purr(x) ∧ Cat(y) ∧ Purr(y) ∧ x ≠ y)"),
        ("At most two cats purr.", "∀x ∀y ∀z (Purr(x) ∧ Purr(y) ∧ Purr(z) → x = y ∨ x = z ∨ y = z)"),
        ("Tom is the only cat.", "Cat(tom) ∧ ∀x (Cat(x) → x = tom)"),
        ("Nothing but cats purrs.", "∀x (Purr(x) → Cat(x))"),
        ("Neither Ada nor anything that sings is tall.", "¬Tall(ada) ∧ ∀x (Sing(x) → ¬Tall(x))"),
        ("Ada sings if and only if Ben sings.", "Sing(ada) ↔ Sing(ben)"),
        ("An orphan is a child who has no parents.", "∀x (Child(x) ∧ ¬∃y ParentOf(y, x) ↔ Orphan(x))"),
        ("If Ada sings, then Ben dances.", "Sing(ada) → Dance(ben)"),
        ("A key is required to enter.", "∀x (Enter(x) → HasKey(x))"),
        ("The firm was founded in 1931.", "FoundedIn(firm, y1931)"),
        ("There are no cats that bark.", "∀x (Cat(x) → ¬Bark(x))"),
    ],
)
def test_lint_passes_correct_formulas(text: str, formula: str) -> None:
    assert found(text, formula, level=Level.BALANCED) == set()


def test_near_name_rule_compares_spelling_only() -> None:
    assert "near_name" in found("Ada sings.", "sing(ada)", ("Ben sings.", "Sing(ben)"), ("Eve sings.", "Sing(eve)"))
    plans = ("If it is plan B, it is dear.", "∀x (PlanB(x) → Dear(x))")
    assert found("It is plan A.", "PlanA(it)", plans, ("It is plan B.", "PlanB(it)")) == set()
    vertebrates = ("No invertebrate has a spine.", "∀x (Invertebrate(x) → ¬Spine(x))")
    assert found("Rex is a vertebrate.", "Vertebrate(rex)", vertebrates) == set()


def test_negation_rule_accepts_symbols_expressing_denial() -> None:
    other = ("People with no siblings are quiet.", "∀x (OnlyChild(x) → Quiet(x))")
    assert found("Ada grew up with no siblings.", "OnlyChild(ada)", other) == set()


def test_contradiction_rule_ignores_conclusions() -> None:
    stated = [("Tux swims.", "Swim(tux)"), ("Tux does not swim.", "¬Swim(tux)")]
    both = [Statement(str(place), *pair) for place, pair in enumerate(stated)]
    assert {finding.rule.name for finding in lint(Story(both))} == {"contradiction"}
    asked = [both[0], Statement("1", *stated[1], is_conclusion=True)]
    assert list(lint(Story(asked))) == []


@given(
    st.sampled_from(
        ["∀x (Cat(x) → Purr(x))", "∃x (Cat(x) ∧ ¬Purr(x))", "Cat(tom) ∨ ¬Purr(tom)", "∃x (Cat(x) → Purr(x))"]
    ),
    st.sampled_from(
        ["∀x (Cat(x) → Purr(x))", "∀x (Purr(x) → Cat(x))", "Purr(tom) → Cat(tom)", "∃x (Cat(x) → Purr(x))"]
    ),
)
def test_english_rule_suggests_formula_read_from_text(said: str, written: str) -> None:
    statement = Statement("0", render(parse(said), ANIMALS), written)
    findings = list(lint(Story([statement], ANIMALS)))
    same = parse(said) is parse(written) or {said, written} == {"Cat(tom) ∨ ¬Purr(tom)", "Purr(tom) → Cat(tom)"}
    meant = [finding.suggestion for finding in findings if finding.rule.name == "english"]
    assert meant == [parse(said)] * (not same)


def test_lint_levels_are_nested() -> None:
    assert [[one in other for one in Level] for other in Level] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert all(0 < rule.confidence < 1 for rule in RULES.values())
    assert RULES["exists_over_implication"].confidence > 0.8 > RULES["redundant"].confidence


@pytest.mark.parametrize("text", ["", "((((", "x" * 30_000, "\ud800 ∧", "¬" * 5_000 + "P(a)"])
def test_lint_survives_any_text(text: str) -> None:
    assert isinstance(found("Ada is tall.", text), set)
    assert isinstance(found(text, "Tall(ada)"), set)


SHIFTED = [
    ("Rex is a dog.", "Dog(rex)"),
    ("All cats purr.", "Swim(tux)"),
    ("Tux swims.", "∃x (Tall(x) → Old(x))"),
    ("Some tall things are old.", "Loud(ben)"),
    ("Ben is loud.", ""),
]


def test_shifted_formulas_are_one_finding_beside_faults_of_form() -> None:
    story = Story([Statement(str(place), *pair) for place, pair in enumerate(SHIFTED)])
    findings = {(finding.rule.name, finding.statement.id): finding.message for finding in lint(story, Level.ALL)}
    assert list(findings) == [("exists_over_implication", "2"), ("shifted", "2"), ("unreadable", "4")]
    assert "from here to 4 each sentence fits the formula before" in findings["shifted", "2"]


@pytest.mark.parametrize(
    "pairs",
    [
        [("Rex is a dog.", "∀x (Cat(x) → Purr(x))"), ("All cats purr.", "Dog(rex)"), ("Tux swims.", "Swim(tux)")],
        [("Rex is a dog.", "Dog(rex)"), ("He is loud.", "Loud(rex)"), ("So he purrs.", "Purr(rex)")],
        [("Rex is a dog.", "P(a)"), ("All cats purr.", "Q(a)"), ("Tux swims.", "R(a)")],
        [("Rex is a dog.", "Dog(rex)")] * 3,
        [],
    ],
)
def test_exchanged_or_unnamed_formulas_are_not_shifted(pairs: list[tuple[str, str]]) -> None:
    assert Story([Statement(str(place), *pair) for place, pair in enumerate(pairs)]).shifted == ((), 0)
