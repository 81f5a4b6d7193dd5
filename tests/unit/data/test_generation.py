"""Items: drawn by a seed alone, of any length of sets, and what is refused."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
import z3
from benchmarks.equivalence import in_z3py
from tests.property.test_formula_properties import TRUTH_TABLES

from nlfol.data.grammars.filling import Filling, prefixed
from nlfol.data.grammars.generation import Drawn, Generation, Recipe
from nlfol.data.grammars.grammar import GrammarError
from nlfol.data.grammars.vocabularies import read_vocabulary
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.measuring import count_quantifiers, letters
from nlfol.logic.syntax import And, Atom, Formula, Not, Or, fold, subformulas
from nlfol.randomness import generator

SIGNS = "operators_published"
PROPOSITIONAL = Recipe("propositional", "names", SIGNS, (0, 3, 9, 20), 8)
FIRST_ORDER = Recipe("first_order", "names", SIGNS, (0, 4, 15), 8, quantifiers=(1, 3))
ENGLISH = replace(FIRST_ORDER, vocabulary="english")
RECIPES = [
    PROPOSITIONAL,
    FIRST_ORDER,
    ENGLISH,
    replace(PROPOSITIONAL, vocabulary="meanings"),
    Recipe("k_sat", "names", SIGNS, (2, 11), 8),
    Recipe("first_order_full", "english", "operators", (0, 5, 12), 8, quantifiers=(0, 3)),
    Recipe("propositional", "names", "depth", (1, 4, 7), 8),
    replace(FIRST_ORDER, protocol="paper", quantifiers=None),
    Recipe("regular", "names", "depth", (3, 6, 40), 8),
    Recipe("regular", "names", "depth", (5, 12), 8, protocol="paper"),
    Recipe("regular_full", "names", "depth", (4, 6), 8, letters=3),
    Recipe("regular_full", "names", "symbols", (4, 12), 8),
]


def accepted(recipe: Recipe, seed: int = 1) -> list[Drawn]:
    return [drawn for drawn in Generation(recipe, seed).items() if drawn.refusal is None]


@pytest.mark.parametrize(
    "recipe", RECIPES, ids=lambda recipe: f"{recipe.grammar}-{recipe.vocabulary}-{recipe.protocol}"
)
def test_generated_items_read_back_from_text_and_english(recipe: Recipe) -> None:
    found = accepted(recipe)
    assert len(found) == len(recipe.values) * recipe.count
    language = LANGUAGES[recipe.read()[0].language]
    for item in found:
        assert language.parse(item.text) is item.sentence
        assert language.write(item.sentence) == item.text
        language.check(item.sentence, item.ontology)
        english = language.render(item.sentence, item.ontology)
        assert language.read_english(english, item.ontology) is item.sentence
        if recipe.by.startswith("operators"):
            assert language.measures(item.sentence)[recipe.by] == item.value


def test_larger_count_keeps_items_from_smaller_count() -> None:
    few, many = (
        [(d.value, d.number, d.text, d.refusal) for d in Generation(replace(PROPOSITIONAL, count=count), 1).items()]
        for count in (4, 12)
    )
    assert [entry for entry in many if entry[1] <= 4] == few


def test_items_at_any_value_are_independent_from_other_values() -> None:
    whole = list(Generation(FIRST_ORDER, 1).items())
    halves = FIRST_ORDER.values[:2], FIRST_ORDER.values[2:]
    split = [drawn for values in halves for drawn in Generation(FIRST_ORDER, 1).items(values)]
    alone = list(Generation(replace(FIRST_ORDER, values=(4,)), 1).items())
    assert split == whole
    assert alone == [drawn for drawn in whole if drawn.value == 4]


def test_seeds_and_batches_yield_different_items() -> None:
    paper = replace(PROPOSITIONAL, protocol="paper", values=(5,))
    texts = [
        tuple(d.text for d in accepted(recipe, seed))
        for recipe, seed in ((PROPOSITIONAL, 1), (PROPOSITIONAL, 2), (paper, 1), (replace(paper, batch=2), 1))
    ]
    assert len(set(texts)) == 4


def test_items_are_generated_lazily() -> None:
    endless = Generation(replace(PROPOSITIONAL, values=(20,), count=10**9), 1).items()
    assert isinstance(endless, Iterator)
    assert len(list(islice(endless, 5))) == 5


def test_refused_draws_are_listed_with_reason() -> None:
    drawn = list(Generation(replace(FIRST_ORDER, values=(0, 1), count=60), 3).items())
    found = Counter(item.refusal for item in drawn)
    assert found["vacuous"] > 0
    assert {item.detail for item in drawn if item.refusal == "constant"} <= {"valid", "unsatisfiable"}
    assert not [
        item for item in drawn if item.refusal == "vacuous" and "whose variable does not occur" not in item.detail
    ]


def test_exhausted_value_ends_with_summary() -> None:
    *items, last = [d for d in Generation(replace(PROPOSITIONAL, values=(0,), count=50), 1).items()
                    if d.refusal != "duplicate"]  # fmt: skip
    assert len(items) == 24
    assert (last.refusal, last.number) == ("exhausted", 25)
    assert last.detail == "items 25 to 50: of 500 draws in a row, 500 duplicate"


def test_value_without_derivations_is_reported_as_exhausted() -> None:
    (only,) = Generation(Recipe("k_sat", "names", SIGNS, (3,), 5), 1).items()
    assert (only.refusal, only.detail) == (
        "exhausted", f"no derivation with {SIGNS} 3: the grammar has none",
    )  # fmt: skip


def test_distinct_trees_option_removes_repeated_trees() -> None:
    recipe = replace(PROPOSITIONAL, values=(1,), count=20)
    found = accepted(recipe)
    assert len(found) == 20 > len({item.tree for item in found})
    trees = accepted(replace(recipe, distinct="trees"))
    assert len(trees) == len({item.tree for item in trees}) == 9


def test_tree_digest_is_independent_from_vocabulary() -> None:
    named, meant = (
        {item.text.count("∧"): item.tree for item in accepted(Recipe("k_sat", vocabulary, SIGNS, (2, 5), 60))}
        for vocabulary in ("names", "meanings")
    )
    assert len(named) == len(meant) == 2
    assert all(len(tree) == 64 for tree in named.values())


def test_atoms_repeat_only_under_uniform_repetition() -> None:
    for item in accepted(replace(PROPOSITIONAL, values=(8,), count=50)):
        atoms = [node for _, node in subformulas(item.sentence) if isinstance(node, Atom)]
        assert len(letters(item.sentence)) == len(atoms)
    for item in accepted(replace(FIRST_ORDER, values=(12,), count=50)):
        atoms = [node for _, node in subformulas(item.sentence) if isinstance(node, Atom)]
        assert len(set(atoms)) == len(atoms)
    uniform = accepted(replace(PROPOSITIONAL, values=(8,), count=50, repetition="uniform"))
    assert any(len(letters(i.sentence)) < sum(isinstance(n, Atom) for _, n in subformulas(i.sentence)) for i in uniform)


def test_argument_without_candidates_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "symbols.yaml"
    path.write_text('predicates:\n  P: {arity: 1, positive: "{} is p", negative: "{} is not p"}\n', encoding="utf-8")
    recipe = Recipe("first_order", str(path), SIGNS, (2,), 8, quantifiers=(0, 1))
    drawn = list(Generation(recipe, 1).items())
    assert {d.detail for d in drawn if d.refusal == "unbound"} == {
        "an argument has neither a constant nor a variable in scope"
    }
    assert all(count_quantifiers(d.sentence) == 1 for d in drawn if d.refusal is None)


def test_quantifiers_bind_variables_while_argument_places_remain() -> None:
    signs = prefixed([("∀", "∃", "∀", 0), ("∧", "a", "a")])
    for number in range(200):
        randomness = generator(number)
        words = read_vocabulary("names").draw("first_order", randomness)
        filling = Filling(signs, words, randomness, is_published=False, repeats=False)
        room = sum(len(node.arguments) for _, node in subformulas(filling.formula()) if isinstance(node, Atom))
        assert filling.vacuous == max(0, 3 - room)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"by": "length"},
            "by: the grammar 'propositional' counts depth, operators, operators_published, not 'length'",
        ),
        ({"vocabulary": "english"}, "vocabulary 'english' is for first_order, but the grammar 'propositional' is"),
        ({"vocabulary": "english", "letters": 3}, "leave the key 'letters' out"),
        ({"vocabulary": "verbnet"}, "set the key 'verbnet'"),
        ({"vocabulary": "nowhere.yaml"}, "nowhere.yaml: cannot be read"),
        ({"values": ()}, "values: give one or more"),
        ({"values": (1, 1)}, "values: one occurs twice"),
        ({"values": (10_000,)}, "between 0 and 500"),
        ({"count": 0}, "count and batch are 1 or more"),
        ({"clause": 3}, "no parameter 'clause'"),
        ({"quantifiers": (1, 2)}, "has no cost of that name"),
        ({"grammar": "first_order", "quantifiers": (2, 1)}, "the least and the largest number"),
        ({"grammar": "first_order", "quantifiers": (1, 2), "protocol": "paper"}, "does not limit them"),
        ({"grammar": "first_order", "quantifiers": (1, 2), "by": "quantifiers"}, "numbers of quantifiers already"),
        ({"grammar": "first_order"}, "the key 'quantifiers'"),
    ],
)
def test_unusable_recipe_raises_grammar_error(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(GrammarError) as raised:
        Generation(replace(PROPOSITIONAL, **changes), 1)  # type: ignore[arg-type]
    assert problem in str(raised.value)


def test_values_with_gigantic_sentences_are_refused() -> None:
    with pytest.raises(GrammarError, match="values: some are so large"):
        next(Generation(Recipe("k_sat", "names", "depth", (400,), clause=60), 1).items())


def test_constant_expressions_are_refused() -> None:
    drawn = list(Generation(Recipe("regular", "names", "depth", (3, 4), 12, letters=1), 1).items())
    refused = {item.text for item in drawn if item.refusal == "constant"}
    assert refused
    assert refused <= {text for text in refused if set(text) <= set("0()*")}
    assert all(item.ontology.alphabet == "0" for item in drawn if item.sentence is not None)


def test_recipe_digest_covers_all_fields() -> None:
    digests = {recipe.digest() for recipe in RECIPES}
    assert len(digests) == len(RECIPES)
    assert replace(PROPOSITIONAL).digest() == PROPOSITIONAL.digest()


# Faults of the released code of ∀uto∃∨∧L, by their numbers in the study of it.


def test_item_count_excludes_duplicate_draws() -> None:
    drawn = list(Generation(replace(PROPOSITIONAL, values=(0, 1), count=50, protocol="paper"), 1).items())
    assert sum(d.refusal is None for d in drawn) == 74
    assert [d.detail for d in drawn if d.refusal == "exhausted"] == [
        "items 25 to 50: of 500 draws in a row, 500 duplicate"
    ]


# Sets judged by means that generation does not use: truth tables, and Z3 as it comes.


def truth_in(row: dict[str, bool], node: Formula, parts: tuple[bool, ...]) -> bool:
    return row[node.predicate] if isinstance(node, Atom) else TRUTH_TABLES[node.sign](*parts)


@pytest.mark.parametrize(("grammar", "values"), [("propositional", range(40)), ("k_sat", range(2, 60, 3))])
def test_propositional_sets_are_contingent_by_truth_table(grammar: str, values: range) -> None:
    found = [d for d in Generation(Recipe(grammar, "names", SIGNS, tuple(values), 5), 7).items() if d.refusal is None]
    assert len(found) == 5 * len(values)
    assert len({(item.value, item.text) for item in found}) == len(found)
    for item in found:
        names = sorted(letters(item.sentence))
        rows = (dict(zip(names, row, strict=True)) for row in product((False, True), repeat=len(names)))
        truths = (fold(item.sentence, partial(truth_in, row)) for row in rows)
        first = next(truths)
        assert any(truth is not first for truth in truths)


def variables(formula: Any) -> list[tuple[str, bool]]:
    # With whether it occurs in its scope (fault D5 of ∀uto∃∨∧L's released code).
    found = []
    while not isinstance(formula, Atom | Not | And | Or):
        formula, name = formula.body, formula.variable.name
        found.append((name, f"{name})" in str(formula) or f"{name}," in str(formula)))
    return found


@pytest.mark.parametrize("vocabulary", ["names", "english"])
def test_first_order_sets_are_contingent_by_z3(vocabulary: str) -> None:
    recipe = Recipe("first_order", vocabulary, SIGNS, tuple(range(38)), 5, quantifiers=(1, 3))
    found = [d for d in Generation(recipe, 8).items() if d.refusal is None]
    assert len(found) == 190
    assert len({(item.value, item.text) for item in found}) == 190
    for item in found:
        quantified = variables(item.sentence)
        assert 1 <= len(quantified) <= 3
        assert all(occurs for _, occurs in quantified)
        translated = in_z3py(item.sentence, z3)
        for asked in (translated, z3.Not(translated)):
            solver = z3.Solver()
            solver.set("timeout", 20_000)
            solver.add(asked)
            assert solver.check() == z3.sat
