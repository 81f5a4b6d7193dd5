"""Formulas with all that is known of them: the one table that the tests of the logic share."""

from collections.abc import Callable
from dataclasses import dataclass

from nlfol.logic.reading import parse
from nlfol.logic.syntax import Constant, Formula, Function, Term


@dataclass(frozen=True)
class Example:
    """A text and what it stands for."""

    text: str
    canonical: str
    latex: str
    tptp: str
    operators: int
    quantifiers: int
    free: tuple[str, ...] = ()
    warnings: int = 0


EXAMPLES = (
    Example("Tall(ann)", "Tall(ann)", r"\mathrm{Tall}(\mathrm{ann})", "tall(ann)", 0, 0),
    Example("((P(a)))", "P(a)", r"\mathrm{P}(a)", "p(a)", 0, 0),
    Example("¬ ¬P(a)", "¬¬P(a)", r"\lnot \lnot \mathrm{P}(a)", "~ ~ p(a)", 2, 0),
    Example("a≠b", "a ≠ b", r"a \neq b", "~ (a = b)", 1, 0),
    Example("¬(a = b)", "a ≠ b", r"a \neq b", "~ (a = b)", 1, 0),
    Example("¬ a ≠ b", "¬a ≠ b", r"\lnot a \neq b", "~ ~ (a = b)", 2, 0),
    Example("f(a,g(b)) = c", "f(a, g(b)) = c", r"f(a, g(b)) = c", "(f(a, g(b)) = c)", 0, 0),
    Example("∀x(Dog(x)→Animal(x))", "∀x (Dog(x) → Animal(x))",
        r"\forall x\, (\mathrm{Dog}(x) \rightarrow \mathrm{Animal}(x))", "![X]: (dog(X) => animal(X))", 1, 1),
    Example("∀x Dog(x) → Animal(rex)", "∀x Dog(x) → Animal(rex)",
        r"\forall x\, \mathrm{Dog}(x) \rightarrow \mathrm{Animal}(\mathrm{rex})", "(![X]: dog(X) => animal(rex))",
        1, 1),
    Example("∀x Dog(x) → Animal(x)", "∀x (Dog(x) → Animal(x))",
        r"\forall x\, (\mathrm{Dog}(x) \rightarrow \mathrm{Animal}(x))", "![X]: (dog(X) => animal(X))", 1, 1,
        warnings=1),
    Example("∃x (P(x)) ∧ (Q(y) ∨ R(a, y))", "∃x P(x) ∧ (Q(y) ∨ R(a, y))",
        r"\exists x\, \mathrm{P}(x) \land (\mathrm{Q}(y) \lor \mathrm{R}(a, y))",
        "(?[X]: p(X) & (q(Y) | r(a, Y)))", 2, 1, ("y",)),
    Example("(∃x P(x)) ∧ Q(x)", "(∃x P(x)) ∧ Q(x)", r"(\exists x\, \mathrm{P}(x)) \land \mathrm{Q}(x)",
        "(?[X]: p(X) & q(X))", 1, 1, ("x",)),
    Example("P(a) ⊕ Q(a) ↔ ¬(P(a) ↔ Q(a))", "P(a) ⊕ Q(a) ↔ ¬(P(a) ↔ Q(a))",
        r"\mathrm{P}(a) \oplus \mathrm{Q}(a) \leftrightarrow \lnot (\mathrm{P}(a) \leftrightarrow \mathrm{Q}(a))",
        "((p(a) <~> q(a)) <=> ~ (p(a) <=> q(a)))", 4, 0),
    Example("(P(a) → Q(a)) → R(a) → S(a)", "(P(a) → Q(a)) → R(a) → S(a)",
        r"(\mathrm{P}(a) \rightarrow \mathrm{Q}(a)) \rightarrow \mathrm{R}(a) \rightarrow \mathrm{S}(a)",
        "((p(a) => q(a)) => (r(a) => s(a)))", 3, 0),
    Example("∀x_1 ∃y Is_in(x_1, f_2(y))", "∀x_1 ∃y Is_in(x_1, f_2(y))",
        r"\forall \mathrm{x\_1}\, \exists y\, \mathrm{Is\_in}(\mathrm{x\_1}, \mathrm{f\_2}(y))",
        "![X_1]: ?[Y]: is_in(X_1, f_2(Y))", 0, 2),
    Example("P(p) ∧ p(P)", "P(p) ∧ p(P)", r"\mathrm{P}(p) \land \mathrm{p}(P)", "(p(p_4) & p_2(p_3))", 1, 0),
)  # fmt: skip


def iterated(function: str, times: int, argument: Term | None = None) -> Term:
    """f(f(... f(a)))."""
    term: Term = argument or Constant("a")
    for _ in range(times):
        term = Function(function, (term,))
    return term


def nested(step: Callable[[Formula], Formula], times: int, formula: Formula) -> Formula:
    """The formula with a step done to it over and over."""
    for _ in range(times):
        formula = step(formula)
    return formula


def formulas() -> list[Formula]:
    """The examples' formulas."""
    return [parse(example.text) for example in EXAMPLES]
