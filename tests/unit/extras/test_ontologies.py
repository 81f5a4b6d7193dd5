"""Formulas over an ontology of their own are equivalent to gold up to an alignment of symbols, or proven not to be."""

from collections.abc import Sequence
from functools import partial

import pytest

from nlfol.logic import Outcome, equivalence, parse
from nlfol.logic.rewriting import edits
from nlfol.problems.alignment import Symbol, SymbolKind, shown
from nlfol.problems.alignment.renamings import Search, reduced
from nlfol.problems.programs.formulas.maps import written
from nlfol.problems.programs.symbols import identity
from nlfol.randomness import generator
from nlfol_extras.ontologies import alignment as ontologies
from nlfol_extras.ontologies.alignment import Extraction, disguise, extraction, symbols_of
from nlfol_extras.ontologies.anchors import Nearness, anchors, compared


def held(gold: Sequence[str], other: Sequence[str | None], declared: Sequence[Symbol] = ()) -> Extraction:
    formulas = [None if text is None else parse(text) for text in other]
    symbols = symbols_of(formula for formula in formulas if formula is not None)
    return extraction([parse(text) for text in gold], formulas, dict.fromkeys(declared or symbols, ""))


def images(found: Extraction) -> dict[str, str]:
    return {symbol.name: shown(image) for symbol, image in found.images.items()}


@pytest.mark.parametrize(
    ("gold", "other", "expected"),
    [
        ("∀x (P(x) → Q(x))", "∀y (¬B(y) → ¬A(y))", {"P": "A", "Q": "B"}),
        ("R(a, b) ∧ P(a)", "S(c, d) ∧ T(d)", {"R": "S(2, 1)", "a": "d", "b": "c", "P": "T"}),
        ("P(f(a, b)) ∧ Q(a)", "A(g(c, d)) ∧ B(d)", {"P": "A", "Q": "B", "f": "g(2, 1)", "a": "d", "b": "c"}),
        ("∀x ∀y (Between(x, a, y) → Near(x, y))", "∀x ∀y (¬N(x, y) → ¬B(m, y, x))", None),
        ("a ≠ b", "¬(c = d)", None),
        # What a formula does not depend on has no part in it.
        ("P(a) ∧ (Q(b) ∨ ¬Q(b))", "A(c)", {"P": "A", "a": "c"}),
        ("P(a)", "A(c) ∧ (C(c) → C(c))", {"P": "A", "a": "c"}),
        ("∀x (P(x) ∨ ¬P(x))", "∃x (A(x) → A(x))", {}),
        ("∃x P(x) ∧ Q(f(a))", "B(g(b)) ∧ ¬∀x ¬A(x) ∧ c = c", {"P": "A", "Q": "B", "f": "g", "a": "b"}),
    ],
)
def test_ontology_extraction_accepts_renamed_and_reordered_symbols(
    gold: str, other: str, expected: dict[str, str] | None
) -> None:
    found = held([gold], [other])
    assert found.outcome is Outcome.EQUIVALENT
    assert found.concepts.recall == 1
    assert expected is None or images(found) == expected


@pytest.mark.parametrize(
    ("gold", "other"),
    [
        ("∀x (P(x) → Q(x))", "∀x (A(x) ∧ B(x))"),
        # Polarity belongs to no map: else a negation too many would pass.
        ("P(a)", "¬A(c)"),
        ("∀x (P(x) → Q(x))", "∀x (A(x) ∨ B(x))"),
        ("P(a) ∧ Q(a)", "A(c) ∧ A(c)"),
        ("P(a) ∧ P(b)", "A(c)"),
        ("R(a, b)", "S(c, c)"),
        ("R(a, b)", "A(c) ∧ B(d)"),
        ("∀x ∃y R(x, y)", "∃y ∀x S(x, y)"),
        ("P(a)", "∃x (x = x)"),
    ],
)
def test_ontology_extraction_rejects_formulas_inequivalent_under_all_maps(gold: str, other: str) -> None:
    assert held([gold], [other]).outcome is Outcome.NOT_EQUIVALENT


def test_symbol_map_must_fit_all_sentences() -> None:
    gold = ["P(a)", "Q(a)", "∀x (P(x) → Q(x))"]
    right = held(gold, ["A(c)", "B(c)", "∀x (A(x) → B(x))"])
    assert right.outcome is Outcome.EQUIVALENT
    assert images(right) == {"P": "A", "Q": "B", "a": "c"}
    turned = held(gold, ["A(c)", "B(c)", "∀x (B(x) → A(x))"])
    assert turned.outcome is Outcome.NOT_EQUIVALENT
    assert set(turned.sentences) == {Outcome.EQUIVALENT}
    assert sum(turned.fitting) == 2
    drifted = held(gold, ["A(c)", "B(d)", "∀x (A(x) → B(x))"])
    assert drifted.outcome is Outcome.NOT_EQUIVALENT
    assert sum(drifted.fitting) == 2


