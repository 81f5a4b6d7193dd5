"""The published procedure: sizes of its sets at its defaults, and what its expansions are."""

from collections import Counter

import pytest

from nlfol.grammars.drawing import expand
from nlfol.grammars.files import read_grammar
from nlfol.grammars.generation import Generation, Recipe
from nlfol.grammars.grammar import spell
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.measuring import count_quantifiers
from nlfol.randomness import generator

BY = "operators_published"


@pytest.mark.parametrize(
    ("grammar", "values", "size"),
    [("k_sat", range(2, 60, 3), 1_000), ("propositional", range(40), 1_974), ("first_order", range(38), 1_900)],
)
def test_a_batch_has_the_published_size(grammar: str, values: range, size: int) -> None:
    recipe = Recipe(grammar, "names", BY, tuple(values), protocol="paper")
    items = [drawn for drawn in Generation(recipe, 1).items() if drawn.refusal is None]
    assert len(items) == size
    assert len({(item.value, item.text) for item in items}) == size
    language = LANGUAGES["first_order" if grammar == "first_order" else "propositional"]
    assert all(language.measures(item.sentence)[BY] == item.value for item in items[::20])
    if grammar == "first_order":
        # As in the released sets, nine of ten formulas have no quantifier.
        assert 0.85 < sum(not count_quantifiers(item.sentence) for item in items) / size < 0.99


def test_expansions_are_derivations_of_the_published_grammar() -> None:
    grammar = read_grammar("regular").published
    assert grammar is not None
    found = expand(grammar, "depth", range(1, 9), generator(1), depth=8, branching=40)
    assert not found[1]
    assert {spell(grammar, derivation) for derivation in found[2]} == {"DIGIT", "DIGIT *"}
    for derivations in found.values():
        assert len(set(map(tuple, derivations))) == len(derivations)
        for text in (spell(grammar, derivation).replace(" ", "") for derivation in derivations):
            assert text.count("(") == text.count(")")
            assert "**" not in text


def test_an_expansion_does_not_depend_on_the_values_that_are_asked_for() -> None:
    grammar = read_grammar("propositional").published
    assert grammar is not None
    all_values = expand(grammar, BY, range(8), generator(1), depth=10, branching=30)
    some = expand(grammar, BY, [3, 5], generator(1), depth=10, branching=30)
    assert some == {value: all_values[value] for value in (3, 5)}
    assert Counter(map(bool, some.values()))[True] == 2


def test_the_negation_of_an_atom_is_not_counted() -> None:
    grammar = read_grammar("propositional").published
    assert grammar is not None
    found = expand(grammar, BY, [0], generator(1), depth=3, branching=100)
    assert {spell(grammar, derivation) for derivation in found[0]} == {"LETTER", "¬ LETTER", "( ¬ LETTER )"}
