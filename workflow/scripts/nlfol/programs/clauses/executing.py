"""Executing clauses: the query is true, false or unknown by what follows from facts and rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from nlfol.programs.clauses.chaining import Step, StepsExceededError, chain
from nlfol.programs.clauses.reading import Clause, ClauseProgram, Literal
from nlfol.programs.language import DEFAULT_STEPS, Derivation
from nlfol.programs.outcome import ExecutionError, Failure, Truth
from nlfol.programs.texts import quoted

MAX_LISTED = 20
"""Contradictions, and undeclared predicates, that a trace lists."""


def execute_clauses(program: ClauseProgram, steps: int = DEFAULT_STEPS) -> tuple[Truth, dict[str, Any]]:
    """Execute a program; return the truth of its query and the trace.

    The trace has the ``query``, its ``truth``, the number of ``derived`` literals, the ``derivation`` of the query or
    of its opposite (empty where neither follows), its ``depth``, the ``contradictions`` (atoms both true and false,
    other than the query's) and predicates ``undeclared``.

    Raises ``ExecutionError``: ``arity``, ``open`` (a rule's head, or the query, has a variable that nothing binds),
    ``undefined_symbol`` (nothing else is said of the query's predicate), ``budget``, or ``contradictory`` (both the
    query and its opposite follow; the trace has both derivations).
    """
    _check(program)
    try:
        known = chain(program.clauses, steps)
    except StepsExceededError:
        raise ExecutionError(Failure.BUDGET, f"not decided within {steps} steps") from None
    query = program.query
    trace: dict[str, Any] = {
        "query": str(query),
        "truth": Truth.UNKNOWN.value,
        "derived": len(known),
        "derivation": [],
        "depth": None,
        "contradictions": _contradictions(known, query),
        "undeclared": _undeclared(program),
    }
    if query in known and query.opposite in known:
        trace["derivation"] = derivation(query, known)
        trace["opposite"] = derivation(query.opposite, known)
        reason = f"both {query} and {query.opposite} are derived"
        raise ExecutionError(Failure.CONTRADICTORY, reason, line=program.query_line, trace=trace)
    for literal, truth in ((query, Truth.TRUE), (query.opposite, Truth.FALSE)):
        if literal in known:
            trace |= {
                "truth": truth.value,
                "derivation": derivation(literal, known),
                "depth": known[literal].depth,
            }
            return truth, trace
    return Truth.UNKNOWN, trace


def _check(program: ClauseProgram) -> None:
    arities: dict[str, tuple[int, int]] = {}
    for clause in program.clauses:
        bound: set[str] = set()
        for literal in clause.body:
            _check_arity(literal, clause.line, arities)
            bound.update(literal.arguments)
        for head in clause.heads:
            _check_arity(head, clause.line, arities)
            if free := [name for name in head.variables if name not in bound]:
                reason = f"{free[0]} in the conclusion of {quoted(str(clause))} is not in its conditions"
                raise ExecutionError(Failure.OPEN, reason, line=clause.line)
    query, line = program.query, program.query_line
    if query.variables:
        raise ExecutionError(Failure.OPEN, f"the query {query} has the variable {query.variables[0]}", line=line)
    if query.predicate not in arities and query.predicate not in program.declared:
        reason = f"nothing is said of the query's predicate {quoted(query.predicate)}"
        raise ExecutionError(Failure.UNDEFINED_SYMBOL, reason, line=line)
    _check_arity(query, line, arities)


def _check_arity(literal: Literal, line: int, arities: dict[str, tuple[int, int]]) -> None:
    count = len(literal.arguments)
    before, first = arities.setdefault(literal.predicate, (count, line))
    if before != count:
        reason = f"{quoted(literal.predicate)} with {count} arguments; in line {first} it has {before}"
        raise ExecutionError(Failure.ARITY, reason, line=line)


def _contradictions(known: Mapping[Literal, Step], query: Literal) -> list[str]:
    asked = {query, query.opposite}
    both = (literal for literal in known if literal.value and literal not in asked and literal.opposite in known)
    return [str(literal) for literal, _ in zip(both, range(MAX_LISTED), strict=False)]


def _undeclared(program: ClauseProgram) -> list[str]:
    if not program.declared:
        return []
    used = {literal.predicate for clause in program.clauses for literal in (*clause.body, *clause.heads)}
    return sorted((used | {program.query.predicate}) - program.declared.keys())[:MAX_LISTED]


def derivation(literal: Literal, steps: Mapping[Literal, Step]) -> list[dict[str, Any]]:
    """Return the steps to a literal, each after those that it builds on, as JSON values.

    A step has its ``literal``, the ``line`` of the fact or rule, that ``rule`` (null for a fact), its ``depth``, and
    ``from``: the places, from 0, of the steps it builds on.
    """
    places: dict[Literal, int] = {}
    listed: list[dict[str, Any]] = []
    stack = [literal]
    while stack:
        current = stack[-1]
        step = steps[current]
        missing = [premise for premise in step.premises if premise not in places]
        if current in places or missing:
            if current in places:
                stack.pop()
            stack.extend(reversed(missing))
            continue
        stack.pop()
        places[current] = len(listed)
        listed.append(
            {
                "literal": str(current),
                "line": step.clause.line,
                "rule": str(step.clause) if step.clause.body else None,
                "depth": step.depth,
                "from": [places[premise] for premise in step.premises],
            }
        )
    return listed


def derived(clauses: Sequence[Clause], query: Literal) -> Derivation:
    """Derive the truth of a query.

    Raises ``ExecutionError``: ``budget``, or ``contradictory`` if any literal and its opposite follow.
    """
    try:
        known = chain(clauses)
    except StepsExceededError:
        raise ExecutionError(Failure.BUDGET, f"not decided within {DEFAULT_STEPS} steps") from None
    if (literal := contradiction(known)) is not None:
        raise ExecutionError(Failure.CONTRADICTORY, f"both {literal} and {literal.opposite} follow")
    return truth_of(known, query)


def contradiction(known: Mapping[Literal, Step]) -> Literal | None:
    """Return a literal that follows together with its opposite."""
    return next((literal for literal in known if literal.value and literal.opposite in known), None)


def truth_of(known: Mapping[Literal, Step], query: Literal) -> Derivation:
    """Return the truth of a query by all that follows."""
    for literal, truth in ((query, Truth.TRUE), (query.opposite, Truth.FALSE)):
        if literal in known:
            return Derivation(truth, "derivation", known[literal].depth)
    return Derivation(Truth.UNKNOWN, "no_derivation", max((step.depth for step in known.values()), default=0))
