import pytest

from nlfol.logic.errors import SignatureError
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive, words
from nlfol.ontology.ontology import ConstantSymbol, FunctionSymbol


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
def test_words(name: str, expected: str) -> None:
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
    ],
)
def test_glosses(formula: str, positive: str, negative: str) -> None:
    (predicate,) = derive([parse(formula)]).predicates
    assert (predicate.positive, predicate.negative) == (positive, negative)


@pytest.mark.parametrize(
    ("name", "positive", "negative"),
    [
        ("ItIsRaining", "it is raining", "it is not raining"),
        ("we_can_go", "we can go", "we cannot go"),
        ("Rain", "rain holds", "rain does not hold"),
        ("p", "p holds", "p does not hold"),
        ("Must", "must holds", "must does not hold"),
    ],
)
def test_glosses_of_propositional_letters(name: str, positive: str, negative: str) -> None:
    (predicate,) = derive([parse(name, propositions=True)]).predicates
    assert (predicate.arity, predicate.positive, predicate.negative) == (0, positive, negative)


def test_the_whole() -> None:
    ontology = derive([parse("∀x (Tall(x) → Loves(x, mother(bonnieWatson)))"), parse("Tall(john)")])
    assert ontology.derived
    assert list(ontology.predicate) == ["Loves", "Tall"]
    assert ontology.functions == (FunctionSymbol("mother", 1, "the mother of {}"),)
    assert ontology.constants == (ConstantSymbol("bonnieWatson", "bonnie watson"), ConstantSymbol("john", "john"))


def test_two_arities_have_no_ontology() -> None:
    with pytest.raises(SignatureError, match="PValue"):
        derive([parse("PValue(a)"), parse("PValue(a, b)")])
