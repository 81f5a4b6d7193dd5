"""The solver languages by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from nlfol.programs.clauses import CLAUSES
from nlfol.programs.constraints import CONSTRAINTS
from nlfol.programs.formulas import FORMULAS
from nlfol.programs.language import DEFAULT_POLICY, Policy, Program, SolverLanguage
from nlfol.programs.outcome import Execution

LANGUAGES: Final[Mapping[str, SolverLanguage]] = {
    language.name: language
    for language in (
        FORMULAS,
        CLAUSES,
        CONSTRAINTS,
    )
}


def solver_language(name: str) -> SolverLanguage:
    """Return the language of a name.

    Raises:
        ValueError: if there is none.
    """
    language = LANGUAGES.get(name)
    if language is None:
        raise ValueError(f"{name[:80]!r} is no solver language; use one of {', '.join(LANGUAGES)}")
    return language


def read(language: str, text: str) -> Program:
    """Read a program.

    Raises:
        ProgramError: if the text is no program of the language.
        ValueError: if there is no such language.
    """
    return solver_language(language).read(text)


def execute(language: str, text: str, options: Sequence[str] = (), policy: Policy = DEFAULT_POLICY) -> Execution:
    """Execute a program; see :meth:`~nlfol.programs.language.SolverLanguage.execute`.

    Raises:
        OptionsError: if options cannot be used.
        ValueError: if there is no such language.
    """
    return solver_language(language).execute(text, options, policy)
