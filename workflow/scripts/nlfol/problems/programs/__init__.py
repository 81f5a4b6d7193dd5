r"""Programs that models write for solvers; read by grammars, never run as code.

    >>> execute("clauses", "Facts:\nCold(Bob, True)\nQuery:\nCold(Bob, False)", ["A) True", "B) False"]).answer
    'B'

``formulas`` asks what premises entail of a conclusion; ``clauses`` chains rules forward; ``constraints`` asks which
option holds in all solutions; ``checks`` says for each option what is to be asked. The texts are those of Logic-LM
(Pan et al., Findings of EMNLP 2023).
"""

from collections.abc import Mapping, Sequence
from typing import Final

from nlfol.problems.programs.checks import CHECKS
from nlfol.problems.programs.clauses import CLAUSES
from nlfol.problems.programs.constraints import CONSTRAINTS
from nlfol.problems.programs.formulas import FORMULAS
from nlfol.problems.programs.language import (
    DEFAULT_POLICY,
    QUERY,
    FreeVariables,
    Lines,
    Policy,
    Program,
    SolverLanguage,
)
from nlfol.problems.programs.outcome import Execution, Failure, Outcome, ProgramError, Repair, RepairKind, traced

__all__ = [
    "CHECKS", "CLAUSES", "CONSTRAINTS", "FORMULAS", "LANGUAGES", "QUERY", "Execution", "Failure", "FreeVariables",
    "Lines", "Outcome", "Policy", "ProgramError", "Repair", "RepairKind", "SolverLanguage", "execute", "read",
    "solver_language", "traced",
]  # fmt: skip

LANGUAGES: Final[Mapping[str, SolverLanguage]] = {
    language.name: language for language in (FORMULAS, CLAUSES, CHECKS, CONSTRAINTS)
}


def solver_language(name: str) -> SolverLanguage:
    """Return the language of a name; raises ``ValueError`` if there is none."""
    language = LANGUAGES.get(name)
    if language is None:
        raise ValueError(f"{name[:80]!r} is no solver language; use one of {', '.join(LANGUAGES)}")
    return language


def read(language: str, text: str) -> Program:
    """Read a program; raises ``ProgramError`` if the text is not one, ``ValueError`` without such a language."""
    return solver_language(language).read(text)


def execute(language: str, text: str, options: Sequence[str] = (), policy: Policy = DEFAULT_POLICY) -> Execution:
    """Execute a program, as ``SolverLanguage.execute`` does; raises ``ValueError`` if there is no such language."""
    return solver_language(language).execute(text, options, policy)
