from nlfol.candidates.certificates import Certificate, structure_from_json, structure_to_json
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.reading import parse
from nlfol.logic.structures import Structure

STRUCTURE = Structure(
    2,
    {"b": 1, "a": 0},
    {"mother": {(1,): 0, (0,): 1}},
    {"Larger": frozenset({(1, 0), (0, 0)}), "Cube": frozenset()},
)
TEXT = (
    '{"constants":{"a":0,"b":1},"functions":{"mother":[[[0],1],[[1],0]]},'
    '"predicates":{"Cube":[],"Larger":[[0,0],[1,0]]},"size":2}'
)


def test_a_structure_is_one_text() -> None:
    assert structure_to_json(STRUCTURE) == TEXT
    assert structure_from_json(TEXT) == STRUCTURE


def test_a_verdict_is_a_certificate_with_its_counter_model_or_without() -> None:
    first, second = parse("∀x Cube(x)"), parse("∃x Cube(x)")
    different = Certificate.of(3, equivalence(first, second))
    assert (different.to, different.verdict) == (3, Outcome.NOT_EQUIVALENT)
    assert different.counter_model is not None
    proven = Certificate.of(0, equivalence(first, parse("¬∃x ¬Cube(x)")))
    assert (proven.verdict, proven.counter_model) == (Outcome.EQUIVALENT, None)
