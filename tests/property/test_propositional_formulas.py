"""10,000 random formulas of propositional letters, some of them with predicates beside the letters."""

from functools import cache
from random import Random

import pytest

from nlfol.logic import Outcome, Structure, equivalence, holds, parse, read_tolerantly
from nlfol.logic.printing import to_latex, to_smtlib, to_tptp, to_unicode
from nlfol.logic.reading.automaton import read_fully
from nlfol.logic.reading.fast import formula_of
from nlfol.logic.reading.tokens import Letters
from nlfol.logic.rewriting import rewrites
from nlfol.logic.syntax import (
    BINARY,
    QUANTIFIED,
    And,
    Atom,
    Constant,
    ExclusiveOr,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Variable,
    fold,
    with_children,
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


def table(formula: Formula) -> int:
    """The last column of the truth table: bit i is the truth in line i, in which letter k is true if bit k of i is."""

    def step(node: Formula, parts: tuple[int, ...]) -> int:
        match node:
            case Atom(name, ()):
                return sum(1 << line for line in range(64) if line >> NAMES.index(name) & 1)
            case Not():
                return parts[0] ^ (2**64 - 1)
            case And():
                return parts[0] & parts[1]
            case Or():
                return parts[0] | parts[1]
            case ExclusiveOr():
                return parts[0] ^ parts[1]
            case Implies():
                return (parts[0] ^ (2**64 - 1)) | parts[1]
            case Iff():
                return parts[0] ^ parts[1] ^ (2**64 - 1)
        raise AssertionError(node)

    return fold(formula, step)


def renamed(formula: Formula, name: str) -> Formula:
    """Letters as TPTP and SMT-LIB have them."""

    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        if isinstance(node, Atom):
            first, rest = node.predicate[0], node.predicate[1:]
            return Atom(name.format(first.lower() + rest, first + rest), ())
        return with_children(node, parts)

    return fold(formula, step)


@pytest.mark.parametrize("mixed", [False, True])
def test_both_strict_readers_take_back_what_is_printed(mixed: bool) -> None:
    found = formulas(mixed=mixed)
    for formula in found:
        text = to_unicode(formula)
        assert text == str(formula)
        assert parse(text, propositions=True) is formula
        assert read_fully(text, EVERY).formula is formula
        assert formula_of(text, EVERY) in (formula, None)
    assert sum(formula_of(str(formula), EVERY) is formula for formula in found) > 0.9 * len(found)


@pytest.mark.parametrize("mixed", [False, True])
def test_the_tolerant_reader_takes_back_unicode_and_latex(mixed: bool) -> None:
    for formula in formulas(mixed=mixed):
        assert read_tolerantly(to_unicode(formula), propositions=True).formula is formula
        assert read_tolerantly(to_latex(formula), propositions=True).formula is formula


def test_the_tolerant_reader_takes_back_tptp() -> None:
    for formula in formulas():
        reading = read_tolerantly(f"fof(name, axiom, {to_tptp(formula)}).", propositions=True)
        assert reading.dialect == "tptp"
        assert reading.formula is renamed(formula, "{0}")


def test_the_tolerant_reader_takes_back_smtlib() -> None:
    for formula in formulas():
        reading = read_tolerantly(to_smtlib(formula), propositions=True)
        assert reading.dialect == "smtlib"
        assert reading.formula is renamed(formula, "p_{1}")


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
