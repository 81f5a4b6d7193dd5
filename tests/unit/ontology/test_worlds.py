import pytest

from nlfol.logic.structures import Structure
from nlfol.ontology.ontology import ConstantSymbol, FunctionSymbol, Ontology, Predicate, describe_world

ONTOLOGY = Ontology(
    (
        Predicate("Cube", 1, "{} is a cube", "{} is not a cube"),
        Predicate("Rain", 0, "it is raining", "it is not raining"),
        Predicate("Wet", 0, "the street is wet", "the street is dry"),
        Predicate("LeftOf", 2, "{} is to the left of {}", "{} is not to the left of {}"),
    ),
    (FunctionSymbol("twin", 1, "the twin of {}"),),
    (ConstantSymbol("a", "a"), ConstantSymbol("b", "b")),
)


@pytest.mark.parametrize(
    ("structure", "told"),
    [
        (
            Structure(2, {"a": 0}, {}, {"Cube": frozenset({(0,)}), "LeftOf": frozenset({(1, 0)})}),
            "a world of two things (a, thing 2): a is a cube; thing 2 is to the left of a",
        ),
        (
            Structure(1, {"a": 0, "b": 0}, {}, {"Cube": frozenset({(0,)})}),
            "a world of one thing (a = b): a = b is a cube",
        ),
        (
            Structure(2, {}, {}, {"Cube": frozenset({(0,), (1,)})}),
            "a world of two things (thing 1, thing 2): everything is a cube",
        ),
        (
            Structure(1, {}, {}, {"Cube": frozenset()}),
            "a world of one thing (thing 1): none of the predicates holds of anything",
        ),
        (
            Structure(2, {"a": 0}, {"twin": {(0,): 1, (1,): 0}}, {}),
            "a world of two things (a, thing 2): the twin of a is thing 2; the twin of thing 2 is a",
        ),
        (
            Structure(1, {}, {}, {"Rain": frozenset({()}), "Wet": frozenset()}),
            "a world in which it is raining; the street is dry",
        ),
        (
            Structure(2, {}, {}, {"Cube": frozenset({(0,), (1,)}), "Rain": frozenset({()}), "Wet": frozenset()}),
            "a world of two things (thing 1, thing 2): everything is a cube; it is raining; the street is dry",
        ),
        (
            Structure(1, {}, {}, {"Cube": frozenset(), "Rain": frozenset()}),
            "a world of one thing (thing 1): none of the predicates holds of anything; it is not raining",
        ),
    ],
)
def test_worlds_are_told_by_glosses(structure: Structure, told: str) -> None:
    assert describe_world(structure, ONTOLOGY) == told
