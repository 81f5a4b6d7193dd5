"""Clauses: facts, rules and a query with truth values, executed by forward chaining."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, ClassVar, cast

from typing_extensions import override

from nlfol.logic import Formula, to_unicode
from nlfol.logic.syntax import And, Atom, Constant, ForAll, Implies, Not, Variable
from nlfol.problems.programs.clauses import maps
from nlfol.problems.programs.clauses.chaining import chain, contradiction, derived, execute_clauses, truth_of
from nlfol.problems.programs.clauses.reading import HEADINGS, VARIABLE, Clause, ClauseProgram, Literal, read_clauses
from nlfol.problems.programs.language import QUERY, Derivation, Lines, Placed, Policy, SolverLanguage, Words
from nlfol.problems.programs.outcome import Execution, Truth, answered
from nlfol.problems.programs.symbols import Fits, Image, Numbered, Symbol

__all__ = [
    "CLAUSES", "Clause", "ClauseProgram", "Literal", "chain", "contradiction", "derived", "read_clauses", "truth_of",
]  # fmt: skip

_ARROW = re.compile(r">>|[-=]>|[→⇒⟶]|:-")
_LITERAL = re.compile(r"\b(\w++)\(([^()]*), (?:True|False)\)")


class _Clauses(SolverLanguage):
    name: ClassVar[str] = "clauses"
    headings: ClassVar[Mapping[str, str]] = HEADINGS
    stating: ClassVar[tuple[str, ...]] = ("facts", "rules")
    words: ClassVar[Words] = Words(
        *("a fact or rule", "facts and rules", "fact"),
        arity_note="; the truth value does not count",
        sentence="If someone is cold and not kind, they are sad",
        units=(
            ("someone is cold", "Cold($x, True)"),
            ("they are kind", "Kind($x, True)"),
            ("they are sad", "Sad($x, True)"),
        ),
    )
    asks_conjunctions: ClassVar[bool] = False
    refuses_by_repair: ClassVar[bool] = False
    vacuous: ClassVar[tuple[str, str] | None] = ("Foo(bar, True)", "Foo(baz, True)")

    @override
    def read(self, text: str) -> ClauseProgram:
        return read_clauses(text)

    @override
    def read_strictly(self, text: str) -> ClauseProgram:
        return read_clauses(text, strict=True)

    @override
    def run(self, program: ClauseProgram, letters: Mapping[Truth, str], policy: Policy) -> Execution:
        truth, trace = execute_clauses(program, policy.steps, strict=policy.strict)
        return answered(truth, {Truth.UNKNOWN: letters[Truth.FALSE], **letters}, trace, program.repairs)

    @override
    def sections(
        self, stated: Sequence[Placed], asked: Sequence[Placed], variables: Sequence[Placed], *, declared: bool = True
    ) -> Mapping[str, Sequence[Placed]]:
        facts, rules = list[Placed](), list[Placed]()
        for placed in stated:
            (rules if _ARROW.search(placed[1]) else facts).append(placed)
        predicates = [("", line) for line in _declarations([*stated, *asked])] if declared else []
        return {**({"Predicates": predicates} if predicates else {}), "Facts": facts, "Rules": rules, "Query": asked}

    @override
    def derive(self, lines: Lines) -> Derivation:
        program = read_clauses(self.gold(lines))
        return derived(program.clauses, program.query)

    @override
    def asks_of_the_unsaid(self, lines: Lines) -> bool:
        stated = {name for group in lines.lines.values() for line in group for name, _ in _LITERAL.findall(line)}
        return not {name for name, _ in _LITERAL.findall(lines.asked[QUERY])} <= stated

    @override
    def writer(self, language: SolverLanguage) -> Callable[[str], str] | None:
        return _formula if language.name == "formulas" else super().writer(language)

    @override
    def normalized(self, program: Lines) -> Lines:
        return program.changed(maps.marked(program.places, QUERY))

    @override
    def numbered(self, lines: tuple[str, ...]) -> Numbered:
        return maps.numbered(maps.read(lines))

    @override
    def fits(self, gold: Numbered, other: Numbered) -> Fits:
        return maps.fits(cast("maps.Shape", gold.shape), cast("maps.Shape", other.shape))

    @override
    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        return tuple(maps.renamed(maps.read(lines), image))

    @override
    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        return maps.difference(maps.read(first), maps.read(second))


CLAUSES = _Clauses()


def _declarations(lines: Sequence[Placed]) -> list[str]:
    """Return what the section ``Predicates`` declares, in the order of first use."""
    declared: dict[str, None] = {}
    for _, line in lines:
        for name, arguments in _LITERAL.findall(line):
            variables = [f"${letter}" for letter, _ in zip("xyz", arguments.split(","), strict=False)]
            declared[f"{name}({', '.join((*variables, 'bool'))})"] = None
    return list(declared)


def _formula(line: str) -> str:
    """Return a clause as a formula, a rule for all that it may be about."""
    clause = read_clauses(f"Facts:\n{line}\nQuery:\nAny(thing, True)").clauses[0]
    heads = _joined(clause.heads)
    formula = Implies(_joined(clause.body), heads) if clause.body else heads
    variables = dict.fromkeys(name for literal in (*clause.body, *clause.heads) for name in literal.variables)
    for name in reversed(variables):
        formula = ForAll(Variable(name.removeprefix(VARIABLE)), formula)
    return to_unicode(formula)


def _joined(literals: Sequence[Literal]) -> Formula:
    return reduce(And, map(_of_literal, literals))


def _of_literal(literal: Literal) -> Formula:
    terms = (
        Variable(name.removeprefix(VARIABLE)) if name.startswith(VARIABLE) else Constant(name)
        for name in literal.arguments
    )
    atom = Atom(literal.predicate, tuple(terms))
    return atom if literal.value else Not(atom)
