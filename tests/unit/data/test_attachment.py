from collections.abc import Callable
from typing import Any

import pytest

from nlfol.data.attachment import attach as attach_rows
from nlfol.data.reason import STEPS, Reason, funnel, refusals
from nlfol.data.sentences import Sentence
from nlfol.logic.ontology.files import Ontologies
from nlfol.logic.ontology.ontology import ConstantSymbol, Ontology, Predicate
from nlfol.logic.reading import parse

attach: Callable[..., list[Any]] = attach_rows

TALL = Predicate("Tall", 1, "{} is tall", "{} is not tall")
ANN, BOB = ConstantSymbol("ann", "Ann"), ConstantSymbol("bob", "Bob")
SHARED = Ontology((TALL,), (), (ANN, BOB))


def rows(*formulas: tuple[str, str]) -> list[Any]:
    sentences = [
        Sentence.of(story, index, "A sentence.", formula, parse(formula))
        for index, (story, formula) in enumerate(formulas)
    ]
    refused = Sentence.of("s", 99, "", "", reason=Reason.EMPTY_TEXT, detail="empty")
    return [sentence.to_row() for sentence in (*sentences, refused)]


def reasons(triples: list[Any]) -> list[str | None]:
    return [triple["reason"] for triple in triples]


def test_shared_ontology_is_attached_unabridged_and_uncopied() -> None:
    triples = attach(rows(("s", "Tall(ann)"), ("t", "Tall(bob)")), Ontologies("", SHARED))
    assert reasons(triples) == [None, None, "empty_text"]
    assert all(triple["ontology"] == SHARED.to_row() for triple in triples)
    assert triples[0]["ontology"] is triples[1]["ontology"], "a copy for each row is memory for rows times symbols"


def test_story_ontology_is_attached_by_story() -> None:
    ontologies = Ontologies("", by_story={"s": Ontology((TALL,), (), (ANN,))})
    triples = attach(rows(("s", "Tall(ann)"), ("s", "Tall(bob)"), ("u", "Tall(ann)")), ontologies)
    assert reasons(triples) == [None, "unknown_symbol", "no_ontology", "empty_text"]
    assert "'bob'" in triples[1]["detail"]
    assert "'u'" in triples[2]["detail"]
    assert triples[2]["ontology"] is None


@pytest.mark.parametrize(
    ("formula", "reason"),
    [("Tall(ann, bob)", "wrong_arity"), ("Short(ann)", "unknown_symbol"), ("Tall(tall(ann))", "unknown_symbol")],
)
def test_uncovered_formulas_are_refused_with_reason(formula: str, reason: str) -> None:
    triple = attach(rows(("s", formula)), Ontologies("", SHARED))[0]
    assert (triple["status"], triple["reason"]) == ("refused", reason)
    assert "correct the formula" in triple["detail"]


def test_misspelt_symbol_detail_suggests_nearest_symbol() -> None:
    misspelt, _ = attach(rows(("s", "Tal(ann)")), Ontologies("", SHARED))
    assert "Tal" in misspelt["detail"]
    assert "(did you mean Tall?)" in misspelt["detail"]
    wrong, _ = attach(rows(("s", "Tall(ann, ann)")), Ontologies("", SHARED))
    assert "did you mean" not in wrong["detail"]


def test_ontology_is_derived_story_by_story() -> None:
    triples = attach(rows(("s", "P(ann)"), ("s", "Q(ann)"), ("t", "P(ann, bob)")), None)
    assert reasons(triples) == [None, None, None, "empty_text"]
    first, _, third, _ = (Ontology.from_row(triple["ontology"]) for triple in triples)
    assert first.derived
    assert [p.name for p in first.predicates] == ["P", "Q"]
    assert [(p.name, p.arity) for p in third.predicates] == [("P", 2)]


def test_story_with_two_arities_is_refused_derived_ontology() -> None:
    triples = attach(rows(("s", "P(ann)"), ("s", "P(ann, bob)"), ("t", "P(ann)")), None)
    assert reasons(triples) == ["arity_conflict", "arity_conflict", None, "empty_text"]
    assert triples[0]["ontology"] is None


@pytest.mark.parametrize(
    "formulas", [("Q(P)", "P(ann)", "P(bob)", "Q(ann)", "P(ann, bob)"), ("Q(a)", "Q(P)", "R(P)", "Q(b)", "R(P(b))")]
)
def test_arity_conflict_names_conflicting_rows(formulas: tuple[str, ...]) -> None:
    triples = attach(rows(*(("s", formula) for formula in formulas)), None)
    assert {triple["detail"] for triple in triples if triple["reason"] == "arity_conflict"} == {triples[0]["detail"]}
    assert triples[0]["detail"].endswith("(s:1, s:4); give each use a name of its own")


@pytest.mark.parametrize(
    ("formulas", "place"), [(("P(f, f(ann))", "Q(ann)"), "s:0"), (("P(f)", "Q(f(ann))"), "s:0, s:1")]
)
def test_story_with_name_as_function_and_constant_is_refused(formulas: tuple[str, str], place: str) -> None:
    triples = attach(rows(("s", formulas[0]), ("s", formulas[1]), ("t", "P(ann)")), None)
    assert reasons(triples) == ["arity_conflict", "arity_conflict", None, "empty_text"]
    assert triples[0]["detail"] == (
        f"story 's': 'f' is used as a function and as a constant ({place}); give each use a name of its own"
    )


def test_funnel_counts_only_steps_that_remove_rows() -> None:
    sentences = rows(("s", "Tall(ann)"), ("s", "Short(ann)"), ("u", "Short(bob)"))
    triples = attach(sentences, Ontologies("", SHARED))
    assert funnel(sentences, triples) == [
        {"step": "as read", "stories": 2, "sentences": 4},
        {"step": "with a sentence, each symbol of one arity", "stories": 2, "sentences": 3},
        {"step": "covered by an ontology", "stories": 1, "sentences": 1},
        {"step": "usable", "stories": 1, "sentences": 1},
    ]
    assert funnel(sentences)[-1] == {"step": "usable", "stories": 2, "sentences": 3}
    assert refusals(triples) == {"empty_text": 1, "unknown_symbol": 2}


def test_refusal_reasons_map_to_single_funnel_step() -> None:
    assert sorted(reason for _, reasons in STEPS for reason in reasons) == sorted(Reason)


def test_funnel_rejects_unknown_reasons() -> None:
    with pytest.raises(ValueError, match="whim"):
        funnel([{"story": "s", "item": "s:0", "reason": "whim"}])
