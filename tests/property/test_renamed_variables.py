"""Names of bound variables change no score."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import examples
from tests.examples import CATS, said
from tests.property.strategies import closed_formulas
from tests.unit.extras.test_ontology_extraction import SYMBOLS, answer, own
from tests.unit.tasks.problem_items import item as problem_item
from tests.unit.tasks.problem_items import lines, replied, task

from nlfol.facts import Role
from nlfol.logic.equivalence import equivalence
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import with_standard_variables
from nlfol.logic.syntax import Formula
from nlfol.sets.sets import Candidate
from nlfol.tasks.logical_translation import LogicalTranslation, LogicalTranslationEntry
from nlfol.tasks.plan import Reply
from nlfol.tasks.round_trip import RoundTrip, RoundTripEntry
from nlfol.tasks.task import Judgement

NAMES = (
    *("x", "y", "z1", "u", "a", "b", "c", "d", "p", "s", "X", "Y", "E", "ANN", "Var1", "Cube", "Larger"),
    *("block", "some_block", "tom", "mia", "é", "ξ", "名", "Ж", "𝑥", "or", "not", "exists", "there"),
)
"""The usual ones, names of constants and of predicates, capitals as in TPTP and Prolog, other alphabets, words."""

GOLD = "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))"
ANSWERS = (
    *(GOLD, "∀{0} ∃{1} (Cube({0}) → Tet({1}) ∧ Larger({0}, {1}))", "∀{0} (Cube({0}) → ∃{1} Larger({0}, {1}))"),
    *("¬∃{0} (Cube({0}) ∧ ∀{1} ¬(Tet({1}) ∧ Larger({0}, {1})))", "∀{0} ∀{1} (Cube({0}) → Larger({1}, {0}))"),
    *("∀{1} ∃{0} (Cube({1}) → Tet({0}) ∧ Larger({1}, {0}))", "∀{0} (Cube({0}) → Small({0})) ∧ ∃{0} Tet({0})"),
    *("∀{0} Small({0}) ∧ ∀{1} Small({1}) ∧ Small(mia)", "![{0},{1}]: (Cube({0}) => (Tet({1}) & Larger({0},{1})))"),
)
BLOCKS = derive([parse(GOLD), parse("Small(e) ∧ Small(mia) ∧ Cube(b) ∧ Cube(a) ∧ Cube(c) ∧ Cube(d)")])
ITEM = examples.item(GOLD, "Every cube is larger than some tetrahedron.", ontology=BLOCKS)
READINGS = replace(ITEM, readings=(GOLD, "∀x ∃y (Cube(x) → Larger(x, y))"))
EDITED = examples.item(
    GOLD, "In English.", [Candidate(parse(GOLD), "", Role.GOLD), Candidate(parse("∃x Cube(x)"), "", Role.ORIGINAL)],
    ontology=BLOCKS,
)  # fmt: skip
CHASED = examples.item("∀x (Cat(x) → ∃y (Mouse(y) ∧ Chases(x, y)))", "Every cat chases some mouse.")
OWN = ("∀{0} (Feline({0}) → ∃{1} (Prey({1}) ∧ FleesFrom({1}, {0})))", "∀{0} ∀{1} (Feline({0}) → FleesFrom({1}, {0}))")
RULES = ("∀{0} (Cat({0}) → Purrs({0}))", "∀{0} (Cat({0}) → ¬Purrs({0}))", "∀{0} ∃{1} (Cat({1}) ∧ Purrs({0}))")


def translated(formula: str) -> Sequence[Judgement]:
    reply, edited = Reply("", "answered", said(formula)), LogicalTranslationEntry(english="edited")
    return [
        *(LogicalTranslation().judge(item, [reply]) for item in (ITEM, READINGS)),
        LogicalTranslation(edited).judge(EDITED, [reply]),
    ]


def tripped(formula: str) -> Sequence[Judgement]:
    given = [Reply("informalization", "answered", said(ITEM.text)), Reply("formalization", "answered", said(formula))]
    return RoundTrip(RoundTripEntry(rounds=2)).judgements(ITEM, given * 2)


def extracted(formula: str) -> Sequence[Judgement]:
    return [own("sentence").judge(CHASED, [Reply("", "answered", answer(formula, SYMBOLS))])]


def executed(formula: str) -> Sequence[Judgement]:
    asked = task()
    program = lines(formula, "Cat(tom)", query="Purrs(tom)")
    return [asked.judge(problem_item(CATS, asked), [replied(program)])]


def outcome(judged: Judgement) -> tuple[object, ...]:
    same = judged.outcome, judged.verdict, judged.on_boards, judged.relation, judged.fault
    return {**judged.scores}, *same


@pytest.mark.parametrize(
    ("judged", "answers"), [(translated, ANSWERS), (tripped, ANSWERS), (extracted, OWN), (executed, RULES)]
)
@given(data=st.data(), names=st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
@settings(max_examples=60, deadline=None)
def test_scores_are_invariant_under_variable_renaming(
    judged: Callable[[str], Sequence[Judgement]], answers: Sequence[str], data: st.DataObject, names: list[str]
) -> None:
    written = data.draw(st.sampled_from(answers))
    usual, renamed = (judged(written.format(*given)) for given in (("x", "y"), names))
    assert [*map(outcome, renamed)] == [*map(outcome, usual)]


@given(closed_formulas(), st.permutations(["x", "y", "z", "e", "Q1", "a1"]))
@settings(max_examples=150, deadline=None)
def test_standard_variables_preserve_meaning_and_normalize_renamings(formula: Formula, names: list[str]) -> None:
    standard = with_standard_variables(formula)
    assert equivalence(formula, standard).outcome == "equivalent"
    new = dict(zip(("x", "y", "z"), names, strict=False))
    renamed = parse("".join(new.get(sign, sign) for sign in str(formula)))
    assert with_standard_variables(renamed) is standard
