"""10,000 random formulas of propositional letters, some of them with predicates beside the letters."""

from collections.abc import Callable
from functools import cache
from operator import and_, or_, xor
from random import Random

import pytest
from tests.property.test_tolerant_round_trips import renamed

from nlfol.logic import Outcome, Structure, equivalence, holds, parse, read_tolerantly
from nlfol.logic.printing import to_latex, to_tptp, to_unicode
from nlfol.logic.reading.automaton import read_fully
from nlfol.logic.reading.strict import formula_of
from nlfol.logic.reading.tokens import Letters
from nlfol.logic.rewriting import rewrites
from nlfol.logic.syntax import (
    BINARY,
    QUANTIFIED,
    Atom,
    Constant,
    Formula,
    Not,
    Variable,
    fold,
)

COUNT = 10_000
NAMES = ("p", "q", "Rain", "wet_2", "x1", "v")
EVERY = Letters(every=True)


def _formula(draw: Random, operators: int, names: tuple[str, ...], *, mixed: bool) -> Formula:
    if not operators:
        if mixed and draw.random() < 0.4:
            return Atom(draw.choice("PQ"), (draw.choice((Constant("a"), Constant("p"))),))
        return Atom(draw.choice(names), ())
    if draw.random() < 0.2:
        return Not(_formula(draw, operators - 1, names, mixed=mixed))
    if mixed and draw.random() < 0.3:
        body = _formula(draw, operators - 1, names, mixed=mixed)
        return draw.choice(QUANTIFIED)(Variable("y"), draw.choice(BINARY)(Atom("P", (Variable("y"),)), body))
    left = draw.randrange(operators)
    parts = (_formula(draw, size, names, mixed=mixed) for size in (left, operators - 1 - left))
    return draw.choice(BINARY)(*parts)


@cache
def formulas(*, mixed: bool = False) -> list[Formula]:
    draw = Random("mixed" if mixed else "propositional")
    drawn = (
        _formula(draw, draw.randrange(6), tuple(draw.sample(NAMES, draw.randint(1, 4))), mixed=mixed)
        for _ in range(COUNT // 10 if mixed else COUNT)
    )
    # A formula drawn again would only be tested again.
    return list(dict.fromkeys(drawn))


LINES = 2 ** len(NAMES)
FULL = 2**LINES - 1
COLUMNS = {name: sum(1 << line for line in range(LINES) if line >> k & 1) for k, name in enumerate(NAMES)}
TRUTH_TABLES: dict[str, Callable[..., int]] = {"¬": FULL.__xor__, "∧": and_, "∨": or_, "⊕": xor}
TRUTH_TABLES |= {"→": lambda a, b: (a ^ FULL) | b, "↔": lambda a, b: a ^ b ^ FULL}


def table(formula: Formula) -> int:
    """The last column of the truth table: bit i is the truth in line i, in which letter k is true if bit k of i is."""
    return fold(
        formula,
        lambda node, parts: COLUMNS[node.predicate] if isinstance(node, Atom) else TRUTH_TABLES[node.sign](*parts),
    )


@pytest.mark.parametrize("mixed", [False, True])
def test_strict_readers_read_printed_propositional_formulas(mixed: bool) -> None:
    found = formulas(mixed=mixed)
    for formula in found:
        text = to_unicode(formula)
        assert text == str(formula)
        assert parse(text, propositions=True) is formula
        assert read_fully(text, EVERY).formula is formula
        assert formula_of(text, EVERY) in (formula, None)
    assert sum(formula_of(str(formula), EVERY) is formula for formula in found) > 0.9 * len(found)


@pytest.mark.parametrize("mixed", [False, True])
def test_tolerant_reader_reads_unicode_and_latex(mixed: bool) -> None:
    for formula in formulas(mixed=mixed):
        assert read_tolerantly(to_unicode(formula), propositions=True).formula is formula
        assert read_tolerantly(to_latex(formula), propositions=True).formula is formula


def test_tolerant_reader_reads_tptp() -> None:
    for formula in formulas():
        reading = read_tolerantly(f"fof(name, axiom, {to_tptp(formula)}).", propositions=True)
        assert reading.dialect == "tptp"
        assert reading.formula is renamed(formula, lambda _, name: name[0].lower() + name[1:])


def test_equivalence_agrees_with_truth_tables() -> None:
    found = formulas()
    draw = Random("variants")
    pairs = list(zip(found, [*found[1:], found[0]], strict=True))
    pairs += [(formula, draw.choice([r.formula for r in rewrites(formula)])) for formula in found[::2]]
    tables = {formula: table(formula) for pair in pairs for formula in pair}
    same = 0
    for first, second in pairs:
        verdict = equivalence(first, second)
        expected = tables[first] == tables[second]
        same += expected
        assert verdict.outcome is (Outcome.EQUIVALENT if expected else Outcome.NOT_EQUIVALENT)
        if not expected:
            assert verdict.counter_model is not None
            structure = Structure.from_json(verdict.counter_model.to_json())
            assert holds(first, structure) is not holds(second, structure)
    assert len(found) / 2 < same < len(found)
