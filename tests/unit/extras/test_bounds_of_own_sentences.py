"""Bounds of the share of right sentences in own symbols: wrong answers that no words may tell to be right."""

import re
from collections.abc import Iterator

import pytest
from benchmarks.own_ontologies import IN_OTHER_WORDS, planted, tarski
from tests.unit.extras.test_ontology_extraction import tarski as rows

from nlfol.logic import Formula, Outcome, equivalence, parse
from nlfol.logic import syntax as fol
from nlfol.problems.alignment import Symbol
from nlfol.problems.programs.formulas.maps import written
from nlfol.problems.programs.symbols import SymbolKind, identity
from nlfol_extras.ontologies.alignment import Extraction, extraction, symbols_of

GOLD = tarski()[::3]
TEXTS = [text for _, text, _ in rows()][::3]
CONCEPTS = dict.fromkeys(symbols_of(GOLD), "")


def judged(gold: Formula, other: Formula, text: str = "", glosses: dict[Symbol, str] | None = None) -> Extraction:
    declared = glosses or dict.fromkeys(symbols_of([other]), "")
    return extraction([gold], [other], declared, CONCEPTS, sentences=[text])


def named(formula: Formula, names: dict[str, str]) -> Formula:
    symbols = {symbol: symbol._replace(name=names.get(symbol.name, symbol.name)) for symbol in symbols_of([formula])}
    return written(formula, {symbol: identity(other) for symbol, other in symbols.items()})


def saying_nothing(gold: Formula, text: str) -> Iterator[Formula]:
    x, thing = fol.Variable("x"), fol.Constant("it")
    atom = fol.Atom("Thing", (x,))
    yield fol.ForAll(x, fol.Implies(atom, atom))
    yield fol.Exists(x, fol.And(atom, fol.Not(atom)))
    yield fol.ForAll(x, atom)
    yield fol.Atom("Thing", (thing,))
    yield fol.fold(
        gold,
        lambda node, parts: (
            fol.Atom("Thing", node.arguments) if isinstance(node, fol.Atom) else fol.with_children(node, parts)
        ),
    )
    sentence = "".join(word.capitalize() for word in re.findall(r"[A-Za-z]+", text))
    yield fol.Atom(sentence, ())
    yield fol.Atom(sentence, (thing,))
    yield fol.ForAll(x, fol.Atom(sentence, (x,)))


def test_answers_that_say_nothing_are_not_right() -> None:
    found = [
        judged(gold, other, text)
        for gold, text in zip(GOLD, TEXTS, strict=True)
        for other in saying_nothing(gold, text)
    ]
    assert len(found) == 8 * len(GOLD)
    assert {each.scores["sentences_least"] for each in found} == {0}


def test_gold_of_another_sentence_is_not_right() -> None:
    others = [
        (gold, other)
        for gold, other in zip(GOLD, GOLD[1:] + GOLD[:1], strict=True)
        if equivalence(gold, other).outcome is not Outcome.EQUIVALENT
    ]
    assert len(others) > 60
    assert {judged(*each).scores["sentences_least"] for each in others} == {0}


def test_numbered_names_are_right_at_most() -> None:
    for gold in GOLD:
        symbols = symbols_of([gold])
        bare = written(
            gold, {symbol: identity(symbol._replace(name=f"P{number}")) for number, symbol in enumerate(symbols, 1)}
        )
        found = judged(gold, bare).scores
        assert (found["sentences_least"], found["sentences_most"]) == (0, 1)


@pytest.mark.parametrize("names", ["gold's", "other", "glossed"])
def test_exchanged_symbols_are_not_right(names: str) -> None:
    tried = 0
    for gold in GOLD:
        for _, wrong in planted(gold):
            if equivalence(gold, wrong).outcome is Outcome.EQUIVALENT:
                continue
            tried += 1
            other = wrong if names == "gold's" else named(wrong, {old: new for old, (new, _) in IN_OTHER_WORDS.items()})
            spoken = dict(IN_OTHER_WORDS.values()) if names == "glossed" else {}
            glosses = {symbol: spoken.get(symbol.name, "") for symbol in symbols_of([other])}
            found = judged(gold, other, glosses=glosses).scores
            assert found["sentences_least"] == 0, (str(gold), str(wrong))
    assert tried > 150


def test_words_of_each_symbol_make_a_sentence_right() -> None:
    gold = parse("∀x (Cube(x) → Large(x))")
    told = {
        Symbol(SymbolKind.PREDICATE, "Box", 1): "x is a cube",
        Symbol(SymbolKind.PREDICATE, "IsLarge", 1): "",
    }
    right = parse("∀x (Box(x) → IsLarge(x))")
    assert judged(gold, right, glosses=told).scores["sentences_least"] == 1
    assert judged(gold, right).scores["sentences_least"] == 0


def test_definitions_count_where_no_map_of_symbols_fits() -> None:
    (gold,) = [parse("∀x (Drinks(x) → Dependent(x))")]
    other = parse("∀x (Drink(x, coffee) → DependentOn(x, caffeine))")
    found = judged(gold, other, "Who drinks coffee is dependent on caffeine.").scores
    assert (found["sentences"], found["sentences_least"], found["sentences_most"]) == (0, 1, 1)
