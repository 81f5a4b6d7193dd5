"""Semi-naive forward chaining with explicit negation.

An atom is true, false, both or neither: nothing is false because it does not follow. In each round every rule is
applied to what is known so far, with at least one literal from the round before; so a literal is found in the round
that is the depth of its shortest derivation, every application is looked at once, and loops end by themselves.
(Abiteboul, Hull, Vianu, *Foundations of Databases*, 13.1.)
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from nlfol.programs.clauses.reading import VARIABLE, Clause, Literal
from nlfol.programs.language import DEFAULT_STEPS

_Key = tuple[str, int, bool]
_Binding = dict[str, str]


class StepsExceededError(Exception):
    """The budget of steps is spent."""


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
        for place, argument in enumerate(literal.arguments):
            self.by_argument[key, place, argument].append(literal)

    def candidates(self, pattern: Literal, binding: _Binding) -> Sequence[Literal]:
        """Return the literals that may match, by the rarest argument that is bound."""
        key = _key(pattern)
        fewest: Sequence[Literal] = self.all.get(key, ())
        for place, argument in enumerate(pattern.arguments):
            name = binding.get(argument) if argument[0] == VARIABLE else argument
            if name is not None:
                found = self.by_argument.get((key, place, name), ())
                if len(found) < len(fewest):
                    fewest = found
        return fewest


def chain(clauses: Sequence[Clause], steps: int = DEFAULT_STEPS) -> Mapping[Literal, Step]:
    """Derive everything that follows, each literal with a shortest derivation; raises ``StepsExceededError``.

    Facts have no variables, and heads of rules none but those of their bodies.
    """
    known, left = _Known(), steps
    occurrences: defaultdict[_Key, list[tuple[Clause, int]]] = defaultdict(list)
    latest: list[Literal] = []
    for clause in clauses:
        for place, literal in enumerate(clause.body):
            occurrences[_key(literal)].append((clause, place))
        for head in () if clause.body else clause.heads:
            if head not in known.steps:
                known.add(head, Step(clause, (), 0))
                latest.append(head)
    depth = 0
    while latest:
        depth += 1
        found: dict[Literal, Step] = {}
        for literal in latest:
            for clause, place in occurrences.get(_key(literal), ()):
                for premises, binding in _matches(clause, place, literal, depth - 1, known):
                    left -= 1 if premises is None else 1 + len(clause.heads)
                    if left < 0:
                        raise StepsExceededError
                    if premises is None:
                        continue
                    for head in clause.heads:
                        derived = _bound(head, binding)
                        if derived not in known.steps and derived not in found:
                            found[derived] = Step(clause, premises, depth)
        for literal, step in found.items():
            known.add(literal, step)
        latest = list(found)
    return known.steps


def _matches(
    clause: Clause, place: int, literal: Literal, newest: int, known: _Known
) -> Iterator[tuple[tuple[Literal, ...] | None, _Binding]]:
    """Yield the ways to meet a body with a new literal at one place, and None for each other attempt.

    At places before it only literals older than the newest round stand, so that no way comes twice.
    """
    body = clause.body
    first = _matched(body[place], literal, {})
    if first is None:
        yield None, {}
        return
    if len(body) == 1:
        yield (literal,), first
        return
    order = [other for other in range(len(body)) if other != place]
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
        if at > place or known.steps[candidate].depth < newest:
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


def _bound(head: Literal, binding: _Binding) -> Literal:
    arguments = tuple(binding[name] if name[0] == VARIABLE else name for name in head.arguments)
    return Literal(head.predicate, arguments, head.value)


def _key(literal: Literal) -> _Key:
    return literal.predicate, len(literal.arguments), literal.value
