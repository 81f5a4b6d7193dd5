"""The candidate sets of whole datasets, checked again from their rows."""

import json
from collections import Counter

import pytest
from tests.unit.logic import corpora
from tests.unit.sets.recheck import recheck

from nlfol.logic.errors import LogicError
from nlfol.logic.measuring import free_variables, predicates
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Atom, Equality, ExclusiveOr, Formula, Not, distinct_subformulas
from nlfol.randomness import generator
from nlfol.sets.audited import Plan, most_similar_set, ranking_set
from nlfol.sets.sets import CandidateError, candidate_rows

FOLIO = corpora.SHARED / "folio/folio-train.jsonl"

TASKS = {"most_similar": (most_similar_set, Plan(8)), "ranking": (ranking_set, Plan(3))}


def checked(formulas: list[Formula], task: str, seed: int) -> tuple[Counter[str], dict[Formula, str]]:
    make, plan = TASKS[task]
    means: Counter[str] = Counter()
    refused = {}
    for formula in formulas:
        try:
            made = make(formula, derive([formula]), plan, generator(seed, str(formula), task))
        except CandidateError as error:
            refused[formula] = error.reason
        else:
            assert made[0].formula is formula
            means += recheck(candidate_rows(made), plan)
    return means, refused


def is_literal(formula: Formula) -> bool:
    return isinstance(formula.operand if isinstance(formula, Not) else formula, Atom | Equality)


@pytest.mark.parametrize("seed", [3, 12, 26])
@pytest.mark.parametrize("task", TASKS)
def test_tarski_sentences_have_fair_sets_under_every_seed(task: str, seed: int) -> None:
    means, refused = checked(list(map(parse, corpora.tarski())), task, seed)
    assert means["finite_structure"] > 1_000
    assert not refused


@pytest.fixture(scope="module")
def folio() -> list[Formula]:
    if not FOLIO.exists():
        pytest.skip("FOLIO v0.0 is not at hand: ../shared/data/folio/folio-train.jsonl")
    found: dict[Formula, None] = {}
    with FOLIO.open(encoding="utf-8") as lines:
        for text in (text for line in lines for text in json.loads(line)["premises-FOL"]):
            try:
                formula = parse(text)
                predicates(formula)
            except LogicError:
                continue
            if not free_variables(formula) and not any(
                isinstance(node, ExclusiveOr) for node in distinct_subformulas(formula)
            ):
                found[formula] = None
    return list(found)


@pytest.mark.parametrize("task", TASKS)
def test_folio_premises_have_fair_set_or_refusal_reason(folio: list[Formula], task: str) -> None:
    means, refused = checked(folio, task, 20260119)
    assert len(folio) > 1_450
    assert means["finite_structure"] > 10_000
    literals = {formula for formula in folio if is_literal(formula)}
    if task == "most_similar":
        assert Counter(refused.values()) == {"unsatisfiable": 1}
    else:
        assert {formula for formula, reason in refused.items() if reason == "too_few_perturbations"} == literals
        assert Counter(refused.values()) - Counter(too_few_perturbations=len(literals)) == {"unsatisfiable": 1}
