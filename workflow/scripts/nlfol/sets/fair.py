"""Fair candidate sets: none of the candidates looks like the gold one.

Where every candidate is one edit of the gold formula, this one stands in their middle, and who picks the candidate
nearest to all others finds it without the sentence. A fair set of ``most_similar`` is a *cube*: up to three dimensions
of the gold formula, and all formulas that they make. Made from any of these it is the same set, and no corner is nearer
to the others. A set of ``ranking`` has two forms each of the gold formula, of another one dimension away, and of both
negations, made so that only what they say tells one meaning from another. Each member is shown in a form that is drawn
(``drawn``), so that order gives little away. All is proven.

Dimensions that keep the length, and make what is as likely to be said, come first; others only where fewer than two of
them are found. What then still tells the gold formula is that people say some things more often than others. Where the
sentence is certified English, not even that: the gold formula is drawn from the finished set, so that a guess without
the sentence is right with a probability of 1 in the number of meanings, whatever the guesser knows.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice, product
from math import log2
from random import Random

from nlfol.facts import Role
from nlfol.logic.english import wording
from nlfol.logic.equivalence import equivalence
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.rewriting import complement
from nlfol.logic.syntax import Atomic, Formula, Not, children, subformulas
from nlfol.sets.audited import Plan, in_random_order, vector_of_contingent
from nlfol.sets.cubes import Certify, Corners, Texts, certificates, certified, is_as_long, shown_as
from nlfol.sets.dimensions import Dimension, apply, dimensions
from nlfol.sets.distances import nearness
from nlfol.sets.forms import doubled, form
from nlfol.sets.separation import truth_vector
from nlfol.sets.sets import Candidate, CandidateError, usable

LEAST = 2
"""Dimensions below which those that change the length, or the naturalness, are taken; at most one is of symbols."""

MOST_OFFERED = 200
"""Dimensions of a formula that are looked at."""

MAX_LEVELS = 50
"""Levels of nesting up to which forms are drawn."""

FORMS = 96
"""Forms that are drawn of each meaning of a ranking set, at most."""

FORMS_AT_ONCE = 8

COMPARED = 3
"""Forms of a meaning that are compared for evenness."""

FEW = 3
"""Atomic parts up to which forms of two meanings need not be made alike: those of A ∨ B and A ∧ B never balance so."""

MOST_DOUBLED = 8
"""Literals of a formula without forms that are tried to be said twice."""

_NEGATIONS = ("¬", wording.FALSE)


@usable()
def most_similar_set(gold: Formula, ontology: Ontology, plan: Plan, draw: Random) -> list[Candidate]:
    """Draw the gold formula and the other corners of a cube of at most ``plan.perturbations`` + 1.

    Raises ``CandidateError``: ``open``, ``valid``, ``unsatisfiable`` or ``undecided`` as ``audited``;
    ``too_few_perturbations`` if no cube has another.
    """
    corners = Corners(gold, vector_of_contingent(gold), partial(apply, gold))
    most = int(log2(plan.perturbations + 1))
    shown = shown_as(ontology, plan)
    for tier in _tiers(gold, ontology, shown, draw):
        for dimension in tier:
            if corners.dimensions >= most:
                break
            corners.add(dimension)
        most = min(most, LEAST)
    if len(corners.formulas) == 1:
        raise CandidateError("too_few_perturbations", "no formula is proven different from the gold formula in a cube")
    chosen = draw.randrange(len(corners.formulas)) if plan.draws_gold else 0
    return certified(corners.candidates(chosen), corners.certificate(), shown, plan.forms, is_as_long)


@usable()
def ranking_set(gold: Formula, ontology: Ontology, plan: Plan, draw: Random) -> list[Candidate]:
    """Draw two forms each of the gold formula, of another one dimension away, and of both negations.

    Raises ``CandidateError``: ``open``, ``valid``, ``unsatisfiable`` or ``undecided`` as ``audited``; ``no_forms`` if
    the four have no forms that are equally long, as an atom whose signature has nothing to exchange.
    """
    vector, opposite = vector_of_contingent(gold), truth_vector(Not(gold))
    shown = shown_as(ontology, plan)
    if gold.profile.levels > MAX_LEVELS:
        raise CandidateError("no_forms", f"the gold formula has over {MAX_LEVELS} levels")
    atoms = sum(isinstance(node, Atomic) for _, node in subformulas(gold))
    # Short formulas have too few forms; a literal that is said twice gives them more.
    options = [None, *draw.sample(range(atoms), min(atoms, MOST_DOUBLED))]
    for alike, atom in product((True, False) if atoms <= FEW else (True,), options):

        def spoken(formula: Formula, atom: int | None = atom) -> Sequence[Formula]:
            return (formula,) if atom is None else doubled(formula, atom)

        forms = _Forms(spoken(gold), draw, every=not alike)
        for dimension in chain.from_iterable(_tiers(gold, ontology, shown, draw)) if forms.counts else ():
            other = apply(gold, (dimension,))
            # Forms differ in length by their negations alone.
            if not is_as_long(other, gold, shown, but_for=_NEGATIONS):
                continue
            if None in (vector, changed := truth_vector(other)) or changed in (vector, opposite):
                continue
            if alike:
                pairs = forms.balanced(spoken(other), shown)
            else:
                pairs = forms.balanced_with(_Forms(spoken(other), draw, every=True), shown)
            if pairs:
                chosen = draw.randrange(4) if plan.draws_gold else 0
                return certified(*_ranked(pairs, dimension, chosen), shown, plan.forms, is_as_long)
    raise CandidateError(
        "no_forms", "no formula one dimension away has forms as long as those of the gold formula and of both negations"
    )


class _Forms:
    """Forms of a formula, which may be ``said_as`` any of some, and of its negation; none has ¬ in front.

    ``counts`` are the numbers of ¬ that both have forms with; ``every`` draws on when there is one. A form of another
    formula that is drawn by the same seed is made alike.
    """

    def __init__(self, said_as: Sequence[Formula], draw: Random, *, every: bool = False) -> None:
        # By number of ¬, distinct forms with a seed of each.
        self._pools: tuple[dict[int, dict[Formula, int]], ...] = ({}, {})
        affirmed, denied = self._pools
        for _ in range(FORMS // FORMS_AT_ONCE):
            for is_denied, pool in enumerate(self._pools):
                for seed in (draw.getrandbits(64) for _ in range(FORMS_AT_ONCE)):
                    if (variant := _form(said_as, seed, is_denied=bool(is_denied))) is not None:
                        pool.setdefault(_negations(variant), {}).setdefault(variant, seed)
            self.counts = sorted(affirmed.keys() & denied.keys())
            if self.counts and not every:
                break

    def balanced(self, other: Sequence[Formula], shown: Texts) -> Sequence[tuple[Formula, Formula]]:
        """Return two forms each of the meaning, another, and their negations in this order; none if none are alike.

        Four forms, equally long, say what the formulas and their negations say, and ¬ before each says the contrary:
        each meaning is said once with ¬ in front and once without. Of some such forms those are taken whose members
        are as near to all others as can be.
        """
        for negations in self.counts:
            affirmed = list(islice(self._alike(negations, other, is_denied=False), COMPARED))
            denied = list(islice(self._alike(negations, other, is_denied=True), COMPARED)) if affirmed else []
            if four := _most_even([(*a, *b) for a, b in product(affirmed, denied)], shown):
                return _denied_in_front(four)
        return []

    def balanced_with(self, other: "_Forms", shown: Texts) -> Sequence[tuple[Formula, Formula]]:
        """Return such forms where none are made alike, as of A ∨ B and A ∧ B: any with equally many ¬."""
        for negations in sorted({*self.counts} & {*other.counts}):
            pools = (forms._pools[is_denied][negations] for is_denied in (0, 1) for forms in (self, other))
            if four := _most_even(list(product(*(islice(pool, COMPARED - 1) for pool in pools))), shown):
                return _denied_in_front(four)
        return []

    def _alike(self, negations: int, other: Sequence[Formula], *, is_denied: bool) -> Iterator[tuple[Formula, Formula]]:
        for one, seed in self._pools[is_denied][negations].items():
            its_other = _form(other, seed, is_denied=is_denied)
            if its_other is not None and _negations(its_other) == negations:
                yield one, its_other


def _denied_in_front(four: Sequence[Formula]) -> Sequence[tuple[Formula, Formula]]:
    one, its_other, not_one, not_other = four
    pairs = [(one, not_one), (its_other, not_other)]
    return [*((a, Not(b)) for a, b in pairs), *((b, Not(a)) for a, b in pairs)]


def _form(said_as: Sequence[Formula], seed: int, *, is_denied: bool) -> Formula | None:
    """Draw a form of a formula, or of its negation; None if it has ¬ in front."""
    splits, choice = bool(seed % 2), seed // 2 % len(said_as)
    drawn = form(said_as[choice], Random(seed), splits=splits)  # noqa: S311 - choices, no secrets
    written = complement(drawn) if is_denied else drawn
    return None if isinstance(written, Not) else written


def _negations(formula: Formula) -> int:
    count, left = 0, [formula]
    while left:
        node = left.pop()
        count += isinstance(node, Not)
        left += children(node)
    return count


def _most_even(fours: Sequence[tuple[Formula, ...]], shown: Texts) -> tuple[Formula, ...]:
    """Return the equally long formulas whose distances to the others, with all negations, vary least."""
    best: tuple[Formula, ...] = ()
    least = None
    for four in fours:
        if not all(is_as_long(formula, four[0], shown) for formula in four[1:]):
            continue
        uneven = 0
        for front, text in zip(("¬", wording.FALSE), shown, strict=False):
            away = nearness([written for formula in four for written in (text(formula), f"{front} {text(formula)}")])
            uneven += max(away) - min(away)
        if least is None or uneven < least:
            best, least = four, uneven
        if not uneven:
            break
    return best


def _ranked(
    pairs: Sequence[tuple[Formula, Formula]], dimension: Dimension, chosen: int
) -> tuple[Sequence[Candidate], Certify]:
    change = (1, (dimension.kind,), (dimension.path,))
    (gold, same), (other, its_same), (negation, its_equal), (opposite, its_other) = (
        pairs[index ^ chosen] for index in range(4)
    )
    drafts = [
        Candidate(gold, "", Role.GOLD),
        Candidate(same, "", Role.EQUIVALENT),
        Candidate(other, "", Role.CORNER, *change),
        Candidate(its_same, "", Role.REPHRASED, *change),
        Candidate(opposite, "", Role.CORNER, *change),
        Candidate(its_other, "", Role.REPHRASED, *change),
        Candidate(negation, "", Role.NEGATION),
        Candidate(its_equal, "", Role.NEGATION_EQUIVALENT),
    ]
    vectors = {draft.formula: truth_vector(draft.formula) for draft in drafts}
    verdicts = {
        (a, b): equivalence(a, b)
        for (a, its_vector), (b, other_vector) in combinations(vectors.items(), 2)
        if its_vector is None or its_vector == other_vector
    }
    return drafts, certificates(vectors, verdicts)


def _tiers(gold: Formula, ontology: Ontology, shown: Texts, draw: Random) -> Iterator[Iterator[Dimension]]:
    """Yield dimensions in random order, a kind drawn first: the best, others that keep the length, and the rest."""
    offered = list(dimensions(gold, ontology))
    offered = draw.sample(offered, min(len(offered), MOST_OFFERED))
    for natural in (True, False):
        left: list[Dimension] = []

        def keeping(natural: bool = natural, left: list[Dimension] = left) -> Iterator[Dimension]:
            for dimension in in_random_order(
                [dimension for dimension in offered if dimension.is_natural is natural], draw, lambda d: d.kind
            ):
                if not dimension.differs and is_as_long(apply(gold, (dimension,)), gold, shown):
                    yield dimension
                else:
                    left.append(dimension)

        yield keeping()
        yield iter(left)
