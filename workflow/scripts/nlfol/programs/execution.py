"""Reading and executing a program of any of the three languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.programs.clauses import ClauseProgram, execute_clauses, read_clauses, tree
from nlfol.programs.clauses.chaining import DEFAULT_STEPS
from nlfol.programs.constraints import ConstraintProgram, execute_constraints, read_constraints
from nlfol.programs.formulas import FormulaProgram, FreeVariables, execute_formulas, read_formulas
from nlfol.programs.options import Truth, answered, by_letter, by_truth
from nlfol.programs.outcome import Execution, ExecutionError, Outcome, ProgramError

Program = FormulaProgram | ClauseProgram | ConstraintProgram


class Language(StrEnum):
    """What a program is written in."""

    FORMULAS = "formulas"
    CLAUSES = "clauses"
    CONSTRAINTS = "constraints"


_READERS: Mapping[Language, Callable[[str], Program]] = {
    Language.FORMULAS: read_formulas,
    Language.CLAUSES: read_clauses,
    Language.CONSTRAINTS: read_constraints,
}


@dataclass(frozen=True, slots=True)
class Policy:
    """How programs are executed.

    Attributes:
        free_variables: what is made of free variables of formulas.
        budget: Z3's ``rlimit`` for each question.
        steps: steps of chaining clauses.
    """

    free_variables: FreeVariables = FreeVariables.CLOSE
    budget: int = DEFAULT_BUDGET
    steps: int = DEFAULT_STEPS


DEFAULT_POLICY = Policy()


def read(language: Language | str, text: str) -> Program:
    """Read a program.

    Raises:
        ProgramError: if the text is no program of the language.
        ValueError: if there is no such language.
    """
    return _READERS[Language(language)](text)


def execute(
    language: Language | str, text: str, options: Sequence[str] = (), policy: Policy = DEFAULT_POLICY
) -> Execution:
    """What becomes of a program; its faults are in the outcome, never raised.

    Args:
        language: the program's language.
        text: the program.
        options: the question's, as ``A) True``. By default true, false and unknown; of constraints, the query's own.
            Where no option of a question on clauses says ``unknown``, what is unknown is false: the world is closed.
        policy: how to execute it.

    Raises:
        OptionsError: if options cannot be used.
        ValueError: if there is no such language.
    """
    language = Language(language)
    letters = list(by_letter(options)) if language is Language.CONSTRAINTS else []
    by_value = {} if language is Language.CONSTRAINTS else by_truth(options)
    try:
        program = read(language, text)
    except ProgramError as error:
        return Execution(Outcome.UNPARSABLE, repairs=error.repairs, error=str(error), line=error.line)
    repairs = program.repairs
    try:
        match program:
            case FormulaProgram():
                truth, trace, further = execute_formulas(program, policy.free_variables, policy.budget)
                return answered(truth, by_value, trace, (*repairs, *further))
            case ClauseProgram():
                truth, trace = execute_clauses(program, policy.steps)
                return answered(truth, {Truth.UNKNOWN: by_value[Truth.FALSE], **by_value}, trace, repairs)
            case ConstraintProgram():
                found, trace = execute_constraints(program, letters, policy.budget)
    except ExecutionError as error:
        return Execution(Outcome.FAILED, None, error.trace, repairs, str(error), error.kind, error.line)
    if len(found) == 1:
        return Execution(Outcome.ANSWERED, found[0], trace, repairs)
    reason = f"options {', '.join(found)} follow" if found else "no option follows"
    return Execution(Outcome.NO_ANSWER, None, trace, repairs, reason)


def traced(trace: Mapping[str, Any]) -> str:
    """A trace for people, of clauses with the derivation as a tree; one thing a line."""
    trees = [tree(trace[key]) for key in ("derivation", "opposite") if trace.get(key)]
    rest = (f"{key}: {value}" for key, value in trace.items() if key not in ("derivation", "opposite"))
    return "\n".join([*trees, *rest])
