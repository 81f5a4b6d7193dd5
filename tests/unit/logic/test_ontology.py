import pytest

from nlfol.logic.errors import SignatureError
from nlfol.logic.ontology.derivation import derive, words
from nlfol.logic.ontology.ontology import (
    ConstantSymbol,
    FunctionSymbol,
    Ontology,
    OntologyError,
    Predicate,
    describe_world,
)
from nlfol.logic.reading import parse
from nlfol.logic.structures import Structure

LOVES = Predicate("Loves", 2, "{} loves {}", "{} does not love {}")
HAPPY = Predicate("Happy", 1, "{} is happy", "{} is not happy")
MOTHER = FunctionSymbol("mother", 1, "the mother of {}")
JOHN, MARY = ConstantSymbol("john", "John"), ConstantSymbol("mary", "Mary")
ONTOLOGY = Ontology((LOVES, HAPPY), (MOTHER,), (MARY, JOHN))


def test_ontology_sorts_symbols() -> None:
    assert ONTOLOGY.predicates == (HAPPY, LOVES)
    assert ONTOLOGY.constants == (JOHN, MARY)
    assert Ontology((HAPPY, LOVES), (MOTHER,), (JOHN, MARY)) == ONTOLOGY


def test_ontology_signature_lists_symbols_with_arity() -> None:
    signature = ONTOLOGY.signature()
    assert signature.predicates == {"Happy": 1, "Loves": 2}
    assert signature.functions == {"mother": 1}
    assert signature.constants == {"john", "mary"}


@pytest.mark.parametrize(
    ("formula", "symbol"),
    [("Sad(john)", "Sad"), ("Loves(john)", "Loves"), ("Happy(bill)", "bill"), ("Happy(father(john))", "father")],
)
def test_ontology_check_names_unknown_symbol(formula: str, symbol: str) -> None:
    ONTOLOGY.check(parse("∀x (Loves(x, mother(john)) → Happy(mary))"))
    with pytest.raises(SignatureError, match=symbol) as caught:
        ONTOLOGY.check(parse(formula))
    assert caught.value.symbol == symbol


def test_ontology_row_round_trips() -> None:
    row = ONTOLOGY.to_row()
    assert row["predicates"][0] == {"name": "Happy", "arity": 1, "positive": HAPPY.positive, "negative": HAPPY.negative}
    assert Ontology.from_row(row) == ONTOLOGY


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("Not-a-name", 1, "{} is", "{} is not"), "'Not-a-name'"),
        (("P", 2, "{} is", "{} is not"), r"'P'.*positive gloss.*1 slots.*arity is 2"),
        (("P", 1, "{} is", "{} is not {}"), r"'P'.*negative gloss.*2 slots"),
        (("P", 1, " ", "{} is not"), "'P'.*positive gloss is empty"),
        (("P", -1, "it rains", "it does not rain"), "'P'.*arity -1"),
        (("P", 0, "{} rains", "it does not rain"), r"'P'.*positive gloss.*1 slots.*arity is 0"),
    ],
)
def test_invalid_predicates_raise_ontology_error(arguments: tuple[str, int, str, str], problem: str) -> None:
    with pytest.raises(OntologyError, match=problem):
        Predicate(*arguments)


def test_invalid_constants_and_functions_raise_ontology_error() -> None:
    with pytest.raises(OntologyError, match=r"'x1'.*variables"):
        ConstantSymbol("x1", "the first x")
    with pytest.raises(OntologyError, match=r"'john'.*meaning is empty"):
        ConstantSymbol("john", "")
    with pytest.raises(OntologyError, match=r"'f'.*arity 0.*1 or more"):
        FunctionSymbol("f", 0, "the father")
    with pytest.raises(OntologyError, match=r"'f'.*0 slots"):
        FunctionSymbol("f", 1, "the father")


def test_duplicate_symbols_are_refused_by_name() -> None:
    with pytest.raises(OntologyError, match="predicate symbol 'Happy' occurs twice"):
        Ontology((HAPPY, Predicate("Happy", 2, "{} {}", "{} {}")))
    with pytest.raises(OntologyError, match="term symbol 'mother' occurs twice"):
        Ontology((), (MOTHER,), (ConstantSymbol("mother", "mother"),))


WORLD = Ontology(
    (
        Predicate("Cube", 1, "{} is a cube", "{} is not a cube"),
        Predicate("Rain", 0, "it is raining", "it is not raining"),
        Predicate("Wet", 0, "the street is wet", "the street is dry"),
        Predicate("LeftOf", 2, "{} is to the left of {}", "{} is not to the left of {}"),
    ),
    (FunctionSymbol("twin", 1, "the twin of {}"),),
    (ConstantSymbol("a", "a"), ConstantSymbol("b", "b")),
)


FIRST, BOTH, NONE = frozenset({(0,)}), frozenset({(0,), (1,)}), frozenset[tuple[int, ...]]()


