"""Exchanges: changes of a formula that move what stands in it to other places, and so keep its bag of symbols.

A formula is a table of slots: of each node but ¬ its kind, the number of ¬ before it, and its variable, predicate,
arguments or parts. An exchange gives some slots each other's contents. Exchanges without a common slot commute, so n of
them make 2ⁿ formulas with the same symbols. Not all are formulas, closed and natural: ``made`` says which.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from nlfol.logic import syntax as fol
from nlfol.sets.dimensions import Kind

SMALL = 4
"""Nodes but ¬ of the largest parts that change places."""

_EQUALS = "="
"""Stands for the predicate of an equation."""

Slot = tuple[str, int, int]
"""An aspect of a node, by its number in preorder without ¬, and of arguments and parts their place."""


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """The contents that some slots get; ``path`` is of the first node that changes, in the gold formula."""

    kind: Kind
    path: fol.Path
    contents: Mapping[Slot, Any]

    @property
    def places(self) -> frozenset[object]:
        """Return the slots."""
        return frozenset(self.contents)


class Table:
    """A formula as slots."""

    def __init__(self, formula: fol.Formula) -> None:
        self.contents: dict[Slot, Any] = {}
        self._paths: list[fol.Path] = []
        self._sizes: list[int] = []
        self._under: list[frozenset[int]] = []
        self._faults = _faults(formula)
        self._add(formula, ())

    def _add(self, formula: fol.Formula, path: fol.Path) -> int:
        negations, node = 0, len(self._paths)
        while isinstance(formula, fol.Not):
            negations, formula, path = negations + 1, formula.operand, (*path, 0)
        self._paths.append(path)
        self._under.append(frozenset())
        self.contents["sign", node, 0] = negations
        match formula:
            case fol.Atom(predicate, arguments):
                self.contents["predicate", node, 0] = predicate
            case fol.Equality(left, right):
                self.contents["predicate", node, 0], arguments = _EQUALS, (left, right)
            case _:
                self.contents["kind", node, 0], arguments = type(formula), ()
        if isinstance(formula, fol.Quantified):
            self.contents["variable", node, 0] = formula.variable
        self.contents |= {("argument", node, place): term for place, term in enumerate(arguments)}
        for place, part in enumerate(fol.children(formula)):
            self.contents["part", node, place] = self._add(part, (*path, place))
        self._under[node] = frozenset(range(node, len(self._paths)))
        return node

    def made(self, exchanges: Iterable[Exchange]) -> fol.Formula | None:
        """Return the formula with some exchanges; None if it is no tree, is open, or has faults that this one lacks.

        Faults are a quantifier that binds nothing or a variable bound already, and an argument given twice to a
        predicate: nobody says so.
        """
        contents = self.contents.copy()
        for exchange in exchanges:
            contents |= exchange.contents
        order, left = [], [0]
        while left:
            order.append(node := left.pop())
            if len(order) > len(self._paths):
                return None
            left += [contents["part", node, place] for place in (0, 1) if ("part", node, place) in contents]
        if len({*order}) < len(self._paths):
            return None
        built: dict[int, fol.Formula] = {}
        for node in reversed(order):
            built[node] = _built(contents, node, built)
        formula = built[0]
        return None if formula.profile.free or not _faults(formula) <= self._faults else formula

    def exchanges(self) -> Iterator[Exchange]:
        """Yield the exchanges."""
        of = {
            aspect: [slot for slot in self.contents if slot[0] == aspect]
            for aspect in ("kind", "sign", "predicate", "argument", "part")
        }
        quantified = [slot for slot in of["kind"] if issubclass(self.contents[slot], fol.Quantified)]
        binary = [slot for slot in of["kind"] if issubclass(self.contents[slot], fol.Binary)]
        yield from self._swaps(Kind.QUANTIFIER, quantified)
        yield from self._swaps(Kind.CONNECTIVE, binary)
        yield from self._swaps(Kind.MOVED_NEGATION, of["sign"])
        yield from self._of_predicates(of["predicate"])
        yield from self._of_terms(of["argument"])
        yield from self._of_parts(of["part"])
        yield from self._of_determiners(quantified)
        for _, node, _ in quantified:
            yield from self._of_scope(node)
        for _, node, _ in binary:
            yield from self._of_brackets(node)

    def _swap(self, kind: Kind, *pairs: tuple[Slot, Slot]) -> Iterator[Exchange]:
        contents = {slot: self.contents[other] for pair in pairs for slot, other in (pair, pair[::-1])}
        if any(self.contents[slot] != content for slot, content in contents.items()):
            yield Exchange(kind, self._paths[min(node for _, node, _ in contents)], contents)

    def _swaps(self, kind: Kind, slots: Iterable[Slot]) -> Iterator[Exchange]:
        for one, other in combinations(slots, 2):
            yield from self._swap(kind, (one, other))

    def _of_predicates(self, slots: Iterable[Slot]) -> Iterator[Exchange]:
        of_arity: defaultdict[int, list[Slot]] = defaultdict(list)
        for slot in slots:
            if self.contents[slot] != _EQUALS:
                of_arity[sum(("argument", slot[1], place) in self.contents for place in range(9))].append(slot)
        for alike in of_arity.values():
            yield from self._swaps(Kind.PREDICATES, alike)
            yield from self._throughout(Kind.PREDICATES, alike)

    def _of_terms(self, slots: list[Slot]) -> Iterator[Exchange]:
        for one, other in combinations(slots, 2):
            is_within = one[1] == other[1]
            if not is_within or self.contents["predicate", one[1], 0] != _EQUALS:
                yield from self._swap(Kind.ARGUMENTS if is_within else Kind.NAMES, (one, other))
        yield from self._throughout(
            Kind.NAMES, [slot for slot in slots if isinstance(self.contents[slot], fol.Constant)]
        )

    def _throughout(self, kind: Kind, slots: Iterable[Slot]) -> Iterator[Exchange]:
        """Yield what exchanges two symbols wherever they are; they are so equally often, and more than once."""
        standing: defaultdict[object, list[Slot]] = defaultdict(list)
        for slot in slots:
            standing[self.contents[slot]].append(slot)
        for some, others in combinations(standing.values(), 2):
            if len(some) == len(others) > 1:
                yield from self._swap(kind, *zip(some, others, strict=True))

    def _of_parts(self, slots: Iterable[Slot]) -> Iterator[Exchange]:
        small = [slot for slot in slots if len(self._under[self.contents[slot]]) <= SMALL]
        for one, other in combinations(small, 2):
            if one[1] != other[1] and self._under[self.contents[one]].isdisjoint(self._under[self.contents[other]]):
                yield from self._swap(Kind.PARTS, (one, other))
        for node in {node for _, node, _ in slots}:
            if self.contents["kind", node, 0] is fol.Implies:
                yield from self._swap(Kind.CONVERSE, (("part", node, 0), ("part", node, 1)))

    def _of_determiners(self, quantified: Iterable[Slot]) -> Iterator[Exchange]:
        """Yield what exchanges ∀ … → with ∃ … ∧."""
        bodies = [(slot, ("kind", self.contents["part", slot[1], 0], 0)) for slot in quantified]
        joined = {slot: (self.contents[slot], self.contents.get(body)) for slot, body in bodies}
        for (one, its_body), (other, other_body) in combinations(bodies, 2):
            if {joined[one], joined[other]} == {(fol.ForAll, fol.Implies), (fol.Exists, fol.And)}:
                yield from self._swap(Kind.DETERMINER, (one, other), (its_body, other_body))

    def _of_scope(self, node: int) -> Iterator[Exchange]:
        """Yield what exchanges two unlike quantifiers with their variables, and with their restrictions."""
        below = self.contents["part", node, 0]
        inner, pairs = below, list[tuple[Slot, Slot]]()
        if isinstance(kind := self.contents.get(("kind", below, 0)), type) and issubclass(kind, fol.Binary):
            inner = self.contents["part", below, 1]
            joined = self.contents.get(("part", inner, 0), 0)
            if ("part", joined, 1) not in self.contents:
                return
            pairs = [((aspect, below, 0), (aspect, joined, 0)) for aspect in ("kind", "part")]
        if {self.contents["kind", node, 0], self.contents.get(("kind", inner, 0))} == {*fol.QUANTIFIED}:
            both = [((aspect, node, 0), (aspect, inner, 0)) for aspect in ("kind", "variable")]
            yield from self._swap(Kind.SCOPE, *both, *pairs)

    def _of_brackets(self, node: int) -> Iterator[Exchange]:
        """Yield (A c B) d C as A c (B d C) and as A d (B c C), and the other way round."""
        for side in (0, 1):
            inner = self.contents["part", node, side]
            kind, its_kind = self.contents["kind", node, 0], self.contents.get(("kind", inner, 0))
            if its_kind is None or not issubclass(its_kind, fol.Binary) or kind is its_kind:
                continue
            contents: dict[Slot, Any] = {
                ("part", node, side): self.contents["part", inner, side],
                ("part", node, 1 - side): inner,
                ("part", inner, side): self.contents["part", inner, 1 - side],
                ("part", inner, 1 - side): self.contents["part", node, 1 - side],
            }
            yield Exchange(Kind.REGROUPED, self._paths[node], contents)
            yield Exchange(
                Kind.BRACKETS,
                self._paths[node],
                {**contents, ("kind", node, 0): its_kind, ("kind", inner, 0): kind},
            )


def _built(contents: Mapping[Slot, Any], node: int, built: Mapping[int, fol.Formula]) -> fol.Formula:
    made: fol.Formula
    if ("kind", node, 0) not in contents:
        predicate, arguments = contents["predicate", node, 0], _several(contents, "argument", node)
        made = fol.Equality(*arguments) if predicate == _EQUALS else fol.Atom(predicate, arguments)
    else:
        parts = [built[part] for part in _several(contents, "part", node)]
        variable = [contents[slot] for slot in [("variable", node, 0)] if slot in contents]
        made = contents["kind", node, 0](*variable, *parts)
    for _ in range(contents["sign", node, 0]):
        made = fol.Not(made)
    return made


def _several(contents: Mapping[Slot, Any], aspect: str, node: int) -> tuple[Any, ...]:
    values: list[Any] = []
    while (slot := (aspect, node, len(values))) in contents:
        values.append(contents[slot])
    return tuple(values)


def _faults(formula: fol.Formula) -> set[str]:
    faults: set[str] = set()

    def bound(node: fol.Formula, parts: tuple[frozenset[fol.Variable], ...]) -> frozenset[fol.Variable]:
        inside = frozenset[fol.Variable]().union(*parts)
        match node:
            case fol.Atom(_, arguments) if max(Counter(arguments).values(), default=1) > 1:
                faults.add("argument given twice")
            case fol.Equality(left, right) if left is right:
                faults.add("argument given twice")
            case fol.ForAll(variable, body) | fol.Exists(variable, body):
                if variable.name not in body.profile.free:
                    faults.add("nothing bound")
                if variable in inside:
                    faults.add("bound already")
                return inside | {variable}
            case _:
                pass
        return inside

    fol.fold(formula, bound)
    return faults
