"""Executing clauses: whether a query is true, false or unknown, by semi-naive forward chaining with explicit negation.

An atom is true, false, both or neither: nothing is false because it does not follow. In each round every rule is
applied to what is known so far, with at least one literal from the round before; so a literal is found in the round
that is the depth of its shortest derivation, every application is looked at once, and loops end by themselves.
(Abiteboul, Hull, Vianu, *Foundations of Databases*, 13.1.)
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, NotRequired, TypedDict

from nlfol.problems.programs.clauses.reading import VARIABLE, Clause, ClauseProgram, Literal
from nlfol.problems.programs.language import DEFAULT_STEPS, Derivation
from nlfol.problems.programs.outcome import DerivedStep, ExecutionError, Failure, Truth
from nlfol.problems.programs.texts import quoted

MAX_LISTED = 20
"""Contradictions, and undeclared predicates, that a trace lists."""

_Key = tuple[str, int, bool]
_Binding = dict[str, str]


class Step(NamedTuple):
    """The first derivation of a literal: a fact, or a rule and the literals that met its body, in its order.

    The depth is of rules applied one after another on the longest way from facts: the least that is possible.
    """

    clause: Clause
    premises: tuple[Literal, ...]
    depth: int


class _Known:
    """The literals known so far, found by predicate, value and one argument."""

    def __init__(self) -> None:
        self.steps: dict[Literal, Step] = {}
        self.all: defaultdict[_Key, list[Literal]] = defaultdict(list)
        self.by_argument: defaultdict[tuple[_Key, int, str], list[Literal]] = defaultdict(list)

    def add(self, literal: Literal, step: Step) -> None:
        self.steps[literal] = step
        key = _key(literal)
        self.all[key].append(literal)
        for index, argument in enumerate(literal.arguments):
            self.by_argument[key, index, argument].append(literal)

    def candidates(self, pattern: Literal, binding: _Binding) -> Sequence[Literal]:
        """Return the literals that may match, by the rarest argument that is bound."""
        key = _key(pattern)
        fewest: Sequence[Literal] = self.all.get(key, ())
        for index, argument in enumerate(pattern.arguments):
            name = binding.get(argument) if argument[0] == VARIABLE else argument
            if name is not None:
                literals = self.by_argument.get((key, index, name), ())
                if len(literals) < len(fewest):
                    fewest = literals
        return fewest


def chain(clauses: Sequence[Clause], steps: int = DEFAULT_STEPS) -> Mapping[Literal, Step]:
    """Derive everything that follows, by shortest derivations; raises ``ExecutionError`` (``budget``)."""
    known, left = _Known(), steps
    occurrences: defaultdict[_Key, list[tuple[Clause, int]]] = defaultdict(list)
    latest: list[Literal] = []
    for clause in clauses:
        for index, literal in enumerate(clause.body):
            occurrences[_key(literal)].append((clause, index))
        for head in () if clause.body else clause.heads:
            if head not in known.steps:
                known.add(head, Step(clause, (), 0))
                latest.append(head)
    depth = 0
    while latest:
        depth += 1
        new_steps: dict[Literal, Step] = {}
        for literal in latest:
            for clause, index in occurrences.get(_key(literal), ()):
                for premises, binding in _matches(clause, index, literal, depth - 1, known):
                    left -= 1 if premises is None else 1 + len(clause.heads)
                    if left < 0:
                        raise ExecutionError(Failure.BUDGET, f"not decided within {steps} steps")
                    if premises is None:
                        continue
                    for head in clause.heads:
                        arguments = tuple(binding.get(name, name) for name in head.arguments)
                        derived = Literal(head.predicate, arguments, head.value)
                        if derived not in known.steps and derived not in new_steps:
                            new_steps[derived] = Step(clause, premises, depth)
        for literal, step in new_steps.items():
            known.add(literal, step)
        latest = list(new_steps)
    return known.steps


def _matches(
    clause: Clause, index: int, literal: Literal, newest: int, known: _Known
) -> Iterator[tuple[tuple[Literal, ...] | None, _Binding]]:
    """Yield the ways to meet a body with a new literal at one place, and None for each other attempt.

    At places before it only literals older than the newest round stand, so that no way comes twice.
    """
    body = clause.body
    first = _matched(body[index], literal, {})
    if first is None:
        yield None, {}
        return
    if len(body) == 1:
        yield (literal,), first
        return
    order = [other for other in range(len(body)) if other != index]
    chosen: list[Literal] = [literal] * len(body)
    bindings = [first]
    candidates = [iter(known.candidates(body[order[0]], first))]
    while candidates:
        at = order[len(candidates) - 1]
        candidate = next(candidates[-1], None)
        if candidate is None:
            candidates.pop()
            bindings.pop()
            continue
        extended = None
        if at > index or known.steps[candidate].depth < newest:
            extended = _matched(body[at], candidate, bindings[-1])
        if extended is None:
            yield None, {}
            continue
        chosen[at] = candidate
        if len(candidates) == len(order):
            yield tuple(chosen), extended
        else:
            # A step too: else a join that fails at its last place would be free.
            yield None, {}
            bindings.append(extended)
            candidates.append(iter(known.candidates(body[order[len(candidates)]], extended)))


def _matched(pattern: Literal, literal: Literal, binding: _Binding) -> _Binding | None:
    extended = binding
    for argument, name in zip(pattern.arguments, literal.arguments, strict=True):
        if argument[0] != VARIABLE:
            if argument != name:
                return None
        elif (bound := extended.get(argument)) is None:
            if extended is binding:
                extended = binding.copy()
            extended[argument] = name
        elif bound != name:
            return None
    return extended


def _key(literal: Literal) -> _Key:
    return literal.predicate, len(literal.arguments), literal.value


class ClauseTrace(TypedDict):
    """Derivation of a query's truth; with ``opposite``, its opposite's derivation, where both follow."""

    query: str
    truth: str
    derived: int  # literals
    derivation: list[DerivedStep]  # of the query or of its opposite; empty where neither follows
    depth: int | None  # of the derivation
    contradictions: list[str]  # atoms both true and false, other than the query's
    undeclared: list[str]  # predicates
    opposite: NotRequired[list[DerivedStep]]


def execute_clauses(
    program: ClauseProgram, steps: int = DEFAULT_STEPS, *, strict: bool = False
) -> tuple[Truth, ClauseTrace]:
    """Execute a program; return the truth of its query and the trace.

    Strictly, as PyKE does, a predicate has any numbers of arguments, nothing need be said of it, and a rule's head may
    be open unless it is derived.

    Raises ``ExecutionError``: ``arity``, ``open`` (a rule's head, or the query, has a variable that nothing binds),
    ``undefined_symbol`` (nothing else is said of the query's predicate), ``budget``, or ``contradictory`` (both the
    query and its opposite follow; the trace has both derivations).
    """
    if not strict:
        _check(program)
    query = program.query
    if query.variables:
        reason = f"the query {query} has the variable {query.variables[0]}"
        raise ExecutionError(Failure.OPEN, reason, line=program.query_line)
    known = chain(program.clauses, steps)
    for literal, step in known.items():
        if literal.variables:
            reason = f"{literal.variables[0]} in the conclusion of {quoted(str(step.clause))} is not in its conditions"
            raise ExecutionError(Failure.OPEN, reason, line=step.clause.line)
    asked = {query, query.opposite}
    both = [str(literal) for literal in known if literal.value and literal not in asked and literal.opposite in known]
    trace: ClauseTrace = {
        "query": str(query),
        "truth": Truth.UNKNOWN.value,
        "derived": len(known),
        "derivation": [],
        "depth": None,
        "contradictions": both[:MAX_LISTED],
        "undeclared": _undeclared(program),
    }
    if query in known and query.opposite in known:
        trace["derivation"] = derivation(query, known)
        trace["opposite"] = derivation(query.opposite, known)
        reason = f"both {query} and {query.opposite} are derived"
        raise ExecutionError(Failure.CONTRADICTORY, reason, line=program.query_line, trace=trace)
    for literal, truth in ((query, Truth.TRUE), (query.opposite, Truth.FALSE)):
        if literal in known:
            trace |= {"truth": truth.value, "derivation": derivation(literal, known), "depth": known[literal].depth}
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


def _undeclared(program: ClauseProgram) -> list[str]:
    if not program.declared:
        return []
    used = {literal.predicate for clause in program.clauses for literal in (*clause.body, *clause.heads)}
    return sorted((used | {program.query.predicate}) - program.declared.keys())[:MAX_LISTED]


def derivation(literal: Literal, steps: Mapping[Literal, Step]) -> list[DerivedStep]:
    """Return the steps to a literal, each after those that it builds on, as JSON values.

    A step has its ``literal``, the ``line`` of the fact or rule, that ``rule`` (null for a fact), its ``depth``, and
    ``from``: the places, from 0, of the steps it builds on.
    """
    numbers: dict[Literal, int] = {}
    listed: list[DerivedStep] = []
    stack = [literal]
    while stack:
        current = stack[-1]
        step = steps[current]
        missing = [premise for premise in step.premises if premise not in numbers]
        if current in numbers or missing:
            if current in numbers:
                stack.pop()
            stack.extend(reversed(missing))
            continue
        stack.pop()
        numbers[current] = len(listed)
        listed.append(
            {
                "literal": str(current),
                "line": step.clause.line,
                "rule": str(step.clause) if step.clause.body else None,
                "depth": step.depth,
                "from": [numbers[premise] for premise in step.premises],
            }
        )
    return listed


def derived(clauses: Sequence[Clause], query: Literal) -> Derivation:
    """Derive a query's truth; raises ``ExecutionError`` if over ``budget``, or any literal is ``contradictory``."""
    known = chain(clauses)
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
