"""The maps under which formulas are equivalent: cut by finite structures, and decided by ``nlfol.logic``.

In all structures of two elements, or of one where these are too many, those are counted in which a formula holds and a
predicate has so many tuples. Renaming, other orders of arguments and other polarities of *other* predicates leave the
counts as they are; another polarity of this one reverses them. So they say which predicate may stand for which, and
with which polarity.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice, product

from nlfol.logic import Formula, FormulaSyntaxError, LogicError, Outcome, Signature, equivalence, read_decided
from nlfol.logic import syntax as fol
from nlfol.logic.decision.finite_models import CompleteFamily, column
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, SMALL_BUDGET
from nlfol.logic.decision.skolemization import substituted
from nlfol.logic.reading import close_universally
from nlfol.logic.relations import smallest_counter_model
from nlfol.mappings import JsonObject
from nlfol.problems.programs.images import MAX_CHECKS, MAX_FITS, Images, TooManyError, candidates
from nlfol.problems.programs.symbols import (
    Fits,
    Image,
    LineError,
    Numbered,
    NumberedConjunct,
    Numbering,
    Symbol,
    SymbolKind,
    distinct,
    identity,
    named,
)

MAX_ENTRIES = 12
"""Ground atoms up to which all structures are counted."""

MAX_CONSTANTS = 4
"""Constants up to which they are."""

MAX_APART = 8
"""Mentions up to which each may have an image of its own."""

MAX_OCCURRENCES = 400
"""Subformulas of what is aligned."""

_REMEMBERED = 5_000

_PREFIXES = {SymbolKind.PREDICATE: "P", SymbolKind.CONSTANT: "c", SymbolKind.FUNCTION: "f"}


@lru_cache(maxsize=_REMEMBERED)
def read(lines: tuple[str, ...]) -> Formula:
    """Read some lines as one conjunction, closed universally; raises ``LineError`` if that cannot be done."""
    joined: Formula | None = None
    for line in lines:
        name = line.strip()
        letter = Signature({name: 0}) if name.isidentifier() and name.isascii() else None
        try:
            formula = close_universally(read_decided(line, signature=letter).formula)
        except FormulaSyntaxError as error:
            raise LineError(str(error)) from error
        joined = formula if joined is None else fol.And(joined, formula)
    if joined is None:
        raise LineError("there is no line")
    if sum(1 for _ in islice(fol.subformulas(joined), MAX_OCCURRENCES + 1)) > MAX_OCCURRENCES:
        raise LineError(f"more than {MAX_OCCURRENCES} subformulas")
    return joined


def numbered(formula: Formula) -> Numbered:
    """Return a formula with its symbols by number."""
    numbering = Numbering()
    for _, node in fol.subformulas(formula):
        if isinstance(node, fol.Atom):
            numbering.mention(_predicate(node))
        for term in fol.terms(node):
            for part in fol.subterms(term):
                if not isinstance(part, fol.Variable):
                    numbering.mention(_of_term(part))
    images = {
        symbol: identity(symbol._replace(name=f"{_PREFIXES[symbol.kind]}{number}"))
        for symbol, number in numbering.numbers.items()
    }
    return numbering.numbered(_with_canonical_variables(written(formula, images)))


remembered = lru_cache(maxsize=_REMEMBERED)(numbered)


def _predicate(atom: fol.Atom) -> Symbol:
    return Symbol(SymbolKind.PREDICATE, atom.predicate, len(atom.arguments))


def _of_term(term: fol.Constant | fol.Function) -> Symbol:
    if isinstance(term, fol.Constant):
        return Symbol(SymbolKind.CONSTANT, term.name, 0)
    return Symbol(SymbolKind.FUNCTION, term.name, len(term.arguments))


def _with_canonical_variables(formula: Formula) -> Formula:
    """Name bound variables by the height of their quantifier, so that their names tell no formulas apart."""
    bound = {node.variable.name for _, node in fol.subformulas(formula) if isinstance(node, fol.ForAll | fol.Exists)}
    prefix = "z"
    while any(name.startswith(prefix) for name in bound):
        prefix += "z"

    def step(node: Formula, parts: tuple[tuple[Formula, int], ...]) -> tuple[Formula, int]:
        height = max((height for _, height in parts), default=0)
        bodies = [body for body, _ in parts]
        if not isinstance(node, fol.ForAll | fol.Exists):
            return fol.with_children(node, bodies), height
        # No variable that occurs inside has this name, so nothing is captured.
        new = fol.Variable(f"{prefix}{height + 1}")
        return type(node)(new, substituted(bodies[0], node.variable.name, new)), height + 1

    return fol.fold(formula, step)[0]


def written(formula: Formula, images: Mapping[Symbol, Image]) -> Formula:
    """Return a formula with images for its symbols; those without one stay."""

    def image(symbol: Symbol) -> Image:
        return images.get(symbol) or identity(symbol)

    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        return (
            _with_images(node, image) if isinstance(node, fol.Atom | fol.Equality) else fol.with_children(node, parts)
        )

    return fol.fold(formula, step)


def renamed(formula: Formula, image: Callable[[Symbol], Image]) -> Formula:
    """Return the formula with an image for each mention."""
    changed = formula
    for path, node in fol.subformulas(formula):
        if isinstance(node, fol.Atom | fol.Equality):
            # A conjunction is put where an atom was, so paths to the right of it stay as they are.
            changed = fol.replace(changed, path, _with_images(node, image))
    return changed


def _with_images(node: fol.Atom | fol.Equality, image: Callable[[Symbol], Image]) -> Formula:
    if isinstance(node, fol.Equality):
        return fol.Equality(*(_of_images(term, image) for term in fol.terms(node)))
    parts = image(_predicate(node))
    arguments = [_of_images(term, image) for term in node.arguments]
    atoms: list[Formula] = []
    for part in parts:
        atom = fol.Atom(part.symbol.name, tuple(arguments[place] for place in part.places))
        atoms.append(atom if part.value else fol.Not(atom))
    return atoms[0] if len(atoms) == 1 else fol.And(atoms[0], atoms[1])


def _of_images(root: fol.Term, image: Callable[[Symbol], Image]) -> fol.Term:
    done: dict[fol.Term, fol.Term] = {}
    for part in reversed(list(fol.subterms(root))):
        if isinstance(part, fol.Variable):
            done[part] = part
            continue
        other = image(_of_term(part))[0]
        if isinstance(part, fol.Constant):
            done[part] = fol.Constant(other.symbol.name)
        else:
            done[part] = fol.Function(other.symbol.name, tuple(done[part.arguments[place]] for place in other.places))
    return done[root]


def same(first: Formula, second: Formula) -> bool:
    """Return whether two formulas are proven equivalent."""
    return equivalence(first, second, budget=SMALL_BUDGET).outcome is Outcome.EQUIVALENT


@lru_cache(maxsize=20_000)
def fits(gold: Formula, other: Formula) -> Fits:
    """Return the maps under which a gold shape is equivalent to another; per mention if none exists per concept."""
    known = numbered(gold)
    fitting = _fits(gold, other)
    if fitting.fits:
        return fitting._replace(
            fits=tuple(distinct(tuple(fit[mention] for mention in known.mentions) for fit in fitting.fits))
        )
    apart = _apart(gold) if len(known.symbols) < len(known.mentions) <= MAX_APART else None
    return fitting if apart is None else _fits(apart, other)


def _apart(shape: Formula) -> Formula | None:
    """Return the shape with a symbol of its own for each mention; None if functions are applied."""
    if any(symbol.kind is SymbolKind.FUNCTION for symbol in numbered(shape).symbols):
        return None
    numbers = count()
    return renamed(shape, lambda symbol: identity(symbol._replace(name=f"{_PREFIXES[symbol.kind]}{next(numbers)}")))


def _fits(gold: Formula, other: Formula) -> Fits:
    ours, theirs = numbered(gold).symbols, numbered(other).symbols
    of_gold, of_other = extensions(gold, ours), extensions(other, theirs)

    def allowed(concept: int, part: NumberedConjunct) -> bool:
        if of_gold is None or of_other is None or concept not in of_gold:
            return True
        counts = of_other[part.symbol]
        return of_gold[concept] == (counts if part.value else counts[::-1])

    def twins(one: NumberedConjunct, two: NumberedConjunct) -> bool:
        # Parts of a conjunction can be exchanged for one another.
        if of_other is None:
            return True
        counts, others = of_other[one.symbol], of_other[two.symbol]
        return counts == (others if one.value == two.value else others[::-1])

    truth = FIRST_FAMILY.truth(other)
    checked, kept = 0, list[Images]()
    exhaustive = True
    try:
        for images in candidates(ours, theirs, allowed, twins):
            checked += 1
            if checked > MAX_CHECKS or len(kept) == MAX_FITS:
                exhaustive = False
                break
            of_symbols = dict(
                zip(ours, named(tuple(images[number] for number in range(len(ours))), theirs), strict=True)
            )
            changed = written(gold, of_symbols)
            if FIRST_FAMILY.truth(changed) == truth and same(changed, other):
                kept.append(images)
    except TooManyError:
        exhaustive = False
    return Fits(tuple(tuple(images[number] for number in range(len(ours))) for images in kept), exhaustive)


def extensions(formula: Formula, symbols: Sequence[Symbol]) -> dict[int, tuple[int, ...]] | None:
    """Return by predicate how many structures the formula holds in where the predicate has 0, 1, ... tuples."""
    predicates = {symbol.name: symbol.arity for symbol in symbols if symbol.kind is SymbolKind.PREDICATE}
    constants = [symbol.name for symbol in symbols if symbol.kind is SymbolKind.CONSTANT]
    if any(symbol.kind is SymbolKind.FUNCTION for symbol in symbols) or not predicates:
        return None
    size = 2 if sum(2**arity for arity in predicates.values()) <= MAX_ENTRIES and len(constants) <= MAX_CONSTANTS else 1
    entries = sum(size**arity for arity in predicates.values())
    if entries > MAX_ENTRIES:
        return None
    truths = []
    for values in product(range(size), repeat=len(constants) if size > 1 else 0):
        placed = dict(zip(constants, values, strict=True)) if size > 1 else dict.fromkeys(constants, 0)
        truth = CompleteFamily(size, placed, predicates).truth(formula)
        if truth is None:
            return None
        truths.append(truth)
    counts, first = {}, 0
    numbers = {symbol.name: number for number, symbol in enumerate(symbols)}
    for name, arity in sorted(predicates.items()):
        having = _by_extension(first, size**arity, entries)
        counts[numbers[name]] = tuple(sum((truth & mask).bit_count() for truth in truths) for mask in having)
        first += size**arity
    return counts


@lru_cache(maxsize=512)
def _by_extension(first: int, count: int, entries: int) -> list[int]:
    """Return the structures of a complete family in which 0, 1, ... of some ground atoms are true."""
    having = [(1 << (1 << entries)) - 1, *[0] * count]
    for bit in range(first, first + count):
        bits = column(bit, entries)
        having = [(mask & ~bits) | (having[number - 1] & bits if number else 0) for number, mask in enumerate(having)]
    return having


def difference(gold: Formula, other: Formula) -> JsonObject | None:
    """Return the smallest structure in which exactly one of two formulas holds; None if none is found."""
    try:
        model = smallest_counter_model(gold, other, budget=SMALL_BUDGET)
    except LogicError:
        return None  # a symbol of two arities: no structure interprets both
    return None if model is None else model.as_data()
