"""Candidate sets checked again, from the rows of their file alone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from nlfol.facts import Role
from nlfol.logic.equivalence import equivalence
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import is_negation_normal_form
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Not
from nlfol.sets.audited import Plan

Row = Mapping[str, Any]


@lru_cache(maxsize=10_000)
def _true(formula: str, structure: str) -> bool:
    return holds(parse(formula), Structure.from_json(structure))


def recheck(members: Sequence[Row], plan: Plan) -> Counter[str]:
    """Assert of a certified set all that it must be; how many relations were proven by which means."""
    roles = [member["role"] for member in members]
    formulas = [member["formula"] for member in members]
    assert roles[0] == "gold"
    assert roles.count("gold") == 1
    assert roles == sorted(roles, key=list(Role).index)
    assert plan.minimum <= roles.count("perturbation") <= plan.perturbations
    assert len(set(formulas)) == len({member["english"] for member in members}) == len(members)
    means: Counter[str] = Counter()
    proven: dict[frozenset[int], str] = {}
    for place, member in enumerate(members):
        assert member["edits"] == (len(member["change"]) if member["role"] == "perturbation" else 0)
        assert len(member["change"]) == len(member["path"])
        for certificate in member["certificates"]:
            other = formulas[certificate["to"]]
            structure = certificate["counter_model"]
            if structure is not None:
                assert certificate["verdict"] == "not_equivalent"
                assert _true(member["formula"], structure) != _true(other, structure)
            else:
                # A proof; of inequivalence only where no finite structure is known.
                assert certificate["means"] != "finite_structure"
                assert equivalence(parse(other), parse(member["formula"])).outcome == certificate["verdict"]
            proven[frozenset({place, certificate["to"]})] = certificate["verdict"]
            means[certificate["means"]] += 1
    assert proven == _needed(roles)
    for member in members:
        if member["role"] == "negation_normal_form":
            assert is_negation_normal_form(parse(member["formula"]))
        if member["role"] == "negation":
            assert parse(member["formula"]) is Not(parse(formulas[0]))
    return means


def _needed(roles: Sequence[str]) -> dict[frozenset[int], str]:
    apart = [place for place, role in enumerate(roles) if role in ("gold", "perturbation")]
    negation = [place for place, role in enumerate(roles) if role == "negation"]
    needed = {frozenset({a, b}): "not_equivalent" for a in apart for b in apart if a < b}
    needed |= {frozenset({a, b}): "not_equivalent" for a in apart if a for b in negation}
    for place, role in enumerate(roles):
        if role == "equivalent":
            needed[frozenset({0, place})] = "equivalent"
        elif role in ("negation_normal_form", "negation_equivalent"):
            needed[frozenset({negation[0], place})] = "equivalent"
    return needed
