"""Constraints: variables over finite domains, conditions and options, solved by Z3.

What follows from which statements on things in a row is found from all their arrangements, as bits of integers: a
condition is the set of arrangements that meet it. With n things there are n!.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, ClassVar, Self, cast

from typing_extensions import override

from nlfol.problems.programs.constraints import maps
from nlfol.problems.programs.constraints.reading import HEADINGS, ConstraintProgram, read_constraints
from nlfol.problems.programs.constraints.solving import execute_constraints
from nlfol.problems.programs.language import Derivation, Lines, Placed, Policy, SolverLanguage, Words, as_text
from nlfol.problems.programs.outcome import Execution, Outcome, by_letter
from nlfol.problems.programs.symbols import Fits, Image, LineError, Numbered, Symbol

__all__ = [
    "ALL_DIFFERENT", "CONSTRAINTS", "ConstraintProgram", "arrangements", "execute_constraints", "fewest",
    "read_constraints", "things_of",
]  # fmt: skip

MAX_THINGS = 7

MAX_CONDITIONS = 12
"""Most conditions among which a smallest sufficient subset is searched."""

ALL_DIFFERENT = "AllDifferentConstraint"
"""The first word of the line that introduces things."""

_ALL = re.compile(rf"{ALL_DIFFERENT}\(\[(.*)\]\)")

_RELATION = re.compile(r"(\w+) ([<>]) (\w+)")
_POSITION = re.compile(r"(\w+) == (\d+)")


class Arrangements:
    """All arrangements of a number of things."""

    def __init__(self, size: int) -> None:
        if size > MAX_THINGS:
            raise ValueError(f"{size} things; at most {MAX_THINGS}")
        self.size = size
        at = [[0] * size for _ in range(size)]
        before = [[0] * size for _ in range(size)]
        for number, places in enumerate(permutations(range(size))):
            bit = 1 << number
            for thing, place in enumerate(places):
                at[thing][place] |= bit
        for thing in range(size):
            for other in range(size):
                for place in range(size):
                    for later in range(place + 1, size):
                        before[thing][other] |= at[thing][place] & at[other][later]
        self._at = at
        self._before = before
        self.all = sum(at[0])

    def meeting(self, line: str, things: Sequence[str]) -> int:
        """Return the arrangements with ``a < b``, ``a > b`` or ``a == 2``, from 1; raises ``ValueError`` for others."""
        if match := _RELATION.fullmatch(line):
            first, second = things.index(match[1]), things.index(match[3])
            return self._before[first][second] if match[2] == "<" else self._before[second][first]
        if match := _POSITION.fullmatch(line):
            return self._at[things.index(match[1])][int(match[2]) - 1]
        raise ValueError(f"{line!r} is no condition on arrangements")


@lru_cache(maxsize=MAX_THINGS)
def arrangements(size: int) -> Arrangements:
    """Return the arrangements of a number of things."""
    return Arrangements(size)


def fewest(conditions: Sequence[int], consequence: int, everything: int) -> int | None:
    """Return the least number of conditions from which a consequence follows, none if it does not."""
    excluded = everything & ~consequence
    for size in range(len(conditions) + 1):
        for some in combinations(conditions, size):
            left = excluded
            for condition in some:
                left &= condition
            if not left:
                return size
    return None


def things_of(lines: Sequence[str]) -> list[str]:
    """Return the variables that some line says to be different: the things in a row."""
    return [name for line in lines if (match := _ALL.fullmatch(line)) for name in match[1].split(", ")]


def fewest_conditions(lines: Sequence[str], answer: str) -> int | None:
    """Return the least number of lines that an answer follows from; None if some are no conditions on an order."""
    things = things_of(lines)
    conditions = [line for line in lines if not line.startswith(ALL_DIFFERENT)]
    if not 0 < len(things) <= MAX_THINGS or len(conditions) > MAX_CONDITIONS:
        return None
    known = arrangements(len(things))
    try:
        sets = [known.meeting(line, things) for line in conditions]
        return fewest(sets, known.meeting(answer, things), known.all)
    except ValueError:
        return None  # conditions of another kind: nothing is wrong with them


def _left(held: Mapping[str, str]) -> str:
    """Return which options hold in some solutions, and which in none."""
    some, none = (", ".join(letter for letter, own in held.items() if own == share) for share in ("some", "none"))
    notes = [f"{some} in some solutions" if some else "", f"{none} in no solution" if none else ""]
    return f"; they hold: {', '.join(filter(None, notes))}" if some or none else ""


@dataclass(frozen=True)
class _Constraints(SolverLanguage):
    """The language, and how many things stand in a row, on which the meaning of conditions depends."""

    things: int = 0

    name: ClassVar[str] = "constraints"
    headings: ClassVar[Mapping[str, str]] = HEADINGS
    stating: ClassVar[tuple[str, ...]] = ("constraints",)
    words: ClassVar[Words] = Words(
        *("a condition", "conditions", "condition", "a thing"),
        sentence="The red book is the leftmost, or it is to the right of the blue book",
        units=(
            ("the red book is the leftmost", "red_book == 1"),
            ("the red book is to the right of the blue book", "red_book > blue_book"),
        ),
    )
    asks_options: ClassVar[bool] = True
    has_conjunctions: ClassVar[bool] = False

    @override
    def read(self, text: str) -> ConstraintProgram:
        return read_constraints(text)

    @override
    def letters(self, options: Sequence[str]) -> Mapping[str, str]:
        return {letter: letter for letter in by_letter(options)}

    @override
    def run(self, program: ConstraintProgram, letters: Mapping[str, str], policy: Policy) -> Execution:
        followed, trace = execute_constraints(program, list(letters), policy.budget)
        if len(followed) == 1:
            return Execution(Outcome.ANSWERED, followed[0], trace, program.repairs)
        reason = f"options {', '.join(followed)} follow" if followed else f"no option follows{_left(trace['options'])}"
        return Execution(Outcome.NO_ANSWER, None, trace, program.repairs, reason)

    @override
    def sections(
        self, stated: Sequence[Placed], asked: Sequence[Placed], variables: Sequence[Placed], *, declared: bool = True
    ) -> Mapping[str, Sequence[Placed]]:
        return {"Variables": variables, "Constraints": stated, "Query": asked}

    @override
    def gold(self, lines: Lines) -> str:
        things = _things(lines)
        places = ", ".join(str(place) for place in range(1, len(things) + 1))
        return as_text(
            {
                "Domain": ["1: the first", f"{len(things)}: the last"],
                "Variables": [f"{thing} [IN] [{places}]" for thing in things],
                "Constraints": _stated(lines),
                "Query": [line for _, line in self.lettered(lines.asked.items())],
            }
        )

    @override
    def derive(self, lines: Lines) -> Derivation:
        letters, _ = execute_constraints(read_constraints(self.gold(lines)))
        depth = None
        if len(letters) == 1:
            depth = fewest_conditions(_stated(lines), lines.asked[letters[0]])
        return Derivation(None, "solutions", depth, tuple(letters))

    @override
    def domains(self, program: Lines) -> dict[str, str]:
        things = _things(program)
        names = [line.partition(" ")[0] for line in program.variables]
        return dict.fromkeys(names or things, json.dumps(list(range(1, len(things) + 1))))

    @override
    def within(self, gold: Lines) -> Self:
        return replace(self, things=len(_things(gold)))

    @override
    def with_variables(self, program: Lines, known: Sequence[str] = ()) -> Lines:
        domains = {line.split()[0]: line for line in known if line.split()}
        names: dict[str, None] = {}
        for lines in program.places.values():
            try:
                names |= dict.fromkeys(symbol.name for symbol in self.numbered(lines).symbols)
            except LineError:
                return program  # it cannot be read as a whole
        variables = [domains.get(name) or f"{name} [IN] [1..{self.things}]" for name in names]
        return replace(program, variables=variables)

    @override
    def numbered(self, lines: tuple[str, ...]) -> Numbered:
        return maps.numbered(maps.read(lines), self.things)

    @override
    def fits(self, gold: Numbered, other: Numbered) -> Fits:
        return maps.fits(cast("maps.Shape", gold.shape), cast("maps.Shape", other.shape))

    @override
    def renamed(self, lines: tuple[str, ...], image: Callable[[Symbol], Image]) -> tuple[str, ...]:
        return tuple(maps.renamed(line, image) for line in lines)

    @override
    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        return maps.same(maps.read(first), maps.read(second), self.things)

    @override
    def difference(self, first: tuple[str, ...], second: tuple[str, ...]) -> Any:
        return maps.difference(maps.read(first), maps.read(second), self.things)


CONSTRAINTS = _Constraints()


def _stated(program: Lines) -> list[str]:
    return [line for lines in program.lines.values() for line in lines]


def _things(program: Lines) -> list[str]:
    return things_of(_stated(program))
