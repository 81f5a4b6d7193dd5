r"""Programs that models write for solvers, in three languages; read by grammars, never run as code.

    >>> from nlfol.programs import execute
    >>> execute("clauses", "Facts:\nCold(Bob, True)\nQuery:\nCold(Bob, False)", ["A) True", "B) False"]).answer
    'B'

``formulas`` asks what premises say of a conclusion; ``clauses`` chains rules forward; ``constraints`` asks which option
holds in all solutions. The texts are those of Logic-LM (Pan et al., Findings of EMNLP 2023).
"""

from nlfol.programs.clauses import ClauseProgram
from nlfol.programs.constraints import ConstraintProgram
from nlfol.programs.execution import Language, Policy, Program, execute, read, traced
from nlfol.programs.formulas import FormulaProgram, FreeVariables
from nlfol.programs.outcome import Execution, Failure, Outcome, ProgramError, Repair, RepairKind

__all__ = [
    "ClauseProgram",
    "ConstraintProgram",
    "Execution",
    "Failure",
    "FormulaProgram",
    "FreeVariables",
    "Language",
    "Outcome",
    "Policy",
    "Program",
    "ProgramError",
    "Repair",
    "RepairKind",
    "execute",
    "read",
    "traced",
]
