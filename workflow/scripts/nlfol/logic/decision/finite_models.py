"""Complete enumeration where finitely many finite structures decide.

The class of Bernays and Schönfinkel (Börger, Grädel and Gurevich, *The Classical Decision Problem*, 6.2).

A sentence without functions whose quantifiers, miniscoped, are such that no ∃ stands inside a ∀, has a model only if
the elements that its c constants and e existential quantifiers denote are the universe of one: universal quantifiers
still hold in the substructure. Of the disjuncts of a disjunction only one needs its witnesses. So at most
max(1, c + e) elements suffice; without equality exactly so many and different elements for different constants do,
because elements can be doubled. All structures of these sizes are evaluated at once.

Two formulas over the same atomic and quantified parts, up to normal form, are compared by truth tables in the same way:
bit i of a part's integer says whether it is true under assignment i of truth values to the parts that no connective
makes.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

from nlfol.interning import bottom_up
from nlfol.logic.decision.families import OF_BITS, Family
from nlfol.logic.decision.miniscoping import FormKind, Forms
from nlfol.logic.decision.normal_form import numbering_for
from nlfol.logic.measuring import Signature
from nlfol.logic.structures import MAX_TABLE, Element
from nlfol.logic.syntax import BINARY, Formula, Not, children
from nlfol.logic.trees import Symbol

MAX_GROUND_ATOMS = 16  # ground atoms of which all truth assignments are enumerated in one family
MAX_FAMILIES = 64  # sizes and ways to interpret the constants


def witnesses(forms: Forms, root: int) -> int | None:
    """Return how many elements the existential quantifiers of a form need; None where one stands inside a ∀."""

    def step(form: int, parts: tuple[int | None, ...]) -> int | None:
        counts = [part for part in parts if part is not None]
        if len(counts) < len(parts):
            return None
        match forms.kinds[form]:
            case FormKind.LITERAL:
                return 0
            case FormKind.AND:
                return sum(counts)
            case FormKind.OR:
                return max(counts, default=0)
            case FormKind.EXISTS:
                return counts[0] + 1
            case FormKind.FORALL:
                return counts[0] if counts[0] == 0 else None

    return bottom_up(root, forms.parts.__getitem__, step, {})


class CompleteFamily(Family):
    """Every structure of one size, with the constants as given."""

    def __init__(self, size: int, constants: dict[str, int], predicates: dict[str, int]) -> None:
        entries = sum(size**arity for arity in predicates.values())
        super().__init__(size, 1 << entries)
        self.constants = constants
        self._columns: dict[str, tuple[int, int]] = {}
        first = 0
        for name, arity in sorted(predicates.items()):
            self._columns[name] = first, entries
            first += size**arity

    def _relation(self, name: str, arity: int) -> list[int]:
        first, entries = self._columns[name]
        return [column(first + row, entries) for row in range(self.size**arity)]

    def _element(self, kind: str, name: str, arity: int, row: int) -> tuple[int, ...]:
        assert kind == "constant"
        return self._units[self.constants[name]]


@lru_cache(maxsize=256)
def column(bit: int, entries: int) -> int:
    """Return a column of the truth table: bit i is that of i at ``bit``, for i below 2 ** entries."""
    bits, width = ((1 << (1 << bit)) - 1) << (1 << bit), 1 << bit + 1
    while width < 1 << entries:
        bits |= bits << width
        width *= 2
    return bits


def complete_families(symbols: Signature, existential: int, *, has_equality: bool) -> list[CompleteFamily] | None:
    """Return families with a model of every satisfiable sentence with so many witnesses; None if too many."""
    if symbols.functions:
        return None
    constants = sorted(symbols.constants)
    largest = max(1, len(constants) + existential)
    if sum(largest**arity for arity in symbols.predicates.values()) > MAX_GROUND_ATOMS:
        return None
    if largest ** max(symbols.predicates.values(), default=1) > MAX_TABLE:
        return None
    if not has_equality:
        apart = {constant: number for number, constant in enumerate(constants)}
        return [CompleteFamily(largest, apart, symbols.predicates)]
    families: list[CompleteFamily] = []
    for size in range(1, largest + 1):
        for interpreted in interpretations(constants, size):
            if len(families) == MAX_FAMILIES:
                return None
            families.append(CompleteFamily(size, interpreted, symbols.predicates))
    return families


def truth_table(letters: frozenset[Symbol]) -> Family | None:
    """Return the truth table over propositional letters, a structure a line; None where they are many."""
    return _truth_table(letters) if len(letters) <= MAX_GROUND_ATOMS else None


@lru_cache(maxsize=4)
def _truth_table(letters: frozenset[Symbol]) -> Family:
    return CompleteFamily(1, {}, {name: 0 for _, name, _ in letters})


def interpretations(constants: Sequence[str], size: int) -> Iterator[dict[str, Element]]:
    """Yield the ways to place constants in a universe, up to its permutations: restricted growth strings."""
    stack: list[tuple[Element, ...]] = [()]
    while stack:
        prefix = stack.pop()
        if len(prefix) == len(constants):
            yield dict(zip(constants, prefix, strict=True))
            continue
        used = max(prefix, default=-1) + 1
        stack.extend((*prefix, element) for element in range(min(used, size - 1), -1, -1))


MAX_PARTS = 10  # parts that no connective makes, above which no table is made
MAX_NODES = 200  # subformulas above which none is made either
_CONNECTIVES = frozenset((Not, *BINARY))


def have_one_truth_table(first: Formula, second: Formula, opposed: bool = False) -> bool:
    """Return whether two formulas (if opposed, one negated) are propositionally equivalent.

    Parts of one normal form are one letter, and what has the normal form of another's negation is that letter denied.
    """
    nodes = _connected(first, second)
    if nodes is None:
        return False
    parts = [node for node in nodes if type(node) not in _CONNECTIVES]
    numbering = numbering_for(*parts)
    letters: dict[Hashable, int] = {}
    signed: dict[Formula, tuple[int, bool]] = {}
    for part in parts:
        number = numbering.of(part)
        denied = None if number is None or number in letters else letters.get(numbering.of(part, False))
        letter = letters.setdefault(part if number is None else number, len(letters)) if denied is None else denied
        signed[part] = letter, denied is not None
    if len(letters) > MAX_PARTS:
        return False
    full = (1 << (1 << len(letters))) - 1
    truth = {part: column(letter, len(letters)) ^ (full if denied else 0) for part, (letter, denied) in signed.items()}
    for node in nodes:
        if isinstance(node, Not):
            truth[node] = truth[node.operand] ^ full
        elif isinstance(node, BINARY):
            truth[node] = OF_BITS[type(node)](truth[node.left], truth[node.right], full)
    return truth[first] == truth[second] ^ (full if opposed else 0)


def _connected(*formulas: Formula) -> list[Formula] | None:
    """Return the subformulas that only connectives are around, each after those it is made of; None if too many."""
    ordered: dict[Formula, None] = {}
    stack = list(formulas)
    while stack:
        node = stack[-1]
        missing = [part for part in children(node) if part not in ordered] if type(node) in _CONNECTIVES else []
        if missing and node not in ordered:
            stack += missing
            continue
        ordered[stack.pop()] = None
        if len(ordered) + len(stack) > MAX_NODES:
            return None
    return list(ordered)