def test_missing_formula_is_invalid_while_others_count() -> None:
    found = held(["P(a)", "Q(a)"], ["A(c)", None])
    assert found.outcome is Outcome.INVALID
    assert found.sentences == (Outcome.EQUIVALENT, Outcome.INVALID)
    assert found.fitting == (True, False)
    assert found.concepts.aligned == 2
    assert found.concepts.all == 3


def test_concept_scores_distinguish_aligned_refined_and_merged() -> None:
    refined = held(["∀x (PopularShow(x) → Seen(x))"], ["∀x (Popular(x) ∧ Show(x) → Watched(x))"])
    assert refined.outcome is Outcome.NOT_EQUIVALENT
    assert images(refined) == {"PopularShow": "Popular ∧ Show", "Seen": "Watched"}
    assert (refined.concepts.aligned, refined.concepts.refined, refined.concepts.merged) == (1, 1, 0)
    assert refined.concepts.precision == pytest.approx(1 / 3)
    merged = held(["∀x (Cat(x) ∨ Dog(x) → Fed(x))"], ["∀x (Pet(x) → Fed(x))"])
    assert (merged.concepts.aligned, merged.concepts.refined, merged.concepts.merged) == (1, 0, 2)
    lost = held(["∀x (Cat(x) → Pet(x))"], ["∀x (Pet(x) → Pet(x))"])
    assert (lost.concepts.merged, lost.concepts.aligned) == (2, 0)
    named = held(["Cat(tom) ∧ Sleeps(tom)"], ["cat(Tom) → Dreams(Tom)"])
    assert (named.concepts.aligned, named.concepts.by_name) == (0, 2)
    extra = Symbol(SymbolKind.PREDICATE, "Extra", 1)
    wordy = held(["P(a)"], ["A(c)"], [extra, *symbols_of([parse("A(c)")])])
    assert wordy.outcome is Outcome.EQUIVALENT
    assert wordy.concepts.precision == pytest.approx(2 / 3)


def test_exhausted_search_bound_yields_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, wrong = "P(a, b) ∧ P(b, c) ∧ P(c, f(d))", "A(k, l) ∧ A(l, m) ∧ A(m, k) ∧ A(n, g(n))"
    assert held([gold], [wrong]).outcome is Outcome.NOT_EQUIVALENT
    monkeypatch.setattr(ontologies, "Search", partial(Search, checks=3))
    assert held([gold], [wrong]).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize("seed", range(40))
def test_map_search_agrees_with_exhaustive_search_on_edits(seed: int) -> None:
    from benchmarks.own_ontologies import by_all_maps, disguised

    golds = (
        "∀x (P(x) ∧ Q(x) → R(x, a))",
        "∃x ∀y (R(x, y) ↔ P(y)) ∨ Q(b)",
        "P(a) → (Q(a) ∧ ¬R(a, b))",
        "R(a, b) ∨ a = b",
    )
    gold = parse(golds[seed % len(golds)])
    changed = generator("edit", seed).choice([*edits(gold)]).formula
    (other,) = disguised([changed], seed)
    found = extraction([gold], [other], dict.fromkeys(symbols_of([other]), "")).outcome
    assert found is by_all_maps(gold, other, seed)


def test_disguises_are_deterministic_by_label() -> None:
    formula = parse("R(a, b) ∧ P(f(a))")
    symbols = symbols_of([formula])
    assert disguise(symbols, 1, "x") == disguise(symbols, 1, "x") != disguise(symbols, 2, "x")
    other = written(formula, disguise(symbols, 1, "x"))
    assert not {symbol.name for symbol in symbols} & {symbol.name for symbol in symbols_of([other])}


def test_reduction_drops_irrelevant_symbols_and_preserves_meaning() -> None:
    for text, left in (
        ("P(a) ∧ (Q(b) ∨ ¬Q(b))", {"P", "a"}),
        ("∀x (P(f(x)) → P(f(x))) ∧ Q(a)", {"Q", "a"}),
        ("∃x (x = f(a))", set()),
        ("P(f(a)) ∧ ∀x P(x)", {"P"}),
        ("∀x (P(x) → x = a) ∧ ¬∃x P(x)", {"P"}),
    ):
        found = reduced(parse(text))
        assert {symbol.name for symbol in found.symbols} == left
        assert found.is_certain
        numbered = symbols_of([found.formula])
        back = {number: identity(symbol) for number, symbol in zip(numbered, found.symbols, strict=True)}
        assert equivalence(written(found.formula, back), parse(text)).outcome is Outcome.EQUIVALENT


def of_names(*names: str, arity: int = 1) -> dict[Symbol, str]:
    """Return predicates with glosses, each as ``Name`` or ``Name: gloss``."""
    parts = (name.partition(": ") for name in names)
    return {Symbol(SymbolKind.PREDICATE, name, arity): gloss for name, _, gloss in parts}


