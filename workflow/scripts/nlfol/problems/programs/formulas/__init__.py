"""Formulas: premises and a conclusion, executed by entailment."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, cast

from typing_extensions import override

from nlfol.logic import Formula, to_unicode
from nlfol.logic import syntax as fol
from nlfol.logic.rewriting import negation_normal_form
from nlfol.problems.programs.formulas import maps
from nlfol.problems.programs.formulas.program import HEADINGS, FormulaProgram, derived, execute_formulas, read_formulas
from nlfol.problems.programs.language import Derivation, Lines, Placed, Policy, SolverLanguage, Words
from nlfol.problems.programs.outcome import Execution, Truth, answered
from nlfol.problems.programs.symbols import Fits, Image, Numbered, Symbol

__all__ = ["FORMULAS", "derived"]

MAX_DOUBLING = 4
"""Connectives of a formula that its negation normal form writes twice, above which it is not made."""


class _Formulas(SolverLanguage):
    name: ClassVar[str] = "formulas"
    headings: ClassVar[Mapping[str, str]] = HEADINGS
    stating: ClassVar[tuple[str, ...]] = ("premises",)
    asking: ClassVar[str] = "conclusion"
    words: ClassVar[Words] = Words(
        *("a formula", "formulas", "formula"),
        sentence="If someone is cold and not kind, they are sad",
        units=(("someone is cold", "Cold(x)"), ("they are kind", "Kind(x)"), ("they are sad", "Sad(x)")),
    )
    vacuous: ClassVar[tuple[str, str] | None] = ("Foo(bar)", "Foo(baz)")

    @override
    def read(self, text: str) -> FormulaProgram:
        return read_formulas(text)

    @override
    def run(self, program: FormulaProgram, letters: Mapping[Truth, str], policy: Policy) -> Execution:
        truth, trace, further = execute_formulas(
            program, policy.free_variables, policy.budget, explains=policy.explains
        )
        return answered(truth, letters, trace, (*program.repairs, *further))

    @override
    def sections(
        self, stated: Sequence[Placed], asked: Sequence[Placed], variables: Sequence[Placed], *, declared: bool = True
    ) -> Mapping[str, Sequence[Placed]]:
        return {"Premises": stated, "Conclusion": asked}

    @override
    def derive(self, lines: Lines) -> Derivation:
        program = read_formulas(self.gold(lines))
        return derived(program.premises, program.conclusion)

    @override
    def numbered(self, lines: tuple[str, ...]) -> Numbered:
        return maps.remembered(maps.read(lines))

    @override
    def fits(self, gold: Numbered, other: Numbered) -> Fits:
        return maps.fits(cast("Formula", gold.shape), cast("Formula", other.shape))

    @override
    def shape(self, lines: tuple[str, ...]) -> str:
        formula = maps.read(lines)
        doubling = sum(isinstance(node, fol.Iff | fol.ExclusiveOr) for _, node in fol.subformulas(formula))
        normal = negation_normal_form(formula) if doubling <= MAX_DOUBLING else formula
        return to_unicode(cast("Formula", maps.numbered(normal).shape))

    @override
    def rewritten(self, lines: tuple[str, ...], images: Mapping[Symbol, Image]) -> tuple[str, ...]:
        return (to_unicode(maps.written(maps.read(lines), images)),)

    @override
    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        return (to_unicode(maps.renamed(maps.read(lines), image)),)

    @override
    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        return maps.same(maps.read(first), maps.read(second))

    @override
    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        return maps.difference(maps.read(first), maps.read(second))


FORMULAS = _Formulas()
