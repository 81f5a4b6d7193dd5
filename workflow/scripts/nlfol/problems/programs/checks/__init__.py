"""Checks: sorts, functions and constraints on them, with a check for each option, executed by Z3.

They are Logic-LM's programs for AR-LSAT (Pan et al., Findings of EMNLP 2023). No dataset has gold programs of checks,
so their lines are not aligned.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from typing_extensions import override

from nlfol.problems.programs.checks.reading import HEADINGS, CheckProgram, read_checks
from nlfol.problems.programs.checks.solving import execute_checks
from nlfol.problems.programs.language import Derivation, FreeVariables, Lines, Placed, Policy, SolverLanguage, Words
from nlfol.problems.programs.outcome import Execution, Outcome, ProgramError, RepairKind, by_letter
from nlfol.problems.programs.symbols import Fits, Image, LineError, Numbered, Symbol

__all__ = ["CHECKS", "CheckProgram", "execute_checks", "read_checks"]


class _Checks(SolverLanguage):
    name: ClassVar[str] = "checks"
    headings: ClassVar[Mapping[str, str]] = HEADINGS
    stating: ClassVar[tuple[str, ...]] = ("constraints",)
    asking: ClassVar[str] = "options"
    words: ClassVar[Words] = Words(
        *("a constraint", "constraints", "check", "a member of a sort"),
        sentence="Ann works on Monday, or she works later than Bob",
        units=(("Ann works on Monday", "on(Ann) == 1"), ("Ann works later than Bob", "on(Ann) > on(Bob)")),
        declared=("on", "Function([people] -> [days])"),
    )
    asks_options: ClassVar[bool] = True
    has_conjunctions: ClassVar[bool] = False

    @override
    def read(self, text: str) -> CheckProgram:
        return read_checks(text)

    @override
    def letters(self, options: Sequence[str]) -> Mapping[str, str]:
        return {letter: letter for letter in by_letter(options)}

    @override
    def run(self, program: CheckProgram, letters: Mapping[str, str], policy: Policy) -> Execution:
        is_free = policy.free_variables is not FreeVariables.INVALID
        try:
            held, further = execute_checks(program, budget=policy.budget, free=is_free)
        except ProgramError as error:
            return Execution(Outcome.UNPARSABLE, repairs=program.repairs, error=str(error), line=error.line)
        repairs, trace = (*program.repairs, *further), {"options": held}
        liberties = [repair for repair in further if repair.kind is not RepairKind.FREE_VARIABLE]
        if policy.strict and liberties:
            reason = f"{liberties[0]}: not in strict reading"
            return Execution(Outcome.UNPARSABLE, repairs=repairs, error=reason, line=liberties[0].line)
        answers = [letter for letter, holds in held.items() if holds and letter in (letters or held)]
        if len(answers) == 1:
            return Execution(Outcome.ANSWERED, answers[0], trace, repairs)
        reason = f"the checks of options {', '.join(answers)} succeed" if answers else "no option's check succeeds"
        return Execution(Outcome.NO_ANSWER, None, trace, repairs, reason)

    @override
    def sections(
        self, stated: Sequence[Placed], asked: Sequence[Placed], variables: Sequence[Placed], *, declared: bool = True
    ) -> Mapping[str, Sequence[Placed]]:
        declarations = [(place, line.replace(" [IN] ", " = ", 1)) for place, line in variables]
        return {"Declarations": declarations, "Constraints": stated, "Options": asked}

    @override
    def derive(self, lines: Lines) -> Derivation:
        held, _ = execute_checks(read_checks(lines.text))
        return Derivation(None, "solutions", None, tuple(letter for letter, holds in held.items() if holds))

    @override
    def numbered(self, lines: tuple[str, ...]) -> Numbered:
        raise LineError("lines of checks are not aligned")

    @override
    def fits(self, gold: Numbered, other: Numbered) -> Fits:
        return Fits((), exhaustive=False)

    @override
    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        raise LineError("lines of checks are not aligned")

    @override
    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        return None


CHECKS = _Checks()
