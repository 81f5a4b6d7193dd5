"""Executing constraints: which option holds in all solutions, by Z3 over integers in bounds.

Nothing is enumerated, so domains may be large. Each question is asked in a context of the program's own, with a fixed
seed and ``rlimit`` as the budget; every solution is checked by an evaluator of our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from nlfol.logic.decision.solver import DEFAULT_BUDGET, WALL_CAP, Z3InterruptedError, watched
from nlfol.problems.programs.constraints.conditions import holds, integer, to_smtlib, variables
from nlfol.problems.programs.constraints.reading import Constraint, ConstraintProgram, Domain
from nlfol.problems.programs.outcome import ExecutionError, Failure
from nlfol.problems.programs.texts import quoted

if TYPE_CHECKING:
    import z3

_Solution = Mapping[str, int]


class ConstraintTrace(TypedDict):
    """Solutions of a program, and options that hold in them."""

    solutions: int  # 2 means two or more
    solution: _Solution | None
    other: _Solution | None  # differs from the first
    options: Mapping[str, str]  # whether each holds in "all" solutions, in "some" or in "none"


def execute_constraints(
    program: ConstraintProgram, letters: Sequence[str] = (), budget: int = DEFAULT_BUDGET
) -> tuple[list[str], ConstraintTrace]:
    """Execute a program; return the letters of options that hold in all solutions, of those allowed, and the trace.

    Raises ``ExecutionError`` (``undefined_symbol``, ``contradictory`` if there is no solution, ``budget``).
    """
    for constraint in (*program.constraints, *program.options.values()):
        for name in variables(constraint.condition):
            if name not in program.variables:
                reason = f"no domain for the variable {quoted(name)}"
                raise ExecutionError(Failure.UNDEFINED_SYMBOL, reason, line=constraint.line)
    import z3

    context = z3.Context()
    try:
        with watched(context):
            return _executed(program, letters, _Solver(program, budget, context))
    except Z3InterruptedError as error:
        raise ExecutionError(Failure.BUDGET, "Z3 was interrupted: it heeded no limit") from error


def _executed(program: ConstraintProgram, letters: Sequence[str], solver: _Solver) -> tuple[list[str], ConstraintTrace]:
    first = solver.solution()
    if first is None:
        trace: ConstraintTrace = {"solutions": 0, "solution": None, "other": None, "options": {}}
        raise ExecutionError(Failure.CONTRADICTORY, "no values meet all constraints", trace=trace)
    other = solver.solution(solver.differing(first))
    known = [first] if other is None else [first, other]
    held: dict[str, str] = {}
    for index, (letter, option) in enumerate(program.options.items()):
        held[letter] = _held(solver, index, option, known, is_unique=other is None)
    trace = {"solutions": 1 if other is None else 2, "solution": first, "other": other, "options": held}
    allowed = letters or list(program.options)
    return [letter for letter, share in held.items() if share == "all" and letter in allowed], trace


def _held(solver: _Solver, index: int, option: Constraint, known: list[_Solution], *, is_unique: bool) -> str:
    values = {holds(option.condition, solution) for solution in known}
    if len(values) == 2:
        return "some"
    (value,) = values
    if not is_unique:
        solution = solver.solution(solver.option(index, not value))
        if solution is not None:
            known.append(solution)
            return "some"
    return "all" if value else "none"


class _Solver:
    def __init__(self, program: ConstraintProgram, budget: int, context: z3.Context) -> None:
        import z3

        self.program = program
        self.budget = budget
        self.context = context
        self.solver = z3.SimpleSolver(ctx=context)
        self.solver.set("random_seed", 0)
        self.solver.set("rlimit", budget)
        self.solver.set("timeout", WALL_CAP)
        self.names = {name: f"v{index}" for index, name in enumerate(program.variables)}
        self.solver.from_string(self._text())
        self.integers = [z3.Int(name, self.context) for name in self.names.values()]
        self.options = [z3.Bool(f"o{index}", self.context) for index in range(len(program.options))]

    def _text(self) -> str:
        lines = [f"(declare-const {name} Int)" for name in self.names.values()]
        lines += [f"(assert {_within(self.names[name], domain)})" for name, domain in self.program.variables.items()]
        lines += [f"(assert {to_smtlib(constraint.condition, self.names)})" for constraint in self.program.constraints]
        for index, option in enumerate(self.program.options.values()):
            lines += [
                f"(declare-const o{index} Bool)",
                f"(assert (= o{index} {to_smtlib(option.condition, self.names)}))",
            ]
        return "\n".join(lines)

    def option(self, index: int, value: bool) -> Any:
        import z3

        return self.options[index] if value else z3.Not(self.options[index])

    def differing(self, solution: _Solution) -> Any:
        """Return a literal that says that some variable has another value."""
        import z3

        pairs = zip(self.integers, solution.values(), strict=True)
        differs = z3.Bool("differs", self.context)
        self.solver.add(z3.Implies(differs, z3.Or([variable != value for variable, value in pairs])))
        return differs

    def solution(self, *literals: Any) -> _Solution | None:
        """Return a solution in which some literals hold, or None."""
        import z3

        answer = self.solver.check(*literals)
        if answer == z3.unknown:
            reason = f"Z3 gave up within rlimit {self.budget}: {self.solver.reason_unknown()}"
            raise ExecutionError(Failure.BUDGET, reason)
        return self._values(self.solver.model()) if answer == z3.sat else None

    def _values(self, model: Any) -> _Solution:
        values = [model.eval(variable, model_completion=True).as_long() for variable in self.integers]
        solution = dict(zip(self.names, values, strict=True))
        for name, domain in self.program.variables.items():
            if not any(low <= solution[name] <= high for low, high in domain):
                raise AssertionError(f"{solution} is no solution: {name} is out of its domain")
        for constraint in self.program.constraints:
            if not holds(constraint.condition, solution):
                raise AssertionError(f"{solution} is no solution: line {constraint.line}")
        return solution


def _within(name: str, domain: Domain) -> str:
    ranges = [
        f"(= {name} {integer(low)})" if low == high else f"(<= {integer(low)} {name} {integer(high)})"
        for low, high in domain
    ]
    return ranges[0] if len(ranges) == 1 else f"(or {' '.join(ranges)})"
