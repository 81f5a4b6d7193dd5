"""Counts against plain enumeration, drawing against uniformity, and the published expansion."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product

import pytest

from nlfol.grammars.counting import count_by
from nlfol.grammars.drawing import AllDerivations, expand
from nlfol.grammars.files import read_grammar
from nlfol.grammars.filling import prefixed
from nlfol.grammars.generation import Generation, Recipe
from nlfol.grammars.grammar import Grammar, spell
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.measuring import count_quantifiers
from nlfol.randomness import generator

BY = "operators_published"


@cache
def propositional(operators: int) -> tuple[str, ...]:
    # In prefix order; a ¬ directly before the letter is not counted.
    if not operators:
        return ("a", "¬a")
    negations = [f"¬{f}" for f in propositional(operators - 1) if f != "a"]
    pairs = [
        sign + left + right
        for sign in "∧∨"
        for here in range(operators)
        for left in propositional(here)
        for right in propositional(operators - 1 - here)
    ]
    return (*negations, *pairs)


def sentences(grammar: Grammar, by: str, value: int, *others: int) -> Iterator[str]:
    counts = count_by(grammar, by, ["quantifiers"] if others else [])
    for rank in range(counts.count(value, *others)):
        derivation = counts.unrank(rank, value, *others)
        yield "".join(prefixed(t.symbols for a in derivation if (t := grammar.alternatives[a].template)))


@pytest.mark.parametrize("operators", range(5))
def test_every_propositional_formula_comes_up_once(operators: int) -> None:
    found = Counter(sentences(read_grammar("propositional"), BY, operators))
    assert found == Counter(propositional(operators))


@pytest.mark.parametrize(("operators", "quantifiers"), list(product(range(4), range(3))))
def test_every_first_order_formula_comes_up_once(operators: int, quantifiers: int) -> None:
    prefixes = ["".join(prefix) for prefix in product("∀∃", repeat=quantifiers)]
    found = Counter(sentences(read_grammar("first_order"), BY, operators, quantifiers))
    assert found == Counter(prefix + matrix for prefix in prefixes for matrix in propositional(operators))


def full(operators: int, quantifiers: int) -> Iterator[str]:
    if (operators, quantifiers) == (0, 0):
        yield from ("a", "=")
    if operators:
        yield from (f"¬{part}" for part in full(operators - 1, quantifiers))
        for here, bound in product(range(operators), range(quantifiers + 1)):
            lefts, rights = full(here, bound), full(operators - 1 - here, quantifiers - bound)
            yield from (sign + a + b for sign, a, b in product("∧∨→↔⊕", list(lefts), list(rights)))
    if quantifiers:
        yield from (sign + part for sign in "∀∃" for part in full(operators, quantifiers - 1))


@pytest.mark.parametrize(("operators", "quantifiers"), [(0, 0), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1)])
def test_every_formula_of_the_full_grammar_comes_up_once(operators: int, quantifiers: int) -> None:
    found = Counter(sentences(read_grammar("first_order_full"), "operators", operators, quantifiers))
    assert found == Counter(full(operators, quantifiers))


@pytest.mark.parametrize("clauses", [1, 2])
def test_every_formula_of_k_sat_comes_up_once(clauses: int) -> None:
    found = Counter(sentences(read_grammar("k_sat"), BY, 3 * clauses - 1))
    assert len(found) == found.total() == 2 ** (3 * clauses)
    assert not list(sentences(read_grammar("k_sat"), BY, 3))


def by_depth(grammar: Grammar, depth: int) -> Counter[str]:
    @cache
    def of(nonterminal: str, left: int) -> tuple[str, ...]:
        if not left:
            return ()
        found: list[str] = []
        for place in grammar.rules[grammar.nonterminals.index(nonterminal)]:
            tokens = [token.text for token in grammar.alternatives[place].tokens]
            parts = [of(text, left - 1) if text in grammar.nonterminals else (text,) for text in tokens]
            found += [" ".join(part for part in choice if part) for choice in product(*parts)]
        return tuple(found)

    return Counter(of(grammar.nonterminals[grammar.start], depth))


@pytest.mark.parametrize(("name", "deepest"), [("regular", 6), ("regular_full", 5), ("propositional", 3), ("k_sat", 4)])
def test_every_sentence_of_a_depth_comes_up_once(name: str, deepest: int) -> None:
    grammar = read_grammar(name)
    counts = count_by(grammar, "depth")
    for smaller, depth in pairwise(range(deepest + 1)):
        found = Counter(spell(grammar, counts.unrank(rank, depth)) for rank in range(counts.count(depth)))
        assert found == by_depth(grammar, depth) - by_depth(grammar, smaller)


def test_numbers_of_any_size_are_exact() -> None:
    counts = count_by(read_grammar("propositional"), BY)
    total = counts.count(39)
    assert total > 10**40
    assert counts.unrank(0, 39) != counts.unrank(total - 1, 39)


@pytest.mark.parametrize(("by", "value", "trees"), [(BY, 2, 81), ("depth", 3, 243)])
def test_drawing_is_uniform(by: str, value: int, trees: int) -> None:
    derivations = AllDerivations(read_grammar("propositional"), by)
    draws = 10_000
    found = Counter(tuple(derivations.draw(value, generator(1, number))) for number in range(draws))
    assert len(found) == trees
    expected = draws / trees
    statistic = sum((seen - expected) ** 2 / expected for seen in found.values())
    freedom = trees - 1
    # The 99.9th percentile of χ², by Wilson and Hilferty.
    assert statistic < freedom * (1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5) ** 3


def test_numbers_of_quantifiers_are_equally_likely() -> None:
    derivations = AllDerivations(read_grammar("first_order"), "operators", (1, 3))
    grammar = read_grammar("first_order")
    found = Counter[int]()
    for number in range(3_000):
        derivation = derivations.draw(5, generator(2, number))
        found[sum(grammar.alternatives[place].costs[grammar.costs.index("quantifiers")] for place in derivation)] += 1
    assert set(found) == {1, 2, 3}
    assert all(abs(seen - 1_000) < 120 for seen in found.values())


def published(name: str) -> Grammar:
    grammar = read_grammar(name).published
    assert grammar is not None
    return grammar


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
    grammar = published("regular")
    found = expand(grammar, "depth", range(1, 9), generator(1), depth=8, branching=40)
    assert not found[1]
    assert {spell(grammar, derivation) for derivation in found[2]} == {"DIGIT", "DIGIT *"}
    for derivations in found.values():
        assert len(set(map(tuple, derivations))) == len(derivations)
        for text in (spell(grammar, derivation).replace(" ", "") for derivation in derivations):
            assert text.count("(") == text.count(")")
            assert "**" not in text


def test_an_expansion_does_not_depend_on_the_values_that_are_asked_for() -> None:
    grammar = published("propositional")
    all_values = expand(grammar, BY, range(8), generator(1), depth=10, branching=30)
    some = expand(grammar, BY, [3, 5], generator(1), depth=10, branching=30)
    assert some == {value: all_values[value] for value in (3, 5)}
    assert Counter(map(bool, some.values()))[True] == 2


def test_the_negation_of_an_atom_is_not_counted() -> None:
    grammar = published("propositional")
    found = expand(grammar, BY, [0], generator(1), depth=3, branching=100)
    assert {spell(grammar, derivation) for derivation in found[0]} == {"LETTER", "¬ LETTER", "( ¬ LETTER )"}
