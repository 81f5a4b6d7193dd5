import pytest

from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits
from nlfol.logic.structures import holds
from nlfol.logic.syntax import And, Formula, Not
from nlfol.sets.separation import Separation, is_varied, truth_vector


def vectors(formulas: list[Formula]) -> dict[Formula, int]:
    return {formula: vector for formula in formulas if (vector := truth_vector(formula)) is not None}


def test_separation_distinguishes_edits_with_few_structures() -> None:
    gold = parse("∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))")
    known = vectors([gold, *(edit.formula for edit in edits(gold))])
    different = {vector: formula for formula, vector in known.items()}
    assert len(different) > 10
    separation = Separation(known)
    found = set()
    for first in different.values():
        for second in different.values():
            if first is not second:
                structure = separation.between(first, second)
                assert holds(first, structure) != holds(second, structure)
                found.add(id(structure))
    assert len(found) <= 8


def test_separation_rejects_equal_vectors() -> None:
    first, second = parse("Cube(a) ∧ Small(a)"), parse("Small(a) ∧ Cube(a)")
    with pytest.raises(ValueError, match="no structure of the family tells"):
        Separation(vectors([first, second])).between(first, second)


def test_separation_handles_deep_formulas() -> None:
    deep = parse("Cube(a)")
    for _ in range(4_000):
        deep = And(Not(deep), parse("Small(a)"))
    other = parse("Tet(a)")
    structure = Separation(vectors([deep, other])).between(deep, other)
    assert holds(deep, structure) != holds(other, structure)


def test_is_varied_rejects_valid_and_unsatisfiable_formulas() -> None:
    assert is_varied(truth_vector(parse("Cube(a)")))
    assert not is_varied(truth_vector(parse("Cube(a) ∨ ¬Cube(a)")))
    assert not is_varied(truth_vector(parse("Cube(a) ∧ ¬Cube(a)")))
    assert not is_varied(None)


def test_separation_detects_contradicted_truth_vector() -> None:
    first, second = parse("Cube(a)"), parse("∃x Tet(x)")
    known = vectors([first, second])
    with pytest.raises(AssertionError, match="bit-parallel and plain truth differ on"):
        Separation({first: known[second], second: known[first]})
