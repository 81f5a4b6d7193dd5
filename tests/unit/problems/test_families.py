"""Problems drawn by seed: what they are, and what second engines say of them."""

import subprocess
import sys
from collections import Counter

import pytest
from tests.examples import ROOT
from tests.unit.problems.judges import label

from nlfol.problems import Evidence, Lexicon, Problem
from nlfol.problems.families import FAMILIES, generate
from nlfol.problems.families.drawing import FamilyError
from nlfol.problems.gold import derived, program
from nlfol.problems.programs import execute

COUNTS = {"rules": 300, "taxonomy": 300, "order": 200, "proofs": 200, "premises": 60}


@pytest.fixture(scope="module")
def drawn(lexicon: Lexicon) -> dict[str, list[Problem]]:
    return {family: generate(family, seed=1, count=count, lexicon=lexicon) for family, count in COUNTS.items()}


@pytest.mark.parametrize("family", FAMILIES)
def test_second_engine_confirms_family_labels(family: str, drawn: dict[str, list[Problem]]) -> None:
    problems = drawn[family]
    assert all(problem.is_usable for problem in problems)
    assert [label(problem) for problem in problems] == [problem.answer for problem in problems]


@pytest.mark.parametrize("family", FAMILIES)
def test_problem_derives_from_its_text_alone(family: str, drawn: dict[str, list[Problem]]) -> None:
    for problem in drawn[family][::10]:
        assert derived(problem) == problem
        assert execute(str(problem.language), program(problem), problem.lettered).answer == problem.answer


def test_question_mentions_follow_its_opening(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    for family in ("rules", "taxonomy", "proofs", "premises"):
        for problem in drawn[family]:
            question = problem.question
            assert question.mentions
            for start, end, concept, form in question.mentions:
                said = lexicon.concepts[concept].forms[form]
                assert question.text[start:end] in (said.singular, said.plural)


def test_premises_family_shares_formulas_with_proofs(drawn: dict[str, list[Problem]]) -> None:
    for one, other in zip(drawn["proofs"], drawn["premises"], strict=False):
        assert [each.line for each in one.sentences] == [each.line for each in other.sentences]
        assert (one.answer, one.evidence, one.depth) == (other.answer, other.evidence, other.depth)
        assert not any(" x" in each.text for each in other.sentences)


def test_labels_are_balanced_and_depths_match_request(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    assert Counter(each.answer for each in drawn["rules"]) == {"A": 100, "B": 100, "C": 100}
    assert Counter(each.answer for each in drawn["taxonomy"]) == {"A": 150, "B": 150}
    assert Counter(each.depth for each in drawn["rules"]) == dict.fromkeys(range(1, 6), 60)
    assert Counter(each.depth for each in drawn["taxonomy"]) == dict.fromkeys(range(1, 6), 60)
    assert Counter(each.depth for each in drawn["order"]) == dict.fromkeys(range(1, 6), 40)
    proven = Counter(each.depth for each in drawn["proofs"] if each.evidence is Evidence.PROOF)
    assert set(proven) == {2, 3, 4}
    for depth in (1, 5):
        among = Counter(each.answer for each in drawn["rules"] if each.depth == depth)
        assert among == {"A": 20, "B": 20, "C": 20}
    assert {each.depth for each in generate("rules", seed=1, count=30, depths=(0, 0), lexicon=lexicon)} == {0}
    assert {each.depth for each in generate("order", seed=1, count=6, depths=(6, 6), lexicon=lexicon)} == {6}


def test_right_option_positions_are_balanced(drawn: dict[str, list[Problem]], lexicon: Lexicon) -> None:
    for size in (3, 5, 7):
        for depth in range(1, min(size, 6)):
            alike = [each for each in drawn["order"] if (len(each.options), each.depth) == (size, depth)]
            counts = Counter(each.answer for each in alike)
            assert max(counts.values()) - min(counts["ABCDEFG"[place]] for place in range(size)) <= 1
    for depths in ((1, 2), (1, 5), (3, 3)):
        few = generate("order", seed=1, count=6, depths=depths, lexicon=lexicon)
        assert len({each.answer for each in few}) >= 3


@pytest.mark.parametrize("family", FAMILIES)
def test_family_draws_all_depths(family: str, lexicon: Lexicon) -> None:
    least, most = FAMILIES[family].depths
    for seed in (1, 20260119):
        for depth in (least, most):
            found = generate(family, seed=seed, count=3, depths=(depth, depth), lexicon=lexicon)
            assert all(each.is_usable for each in found)


def test_question_uses_only_statement_concepts(drawn: dict[str, list[Problem]]) -> None:
    for family in ("rules", "taxonomy", "proofs"):
        for problem in drawn[family]:
            said = {mention.concept for statement in problem.statements for mention in statement.mentions}
            assert {mention.concept for mention in problem.question.mentions} <= said


def test_question_negation_is_independent_from_answer(drawn: dict[str, list[Problem]]) -> None:
    for family in ("rules", "taxonomy"):
        denied = Counter(each.answer for each in drawn[family] if "False" in str(each.question.line))
        asked = Counter(each.answer for each in drawn[family])
        assert all(0.35 < denied[answer] / asked[answer] < 0.65 for answer in asked)


def test_generated_problems_differ_and_depend_on_seed_and_number(lexicon: Lexicon) -> None:
    for family in FAMILIES:
        several = generate(family, seed=3, count=12, lexicon=lexicon)
        assert several[5:8] == generate(family, seed=3, count=3, first=5, lexicon=lexicon)
        assert several != generate(family, seed=4, count=12, lexicon=lexicon)
        assert len({problem.context for problem in several}) == 12


def test_generated_problems_are_independent_from_hash_seed() -> None:
    code = (
        "from nlfol.problems import read_lexicon; from nlfol.problems.families import generate, FAMILIES;"
        "print([p.to_row() for f in FAMILIES for p in generate(f, seed=1, count=6, lexicon=read_lexicon())])"
    )
    environments = [{"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "workflow/scripts")} for seed in ("1", "2")]
    found = [
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=each, capture_output=True, text=True, check=True)
        for each in environments
    ]
    assert found[0].stdout == found[1].stdout
    assert len(found[0].stdout) > 1000


def test_generator_rejects_impossible_requests(lexicon: Lexicon) -> None:
    with pytest.raises(FamilyError, match="use one of rules, taxonomy, order, proofs, premises"):
        generate("puzzles", seed=1, count=1, lexicon=lexicon)
    with pytest.raises(FamilyError, match="use some from 1 to 8"):
        generate("taxonomy", seed=1, count=1, depths=(1, 9), lexicon=lexicon)
    with pytest.raises(FamilyError, match="depths 3 to 2"):
        generate("rules", seed=1, count=1, depths=(3, 2), lexicon=lexicon)