@pytest.mark.parametrize(
    ("structure", "told"),
    [
        (
            Structure(2, {"a": 0}, {}, {"Cube": FIRST, "LeftOf": frozenset({(1, 0)})}),
            "a world of two things (a, thing 2): a is a cube; thing 2 is to the left of a",
        ),
        (Structure(1, {"a": 0, "b": 0}, {}, {"Cube": FIRST}), "a world of one thing (a = b): a is a cube"),
        (
            Structure(1, {"a": 0, "b": 0}, {}, {"LeftOf": frozenset({(0, 0)})}),
            "a world of one thing (a = b): a is to the left of itself",
        ),
        (
            Structure(2, {"a": 0}, {}, {"LeftOf": frozenset({(0, 0), (0, 1), (1, 1)})}),
            "a world of two things (a, thing 2): everything is to the left of itself; a is to the left of thing 2",
        ),
        (Structure(2, {}, {}, {"Cube": BOTH}), "a world of two things (thing 1, thing 2): everything is a cube"),
        (
            Structure(1, {}, {}, {"Cube": NONE}),
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
            Structure(2, {}, {}, {"Cube": BOTH, "Rain": frozenset({()}), "Wet": frozenset()}),
            "a world of two things (thing 1, thing 2): everything is a cube; it is raining; the street is dry",
        ),
        (
            Structure(1, {}, {}, {"Cube": NONE, "Rain": frozenset()}),
            "a world of one thing (thing 1): none of the predicates holds of anything; it is not raining",
        ),
    ],
)
def test_world_description_uses_glosses(structure: Structure, told: str) -> None:
    assert describe_world(structure, WORLD) == told


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PlaysFor", "plays for"),
        ("NFLTeamYear", "NFL team year"),
        ("BornInUS", "born in US"),
        ("GreaterThan95", "greater than 95"),
        ("bonnieWatson", "bonnie watson"),
        ("bonnie_watson", "bonnie watson"),
        ("t13", "t13"),
        ("y_1976", "y 1976"),
        ("a", "a"),
        ("USDollar", "US dollar"),
    ],
)
def test_symbol_name_splits_into_words(name: str, expected: str) -> None:
    assert " ".join(words(name)) == expected


@pytest.mark.parametrize(
    ("formula", "positive", "negative"),
    [
        ("PlaysFor(a, b)", "{} plays for {}", "{} does not play for {}"),
        ("Watches(a, b)", "{} watches {}", "{} does not watch {}"),
        ("Carries(a, b)", "{} carries {}", "{} does not carry {}"),
        ("Goes_to(a, b)", "{} goes to {}", "{} does not go to {}"),
        ("Cube(a)", "{} is cube", "{} is not cube"),
        ("Grebes(a)", "{} is grebes", "{} is not grebes"),
        ("IsHappy(a)", "{} is happy", "{} is not happy"),
        ("CanFly(a)", "{} can fly", "{} cannot fly"),
        ("HasWings(a)", "{} has wings", "{} does not have wings"),
        ("Have(a, b)", "{} has {}", "{} does not have {}"),
        ("WearsUniform(a)", "{} wears uniform", "{} does not wear uniform"),
        ("SportsTeam(a)", "{} is sports team", "{} is not sports team"),
        ("Larger(a, b)", "{} is larger than {}", "{} is not larger than {}"),
        ("LeftOf(a, b)", "{} is left of {}", "{} is not left of {}"),
        ("In(a, b)", "{} is in {}", "{} is not in {}"),
        ("Between(a, b, c)", "{} is between {} and {}", "{} is not between {} and {}"),
        ("Hold(a, b)", '{} stands in the relation "hold" to {}', '{} does not stand in the relation "hold" to {}'),
        ("ItIsRaining", "it is raining", "it is not raining"),
        ("we_can_go", "we can go", "we cannot go"),
        ("Rain", "rain holds", "rain does not hold"),
        ("p", "p holds", "p does not hold"),
        ("Must", "must holds", "must does not hold"),
    ],
)
def test_derived_glosses_follow_predicate_name(formula: str, positive: str, negative: str) -> None:
    (predicate,) = derive([parse(formula, propositions=True)]).predicates
    assert predicate == Predicate(predicate.name, formula.count(",") + formula.count("("), positive, negative)


def test_derived_ontology_contains_all_symbols() -> None:
    ontology = derive([parse("∀x (Tall(x) → Loves(x, mother(bonnieWatson)))"), parse("Tall(john)")])
    assert ontology.derived
    assert list(ontology.predicate) == ["Loves", "Tall"]
    assert ontology.functions == (FunctionSymbol("mother", 1, "the mother of {}"),)
    assert ontology.constants == (ConstantSymbol("bonnieWatson", "bonnie watson"), ConstantSymbol("john", "john"))


def test_derivation_refuses_two_arities() -> None:
    with pytest.raises(SignatureError, match="PValue"):
        derive([parse("PValue(a)"), parse("PValue(a, b)")])
