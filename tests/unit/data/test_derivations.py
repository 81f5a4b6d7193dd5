"""Counts against plain enumeration, drawing against uniformity, and the published expansion."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from nlfol.data.grammars.counting import AdditiveCounts
from nlfol.data.grammars.drawing import AllDerivations, expand
from nlfol.data.grammars.files import read_grammar
from nlfol.data.grammars.filling import prefixed
from nlfol.data.grammars.generation import Generation, Recipe
from nlfol.data.grammars.grammar import Grammar, spell
from nlfol.logic.languages.registry import LANGUAGES
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
    counts = AdditiveCounts(grammar, [by, *(["quantifiers"] if others else [])])
    for rank in range(counts.count(value, *others)):
        derivation = counts.unrank(rank, value, *others)
        yield "".join(prefixed(t.symbols for a in derivation if (t := grammar.alternatives[a].template)))


@pytest.mark.parametrize("operators", range(5))
def test_propositional_formulas_are_enumerated_exactly_once(operators: int) -> None:
    found = Counter(sentences(read_grammar("propositional"), BY, operators))
    assert found == Counter(propositional(operators))


@pytest.mark.parametrize(("operators", "quantifiers"), list(product(range(4), range(3))))
def test_first_order_formulas_are_enumerated_exactly_once(operators: int, quantifiers: int) -> None:
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
def test_full_grammar_formulas_are_enumerated_exactly_once(operators: int, quantifiers: int) -> None:
    found = Counter(sentences(read_grammar("first_order_full"), "operators", operators, quantifiers))
    assert found == Counter(full(operators, quantifiers))


@pytest.mark.parametrize("clauses", [1, 2])
def test_k_sat_formulas_are_enumerated_exactly_once(clauses: int) -> None:
    found = Counter(sentences(read_grammar("k_sat"), BY, 3 * clauses - 1))
    assert len(found) == found.total() == 2 ** (3 * clauses)
    assert not list(sentences(read_grammar("k_sat"), BY, 3))


def by_rules(grammar: Grammar, rules: int) -> Counter[str]:
    """Sentences whose derivation has so many rules with nonterminals."""

    @cache
    def of(nonterminal: str, left: int) -> tuple[str, ...]:
        found: list[str] = []
        for place in grammar.rules[grammar.nonterminals.index(nonterminal)]:
            alternative = grammar.alternatives[place]
            spent = left - bool(alternative.parts)
            tokens = [token.text for token in alternative.tokens]
            for shares in product(range(spent + 1), repeat=len(alternative.parts)):
                if sum(shares) != spent:
                    continue
                below = iter(shares)
                parts = [of(text, next(below)) if text in grammar.nonterminals else (text,) for text in tokens]
                found += [" ".join(part for part in choice if part) for choice in product(*parts)]
        return tuple(found)

    return Counter(of(grammar.nonterminals[grammar.start], rules))


@pytest.mark.parametrize(("name", "deepest"), [("regular", 6), ("regular_full", 7), ("propositional", 4), ("k_sat", 5)])
def test_sentences_by_depth_are_enumerated_exactly_once(name: str, deepest: int) -> None:
    grammar = read_grammar(name)
    counts = AdditiveCounts(grammar, ["depth"])
    assert counts.count(0) == 0
    for depth in range(1, deepest + 1):
        derivations = [counts.unrank(rank, depth) for rank in range(counts.count(depth))]
        assert Counter(spell(grammar, derivation) for derivation in derivations) == by_rules(grammar, depth - 1)
        assert {grammar.depth(derivation) for derivation in derivations} <= {depth}


def test_derivation_counts_are_exact_for_large_sizes() -> None:
    counts = AdditiveCounts(read_grammar("propositional"), [BY])
    total = counts.count(39)
    assert total > 10**40
    assert counts.unrank(0, 39) != counts.unrank(total - 1, 39)


@pytest.mark.parametrize(("by", "value", "trees"), [(BY, 2, 81), ("depth", 3, 81)])
def test_derivation_draws_are_uniform(by: str, value: int, trees: int) -> None:
    derivations = AllDerivations(read_grammar("propositional"), by)
    draws = 10_000
    found = Counter(tuple(derivations.draw(value, generator(1, number))) for number in range(draws))
    assert len(found) == trees
    expected = draws / trees
    statistic = sum((seen - expected) ** 2 / expected for seen in found.values())
    freedom = trees - 1
    # The 99.9th percentile of χ², by Wilson and Hilferty.
    assert statistic < freedom * (1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5) ** 3


def test_quantifier_counts_are_drawn_uniformly() -> None:
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
    ("grammar", "values", "size", "trees"),
    [
        ("k_sat", range(2, 60, 3), 1_000, 900),
        ("propositional", range(40), 1_974, 1_847),
        ("first_order", range(38), 1_900, 1_799),
    ],
)
def test_generated_batch_matches_published_size_and_tree_count(
    grammar: str, values: range, size: int, trees: int
) -> None:
    recipe = Recipe(grammar, "names", BY, tuple(values), protocol="paper")
    items = [drawn for drawn in Generation(recipe, 1).items() if drawn.refusal is None]
    assert len(items) == size
    assert len({(item.value, item.text) for item in items}) == size
    assert len({item.tree for item in items}) == pytest.approx(trees, rel=0.03)
    language = LANGUAGES["first_order" if grammar == "first_order" else "propositional"]
    assert all(language.measures(item.sentence)[BY] == item.value for item in items[::20])
    if grammar == "first_order":
        # As in the released sets, nine of ten formulas have no quantifier.
        assert 0.85 < sum(not count_quantifiers(item.sentence) for item in items) / size < 0.95


def test_regular_batch_matches_published_size_by_depth() -> None:
    recipe = Recipe("regular", "names", "depth", tuple(range(1, 41)), protocol="paper")
    drawn = [each for each in Generation(recipe, 1).items() if each.refusal is None]
    sizes = Counter(each.value for each in drawn)
    assert len(drawn) == 1_842
    assert [sizes[depth] for depth in range(1, 8)] == [0, 2, 8, 32, 50, 50, 50]


def test_expansions_are_leftmost_derivations() -> None:
    grammar = published("regular")
    found = expand(grammar, "depth", range(1, 9), generator(1), levels=8, branching=40)
    assert not found[1]
    spelled = {depth: [spell(grammar, map(ord, each)) for each in of_depth] for depth, of_depth in found.items()}
    assert sorted(spelled[2]) == ["DIGIT", "DIGIT *"]
    for depth, texts in spelled.items():
        assert len(set(texts)) == len(texts)
        assert {grammar.depth(map(ord, each)) for each in found[depth]} <= {depth}
        for text in (text.replace(" ", "") for text in texts):
            assert text.count("(") == text.count(")")
            assert "**" not in text


def test_expansion_completes_and_continues_partial_strings_like_release() -> None:
    grammar = published("propositional")
    found = expand(grammar, "depth", [1, 2], generator(1), levels=2, branching=1_000)
    spelled = {depth: Counter(spell(grammar, map(ord, each)) for each in found[depth]) for depth in found}
    letters = ["LETTER", "¬ LETTER"]
    assert spelled[1] == Counter(letters)
    pairs = [f"( {left} {sign} {right} )" for left in letters for sign in "∧∨" for right in letters]
    assert spelled[2] == Counter([*pairs, *(f"( ¬ {letter} )" for letter in letters)])


def test_expansion_stops_at_branching_limit() -> None:
    found = expand(published("propositional"), "depth", [2], generator(1), levels=2, branching=3)
    # Of each of three partial strings of two letters three at most.
    assert 6 <= len(found[2]) <= 9


def test_clauses_are_grouped_left_associatively() -> None:
    recipe = Recipe("k_sat", "names", BY, (11,), 20, protocol="paper")
    items = [drawn for drawn in Generation(recipe, 1).items() if drawn.refusal is None]
    assert len(items) == 20
    assert all(re.fullmatch(r"\([^()]*\)( ∧ \([^()]*\)){3}", item.text) for item in items)


def test_expansion_is_independent_from_requested_values() -> None:
    grammar = published("propositional")
    all_values = expand(grammar, BY, range(8), generator(1), levels=10, branching=30)
    some = expand(grammar, BY, [3, 5], generator(1), levels=10, branching=30)
    assert some == {value: all_values[value] for value in (3, 5)}
    assert Counter(map(bool, some.values()))[True] == 2


def test_published_operator_count_skips_negated_atoms() -> None:
    grammar = published("propositional")
    found = expand(grammar, BY, [0], generator(1), levels=3, branching=100)
    assert {spell(grammar, map(ord, each)) for each in found[0]} == {"LETTER", "¬ LETTER", "( ¬ LETTER )"}
