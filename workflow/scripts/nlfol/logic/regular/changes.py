"""Single edits of an expression's tree (slips of a translation), and laws of Kleene algebra, which keep the language.

An edit need not change the language: ``equivalence`` says whether it does. Laws: Kozen, *A Completeness Theorem for
Kleene Algebras and the Algebra of Regular Events*, 1994; Conway, *Regular Algebra and Finite Machines*, 1971.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from nlfol.logic.regular import syntax
from nlfol.logic.regular.reading import Dialect, in_dialect


class EditKind(StrEnum):
    """Kind of an edit."""

    LETTER = "letter"
    """A letter becomes another of the alphabet."""
    STAR = "star"
    """A star is put on or taken off."""
    PLUS = "plus"
    """A plus is put on or taken off."""
    OPTION = "option"
    """A question mark is put on or taken off."""
    POSTFIX = "postfix"
    """One of ``*``, ``+``, ``?`` becomes another."""
    SCOPE = "scope"
    """A postfix sign on a concatenation moves to its last operand alone, or from there to the whole: (ab)*, ab*."""
    ORDER = "order"
    """Two neighbours in a concatenation change places."""
    CONNECTIVE = "connective"
    """A concatenation becomes the union of its operands, or a union their concatenation."""
    DROP = "drop"
    """An operand of a concatenation or union is left out."""
    DUPLICATE = "duplicate"
    """An operand of a concatenation is written twice."""


class Law(StrEnum):
    """A law, in both directions unless an arrow says which."""

    STAR_OF_STAR = "star_of_star"
    """e** = e*; (e+)* = (e?)* = (e*)+ = (e*)? = (e+)? = (e?)+ → e*."""
    STAR_SQUARED = "star_squared"
    """e*e* = e*."""
    STAR_COMMUTATION = "star_commutation"
    """ee* = e*e."""
    STAR_UNROLLING = "star_unrolling"
    """e* = ε|ee*."""
    PLUS_EXPANSION = "plus_expansion"
    """e+ = ee*."""
    OPTION_EXPANSION = "option_expansion"
    """e? = ε|e."""
    SLIDING = "sliding"
    """(ab)*a = a(ba)*."""
    DENESTING = "denesting"
    """(a|b)* = (a*b*)*; from either → (a*b)*a* and a*(ba*)*."""
    DISTRIBUTIVITY = "distributivity"
    """a(b|c) = ab|ac, (a|b)c = ac|bc."""
    COMMUTATIVITY = "commutativity"
    """a|b = b|a."""
    IDEMPOTENCE = "idempotence"
    """e|e = e."""
    UNIT = "unit"
    """eε = εe → e."""


_Kind = TypeVar("_Kind", EditKind, Law)


class Change(NamedTuple, Generic[_Kind]):
    """One edit or law and its path, of a law about neighbours that of the chain; ``node`` stands there afterwards."""

    kind: _Kind
    path: syntax.Path
    original: syntax.Expression
    node: syntax.Expression

    @property
    def expression(self) -> syntax.Expression:
        """Return the whole expression after it: made where it is asked for, as few of many changes are drawn."""
        return syntax.replace(self.original, self.path, self.node)


_TOGGLED = {syntax.Star: EditKind.STAR, syntax.Plus: EditKind.PLUS, syntax.Option: EditKind.OPTION}


def edits(
    expression: syntax.Expression, alphabet: str | None = None, dialect: Dialect = Dialect.PUBLISHED
) -> Iterator[Change[EditKind]]:
    """Yield every edit to another tree of the dialect, in preorder; letters put in are its own, or of an alphabet."""
    symbols = syntax.letters(expression) if alphabet is None else "".join(sorted(set(alphabet)))
    for path, node in syntax.subexpressions(expression):
        for kind, edited in _edited(node, symbols, dialect):
            if edited is not node:
                yield Change(kind, path, expression, edited)


def _edited(node: syntax.Expression, symbols: str, dialect: Dialect) -> Iterator[tuple[EditKind, syntax.Expression]]:
    kinds = syntax.POSTFIX_OF.values() if dialect == Dialect.FULL else (syntax.Star,)
    if isinstance(node, syntax.Postfix):
        yield _TOGGLED[type(node)], node.operand
        for kind in kinds:
            if kind is not type(node):
                yield EditKind.POSTFIX, kind(node.operand)
        if isinstance(node.operand, syntax.Concatenation):
            *first, last = node.operand.operands
            yield EditKind.SCOPE, syntax.concatenation((*first, type(node)(last)))
    else:
        for kind in kinds:
            yield _TOGGLED[kind], kind(node)
    if isinstance(node, syntax.Letter):
        for symbol in symbols:
            if symbol != node.symbol:
                yield EditKind.LETTER, syntax.LETTER_OF[symbol]
    if isinstance(node, syntax.Concatenation):
        yield from _in_concatenation(node, dialect)
    if isinstance(node, syntax.Union):
        yield EditKind.CONNECTIVE, syntax.concatenation(node.operands)
    if isinstance(node, syntax.Chain):
        for index in range(len(node.operands)):
            fewer = syntax.with_children(node, node.operands[:index] + node.operands[index + 1 :])
            if in_dialect(fewer, dialect):
                yield EditKind.DROP, fewer


def _in_concatenation(node: syntax.Concatenation, dialect: Dialect) -> Iterator[tuple[EditKind, syntax.Expression]]:
    operands = node.operands
    last = operands[-1]
    if isinstance(last, syntax.Postfix):
        yield EditKind.SCOPE, type(last)(syntax.concatenation((*operands[:-1], last.operand)))
    for index in range(len(operands) - 1):
        yield (
            EditKind.ORDER,
            syntax.Concatenation((*operands[:index], operands[index + 1], operands[index], *operands[index + 2 :])),
        )
    if dialect == Dialect.FULL:
        yield EditKind.CONNECTIVE, syntax.union(operands)
    for index, operand in enumerate(operands):
        yield EditKind.DUPLICATE, syntax.Concatenation((*operands[:index], operand, *operands[index:]))


_Results = Iterator[tuple[Law, syntax.Expression]]


def rewrites(expression: syntax.Expression, dialect: Dialect = Dialect.PUBLISHED) -> Iterator[Change[Law]]:
    """Yield every result of one law at one place that is another tree of the dialect, places in preorder."""
    for path, node in syntax.subexpressions(expression):
        for law, rewritten in _rewritten(node):
            if rewritten is not node and in_dialect(rewritten, dialect):
                yield Change(law, path, expression, rewritten)


def _rewritten(node: syntax.Expression) -> _Results:
    yield Law.IDEMPOTENCE, syntax.union((node, node))
    match node:
        case syntax.Star(operand):
            yield from _of_star(node, operand)
        case syntax.Plus(operand):
            yield Law.PLUS_EXPANSION, syntax.concatenation((operand, syntax.Star(operand)))
            if isinstance(operand, syntax.Star | syntax.Option):
                yield Law.STAR_OF_STAR, syntax.Star(operand.operand)
        case syntax.Option(operand):
            yield Law.OPTION_EXPANSION, syntax.union((syntax.EPSILON, operand))
            if isinstance(operand, syntax.Star | syntax.Plus):
                yield Law.STAR_OF_STAR, syntax.Star(operand.operand)
        case syntax.Concatenation(operands):
            longest = max(len(_operands(part.operand)) if isinstance(part, syntax.Star) else 1 for part in operands)
            for start, end, law, rewritten in _neighbours(operands, longest, _concatenated):
                yield law, syntax.concatenation((*operands[:start], rewritten, *operands[end:]))
        case syntax.Union(operands):
            for start, end, law, rewritten in _neighbours(operands, 1, _united):
                yield law, syntax.union((*operands[:start], rewritten, *operands[end:]))
        case _:
            pass


def _of_star(node: syntax.Star, operand: syntax.Expression) -> _Results:
    yield Law.STAR_OF_STAR, syntax.Star(node)
    if isinstance(operand, syntax.Postfix):
        yield Law.STAR_OF_STAR, syntax.Star(operand.operand)
    yield Law.STAR_SQUARED, syntax.concatenation((node, node))
    yield Law.STAR_UNROLLING, syntax.union((syntax.EPSILON, syntax.concatenation((operand, node))))
    for first, second in _denested(operand):
        yield (
            Law.DENESTING,
            syntax.concatenation((syntax.Star(syntax.concatenation((syntax.Star(first), second))), syntax.Star(first))),
        )
        yield (
            Law.DENESTING,
            syntax.concatenation((syntax.Star(first), syntax.Star(syntax.concatenation((second, syntax.Star(first)))))),
        )
        if isinstance(operand, syntax.Union):
            yield Law.DENESTING, syntax.Star(syntax.concatenation((syntax.Star(first), syntax.Star(second))))
        else:
            yield Law.DENESTING, syntax.Star(syntax.union((first, second)))


def _denested(operand: syntax.Expression) -> Iterator[tuple[syntax.Expression, syntax.Expression]]:
    """Yield the a and b of a|b and of a*b*, split at every place."""
    if isinstance(operand, syntax.Union):
        for split in range(1, len(operand.operands)):
            yield syntax.union(operand.operands[:split]), syntax.union(operand.operands[split:])
    if isinstance(operand, syntax.Concatenation) and len(operand.operands) == 2:
        first, second = operand.operands
        if isinstance(first, syntax.Star) and isinstance(second, syntax.Star):
            yield first.operand, second.operand


_Run = tuple[syntax.Expression, ...]


def _neighbours(
    operands: _Run, longest: int, laws: Callable[[_Run, _Run], _Results]
) -> Iterator[tuple[int, int, Law, syntax.Expression]]:
    """Yield the results of the laws on two neighbouring runs of a chain, one of them one operand, with their span."""
    for middle in range(1, len(operands)):
        for length in range(1, longest + 1):
            for start, end in {(middle - length, middle + 1): None, (middle - 1, middle + length): None}:
                if start >= 0 and end <= len(operands):
                    for law, rewritten in laws(operands[start:middle], operands[middle:end]):
                        yield start, end, law, rewritten


def _concatenated(left: _Run, right: _Run) -> _Results:
    first, second = syntax.concatenation(left), syntax.concatenation(right)
    if isinstance(second, syntax.Star) and second.operand is first:
        yield Law.STAR_COMMUTATION, syntax.concatenation((second, first))
        yield Law.PLUS_EXPANSION, syntax.Plus(first)
    if isinstance(first, syntax.Star) and first.operand is second:
        yield Law.STAR_COMMUTATION, syntax.concatenation((second, first))
        yield Law.PLUS_EXPANSION, syntax.Plus(second)
    if isinstance(first, syntax.Star):
        if first is second:
            yield Law.STAR_SQUARED, first
        inside = _operands(first.operand)
        if len(inside) > len(right) and inside[: len(right)] == right:
            yield (
                Law.SLIDING,
                syntax.concatenation((*right, syntax.Star(syntax.concatenation((*inside[len(right) :], *right))))),
            )
    if isinstance(second, syntax.Star):
        inside = _operands(second.operand)
        if len(inside) > len(left) and inside[-len(left) :] == left:
            yield (
                Law.SLIDING,
                syntax.concatenation((syntax.Star(syntax.concatenation((*left, *inside[: -len(left)]))), *left)),
            )
    if len(left) == len(right) == 1:
        if isinstance(second, syntax.Union):
            yield Law.DISTRIBUTIVITY, syntax.union(syntax.concatenation((first, part)) for part in second.operands)
        if isinstance(first, syntax.Union):
            yield Law.DISTRIBUTIVITY, syntax.union(syntax.concatenation((part, second)) for part in first.operands)
        if first is syntax.EPSILON:
            yield Law.UNIT, second
        if second is syntax.EPSILON:
            yield Law.UNIT, first


def _operands(expression: syntax.Expression) -> tuple[syntax.Expression, ...]:
    return syntax.children(expression) if isinstance(expression, syntax.Concatenation) else (expression,)


def _united(left: _Run, right: _Run) -> _Results:
    (first,), (second,) = left, right
    if first is second:
        yield Law.IDEMPOTENCE, first
    yield Law.COMMUTATIVITY, syntax.union((second, first))
    if first is syntax.EPSILON:
        yield Law.OPTION_EXPANSION, syntax.Option(second)
        inside = _operands(second)
        for body in (inside[:-1], inside[1:]):
            if body and syntax.concatenation((*body, syntax.Star(syntax.concatenation(body)))) is second:
                yield Law.STAR_UNROLLING, syntax.Star(syntax.concatenation(body))
    one, other = _operands(first), _operands(second)
    if len(one) > 1 and len(other) > 1:
        if one[0] is other[0]:
            rest = syntax.union((syntax.concatenation(one[1:]), syntax.concatenation(other[1:])))
            yield Law.DISTRIBUTIVITY, syntax.concatenation((one[0], rest))
        if one[-1] is other[-1]:
            rest = syntax.union((syntax.concatenation(one[:-1]), syntax.concatenation(other[:-1])))
            yield Law.DISTRIBUTIVITY, syntax.concatenation((rest, one[-1]))
