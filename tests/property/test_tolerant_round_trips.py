"""Formulas written in a dialect are read back as the tree that was written."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.property.strategies import closed_formulas, formulas

from nlfol.logic.errors import FormulaError, FormulaSyntaxError
from nlfol.logic.measuring import free_variables
from nlfol.logic.printing import to_latex, to_tptp, to_unicode
from nlfol.logic.reading import read, read_tolerantly
from nlfol.logic.syntax import (
    BINARY,
    CONNECTIVES,
    Atom,
    Constant,
    Equality,
    Exists,
    ForAll,
    Formula,
    Function,
    Not,
    Term,
    Variable,
    distinct_subformulas,
    fold,
    with_children,
)

examples = settings(max_examples=50, suppress_health_check=list(HealthCheck))


@dataclass(frozen=True)
class Dialect:
    """A way to write everything; all binary formulas get parentheses."""

    signs: str = "¬ ∧ ∨ ⊕ → ↔"
    universal: str = "∀{} {}"
    existential: str = "∃{} {}"
    unequal: str = ""
    bare: bool = False  # a quantified binary formula loses its parentheses, and the quantified one gets some
    prefix: bool = False  # Lean's application
    functional: bool = False

    def term(self, term: Term, inside: bool = False) -> str:
        if not isinstance(term, Function):
            return term.name
        parts = [self.term(part, True) for part in term.arguments]
        if self.prefix:
            return f"({term.name} {' '.join(parts)})" if inside else f"{term.name} {' '.join(parts)}"
        return f"{term.name}({','.join(parts)})"

    def write(self, formula: Formula) -> str:
        negation, *connectives = self.signs.split()
        infix = dict(zip(CONNECTIVES, connectives, strict=True))
        match formula:
            case Atom(name, arguments):
                if self.prefix:
                    return f"{name} {' '.join(self.term(a, True) for a in arguments)}"
                return f"{name}({', '.join(map(self.term, arguments))})"
            case Equality(a, b):
                return f"{self.term(a)} = {self.term(b)}"
            case Not(Equality(a, b)) if self.unequal:
                return f"{self.term(a)} {self.unequal} {self.term(b)}"
            case Not(inner):
                blank = " " if negation[-1].isalpha() and not self.functional else ""
                return f"{negation}{blank}({self.write(inner)})"
            case ForAll(variable, body) | Exists(variable, body):
                pattern = self.universal if isinstance(formula, ForAll) else self.existential
                written = self.write(body)
                if not self.bare:
                    return pattern.format(variable.name, written)
                if isinstance(body, BINARY):
                    written = written[1:-1]
                return f"({pattern.format(variable.name, written)})"
            case _:
                sign, left, right = infix[formula.sign], self.write(formula.left), self.write(formula.right)
                return f"{sign}({left}, {right})" if self.functional else f"({left} {sign} {right})"


PLAIN: dict[str, Callable[[Formula], str]] = {
    "latex": to_latex,
    "latex in dollars": lambda f: f"${to_latex(f)}$",
    "latex with dots": Dialect(
        r"\neg \wedge \vee \oplus \Rightarrow \iff", r"\forall {}.\ {}", r"\exists {}.\ {}", r"\not=", bare=True
    ).write,
    "c": Dialect("! && || <~> => <=>", "forall {} ({})", "exists {} ({})", "!=").write,
    "words": Dialect("not and or xor implies iff", "forall {} ({})", "exists {} ({})").write,
    "capital words": Dialect("NOT AND OR XOR IMPLIES IFF", "FORALL {} ({})", "EXISTS {} ({})", "!=").write,
    "prover9": Dialect("- & | ⊕ -> <->", "all {} ({})", "exists {} ({})", "!=").write,
    "prover9 with a full stop": lambda f: Dialect("- & | ⊕ -> <->", "all {} {}", "exists {} {}").write(f) + ".",
    "nltk": Dialect("- & | ⊕ -> <->", "all {}.({})", "exists {}.({})", "!=").write,
    "tptp signs": Dialect("~ & | <~> => <=>", "![{}]: {}", "?[{}]: {}", "!=").write,
    "dots": Dialect(universal="∀{}. {}", existential="∃{}. {}", bare=True).write,
    "colons": Dialect(universal="∀{}: {}", existential="∃{}: {}", bare=True).write,
    "commas": Dialect(universal="∀{}, {}", existential="∃{}, {}", bare=True).write,
    "brackets": Dialect(universal="∀({})[{}]", existential="∃({})[{}]").write,
    "quantifiers in parentheses": Dialect(universal="(∀{})({})", existential="(∃{})({})").write,
    "functional quantifiers": Dialect(universal="ForAll({}, {})", existential="Exists({}, {})").write,
    "look-alikes": Dialect("∼ ⋀ ⋁ ⊻ ⟶ ⟺", "∀{}（{}）", "∃{}（{}）").write,
    "strict": to_unicode,
    "code fence": lambda f: f"```fol\n{to_unicode(f)}\n```",
    "announced": lambda f: f"The formula is as follows.\n\nAnswer: {to_unicode(f)}",
}
"""Dialects that keep every name."""

MINIMAL = ("strict", "latex", "latex in dollars", "code fence", "announced")
"""Those of them in which a free variable cannot be caught."""

FUNCTIONAL = Dialect("Not And Or Xor Implies Iff", "ForAll({}, {})", "Exists({}, {})", functional=True)
LEAN = Dialect(universal="∀ {}, {}", existential="∃ {}, {}", unequal="≠", bare=True, prefix=True)


def renamed(formula: Formula, name: Callable[[str, str], str]) -> Formula:
    """The formula with each symbol called ``name(kind, its name)``."""

    def term(node: Term) -> Term:
        match node:
            case Variable(old):
                return Variable(name("v", old))
            case Constant(old):
                return Constant(name("c", old))
            case Function(old, arguments):
                return Function(name("f", old), tuple(map(term, arguments)))

    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        match node:
            case Atom(predicate, arguments):
                return Atom(name("p", predicate), tuple(map(term, arguments)))
            case Equality(a, b):
                return Equality(term(a), term(b))
            case ForAll(variable) | Exists(variable):
                return type(node)(Variable(name("v", variable.name)), parts[0])
            case _:
                return with_children(node, parts)

    return fold(formula, step)


def is_quantified(formula: Formula) -> bool:
    return any(isinstance(node, ForAll | Exists) for node in distinct_subformulas(formula))


def can_be_written(formula: Formula) -> bool:
    try:
        return read(to_unicode(formula)).formula is formula
    except FormulaError:
        return False


@pytest.mark.parametrize("dialect", PLAIN)
@given(formula=formulas())
@examples
def test_tolerant_reader_round_trips_dialects(dialect: str, formula: Formula) -> None:
    assume(can_be_written(formula))
    # Without minimal parentheses a free variable may be caught by a quantifier: only closed formulas are plain.
    assume(dialect in MINIMAL or not free_variables(formula))
    assert read_tolerantly(PLAIN[dialect](formula)).formula is formula


@given(formula=closed_formulas())
@examples
def test_tolerant_reader_round_trips_functional_connectives(formula: Formula) -> None:
    assert read_tolerantly(FUNCTIONAL.write(formula)).formula is formula


@given(formula=closed_formulas())
@examples
def test_tolerant_reader_round_trips_tptp(formula: Formula) -> None:
    written = to_tptp(formula)
    reading = read_tolerantly(f"fof(name, axiom, {written}).")
    assert reading.dialect == "tptp"
    assert to_tptp(reading.formula) == written
    assert reading.formula is renamed(formula, lambda kind, n: n.upper() if kind == "v" else n.lower())


@given(st.text(alphabet="()[]{},.:;!?~&|<>-=^∀∃∧∨¬→↔⊕≠λ$\\`*'\"_ \nxyPQaf1") | st.text())
@settings(examples, max_examples=600)
def test_tolerant_reader_reads_or_refuses_any_text(text: str) -> None:
    for propositions in (False, True):
        with suppress(FormulaSyntaxError):
            reading = read_tolerantly(text, propositions=propositions)
            assert reading.formula not in reading.alternatives


@given(formula=closed_formulas())
@examples
def test_tolerant_reader_round_trips_lean(formula: Formula) -> None:
    assume(is_quantified(formula) and any(isinstance(node, Atom) for node in distinct_subformulas(formula)))
    reading = read_tolerantly(LEAN.write(formula))
    assert reading.formula is formula
    assert reading.dialect == "lean"
