"""Evidence on how many typed edits an answer is from gold."""

import pytest

from nlfol.logic import parse
from nlfol.logic.ontology.derivation import derive
from nlfol.tasks.explaining import Evidence, Pair, explain
from nlfol.tasks.meanings import PairKind

GOLD = "∀x (Cube(x) ∧ (∃y Left(x, y)) → Small(x))"


def explained(answer: str) -> Evidence:
    ontology = derive([parse(GOLD)])
    return explain(Pair(PairKind.TRANSLATION, "first_order", GOLD, answer, ontology, "not_equivalent"))


@pytest.mark.parametrize(
    ("answer", "distance", "edits", "fault"),
    [
        ("∃x (Cube(x) ∧ (∃y Left(x, y)) → Small(x))", "off_by_one", "quantifier (∀ to ∃)", "quantifier"),
        ("∀x (Cube(x) → Small(x))", "off_by_one", "dropped (∃y Left(x, y))", "missing"),
        ("∃x (Cube(x) ∧ (∃y Left(x, y)) ∧ Small(x))", "off_by_one", "determiner", "determiner"),
        (
            "∃x (Cube(x) ∧ (∃y Left(x, y)) → ¬Small(x))",
            "off_by_two",
            "quantifier (∀ to ∃); negation",
            None,
        ),
        ("∀x (Small(x) ∧ (∃y Left(x, y)) → Small(x))", "trivial", None, "predicate"),
        ("∃x Tet(x)", "further", None, None),
    ],
)
def test_evidence_names_edits(answer: str, distance: str, edits: str | None, fault: str | None) -> None:
    evidence = explained(answer)
    assert (evidence.distance, evidence.edits, evidence.fault) == (distance, edits, fault)