@pytest.mark.parametrize(
    ("declared", "concepts", "in_order"),
    [
        ("Cube", ["Cube"], True),
        ("is_cube", ["Cube"], True),
        ("Cubes", ["Cube"], True),
        ("IsALargeThing", ["Large"], True),  # by the words of the gloss
        ("Big: {} is a large thing", ["Large"], False),
        ("Big: x is large thing", ["Large"], False),
        ("Box: is a cube", ["Cube"], False),
        ("Box", [], None),
        ("Cuboid", [], None),
        ("Box: is not a cube", [], None),
    ],
)
def test_anchoring_matches_words_in_name_and_gloss(declared: str, concepts: list[str], in_order: bool | None) -> None:
    ontology = of_names("Cube: {} is a cube", "Large: {} is a large thing")
    found = list(anchors(ontology, of_names(declared)).values())
    assert [sorted(symbol.name for symbol in anchor.concepts) for anchor in found] == ([concepts] if concepts else [])
    assert [anchor.in_order for anchor in found] == ([] if in_order is None else [in_order])


@pytest.mark.parametrize(
    ("cube", "pyramid", "concept"),
    [(0.9, 0.5, "Cube"), (0.6, 0.61, None), (0.61, 0.6, None), (0.49, 0.1, None), (0.5, 0.45, "Cube")],
)
def test_anchoring_falls_back_on_nearest_gloss_by_threshold_and_margin(
    cube: float, pyramid: float, concept: str | None
) -> None:
    ontology = of_names("Cube: {} is a cube", "Tet: {} is a pyramid") | of_names("Above: {} is above {}", arity=2)
    declared = of_names("Box: x is a box", "Tets: x is not asked about")
    pairs = [("is a box", "is a cube"), ("is a box", "is a pyramid")]
    assert compared(ontology, declared) == pairs
    cosines = dict(zip(pairs, (cube, pyramid), strict=True))
    found = anchors(ontology, declared, Nearness(cosines, 0.5, 0.0499))
    assert {one.name: [each.name for each in anchor.concepts] for one, anchor in found.items()} == {
        **({"Box": [concept]} if concept else {}),
        "Tets": ["Tet"],
    }


@pytest.mark.parametrize(
    ("gloss", "gold", "in_order"),
    [
        ("x is bigger than y", "{} is larger than {}", True),
        ("{} adores {}.", "{} loves {}", True),
        ("x is amid y and z", "{} is between {} and {}", True),
        ("x resides in the y", "{} lives in {}", True),
        ("y is bigger than x", "{} is larger than {}", False),
        ("is bigger than", "{} is larger than {}", False),
        ("x is adored by y", "{} loves {}", False),
        ("x has y on its left", "{} is to the left of {}", False),
        ("x is the home of y", "{} lives in {}", False),
        ("x is a box", "{} is a cube", False),
    ],
)
def test_gloss_word_order_determines_argument_order(gloss: str, gold: str, in_order: bool) -> None:
    ontology, declared = of_names(f"Gold: {gold}", arity=2), of_names(f"Own: {gloss}", arity=2)
    nearness = Nearness(dict.fromkeys(compared(ontology, declared), 0.9), 0.5, 0.05)
    (anchor,) = anchors(ontology, declared, nearness).values()
    assert anchor.in_order is in_order


@pytest.mark.parametrize(
    ("gold", "other", "outcome", "anchored", "why"),
    [
        ("∀x (Cat(x) → Animal(x))", "∀x (Feline(x) → Animal(x))", "equivalent", "equivalent", None),
        ("∀x (Cat(x) → Animal(x))", "∀x (Animal(x) → Cat(x))", "equivalent", "not_equivalent", "exchanged"),
        ("Loves(ann, bob)", "Loves(bob, ann)", "equivalent", "not_equivalent", "exchanged"),
        ("∀x Loves(x, ann)", "∀x Loves(ann, x)", "equivalent", "not_equivalent", "turned"),
        ("∀x Loves(x, ann)", "∀x LovedBy(ann, x)", "equivalent", "equivalent", None),
        ("Loves(ann, bob) ∧ Tall(ann)", "Loves(a, b) ∧ Tall(b)", "equivalent", "not_equivalent", "turned"),
        ("∀x (SmallCube(x) → P(x))", "∀x (Small(x) ∧ Cube(x) → P(x))", "not_equivalent", "not_equivalent", "refined"),
        (
            "∀x (Cat(x) → ∃y (Dog(y) ∧ R(x, y)))",
            "∀x (Pet(x) → ∃y (Pet(y) ∧ R(x, y)))",
            *["not_equivalent"] * 2,
            "merged",
        ),
        ("Cheap(a)", "¬Expensive(a)", "not_equivalent", "not_equivalent", "polarity"),
        ("Plays(ann, chess)", "PlaysChess(ann)", "not_equivalent", "not_equivalent", "arity"),
        ("∀x (Cube(x) → Red(x))", "∀x (Is(x, cube) → Is(x, red))", "not_equivalent", "not_equivalent", "reified"),
        ("P(a) ∧ Q(a)", "P(a) ∨ Q(a)", "not_equivalent", "not_equivalent", None),
    ],
)
def test_anchored_verdict_requires_anchored_map_and_gives_reason(
    gold: str, other: str, outcome: str, anchored: str, why: str | None
) -> None:
    found = held([gold], [other])
    assert (found.outcome, found.anchored, found.why) == (outcome, anchored, why)
