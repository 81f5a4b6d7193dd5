r"""Programs that models write for solvers; read by grammars, never run as code.

    >>> from nlfol.programs import execute
    >>> execute("clauses", "Facts:\nCold(Bob, True)\nQuery:\nCold(Bob, False)", ["A) True", "B) False"]).answer
    'B'

``formulas`` asks what premises entail of a conclusion; ``clauses`` chains rules forward; ``constraints`` asks which
option holds in all solutions. The texts are those of Logic-LM (Pan et al., Findings of EMNLP 2023).
"""

from nlfol.programs.clauses import CLAUSES, ClauseProgram
from nlfol.programs.constraints import CONSTRAINTS, ConstraintProgram
from nlfol.programs.formulas import FORMULAS, FormulaProgram
from nlfol.programs.language import QUERY, FreeVariables, Lines, Policy, Program, SolverLanguage
from nlfol.programs.outcome import Execution, Failure, Outcome, ProgramError, Repair, RepairKind, traced
from nlfol.programs.registry import LANGUAGES, execute, read, solver_language

__all__ = [
    "CLAUSES",
    "CONSTRAINTS",
    "FORMULAS",
    "LANGUAGES",
    "QUERY",
    "ClauseProgram",
    "ConstraintProgram",
    "Execution",
    "Failure",
    "FormulaProgram",
    "FreeVariables",
    "Lines",
    "Outcome",
    "Policy",
    "Program",
    "ProgramError",
    "Repair",
    "RepairKind",
    "SolverLanguage",
    "execute",
    "read",
    "solver_language",
    "traced",
]
