"""Cubes: formulas that changes of a gold formula make in all their combinations, proven different, and their texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from operator import is_not
from random import Random
from typing import Generic, Protocol, TypeVar

from nlfol.facts import Role
from nlfol.logic.english import even
from nlfol.logic.equivalence import Outcome, Verdict, equivalence
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.printing import to_bracketed
from nlfol.logic.syntax import Formula, Path
from nlfol.sets.audited import Plan
from nlfol.sets.drawn import drawn
from nlfol.sets.separation import Separation, truth_vector
from nlfol.sets.sets import Candidate, Certificate

Texts = Sequence[Callable[[Formula], str]]
"""Give the texts that a formula is shown as."""

Certify = Callable[[int, Formula, Formula], Certificate]
"""Makes the certificate that relates a formula to another, at a place."""


class Changed(Protocol):
    """A change of the gold formula; those without a common place combine."""

    @property
    def kind(self) -> str:
        """Return the kind."""

    @property
    def path(self) -> Path:
        """Return where it stands."""

    @property
    def places(self) -> frozenset[object]:
        """Return what it decides."""


C = TypeVar("C", bound=Changed)


class Corners(Generic[C]):
    """The corners of a cube: at the place whose k-th bit is set, the k-th dimension is changed.

    ``make`` applies dimensions to the gold formula; None where they make no member. Two that are proven different
    may be asked to ``differ`` in other ways, too.
    """

    def __init__(
        self,
        gold: Formula,
        vector: int | None,
        make: Callable[[tuple[C, ...]], Formula | None],
        differ: Callable[[Formula, Formula], bool] = is_not,
    ) -> None:
        self.formulas = [gold]
        self._make, self._differ = make, differ
        self._dimensions: list[C] = []
        self._vectors = {gold: vector}
        self._verdicts: dict[tuple[Formula, Formula], Verdict] = {}

    @property
    def dimensions(self) -> int:
        """Return the number of dimensions."""
        return len(self._dimensions)

    def add(self, dimension: C) -> None:
        """Add a dimension, unless others decide one of its places or some corner would not be proven different."""
        if any(not dimension.places.isdisjoint(other.places) for other in self._dimensions):
            return
        added = []
        vectors, verdicts = dict(self._vectors), dict(self._verdicts)
        for corner in range(len(self.formulas)):
            formula = self._make((*self._changed(corner), dimension))
            if formula is None or formula in vectors:
                return
            vector = truth_vector(formula)
            if vector is not None and vector in vectors.values():
                return  # as good as never different, and long to prove
            for other, known in vectors.items():
                if vector is None or known is None:
                    verdicts[other, formula] = verdicts[formula, other] = verdict = equivalence(other, formula)
                    if verdict.outcome is not Outcome.NOT_EQUIVALENT:
                        return
            if not all(self._differ(other, formula) for other in vectors):
                return
            vectors[formula] = vector
            added.append(formula)
        self.formulas += added
        self._vectors, self._verdicts = vectors, verdicts
        self._dimensions.append(dimension)

    def _changed(self, corner: int) -> tuple[C, ...]:
        return tuple(dimension for bit, dimension in enumerate(self._dimensions) if corner >> bit & 1)

    def candidates(self, gold: int) -> list[Candidate]:
        """Return the corners, that at a place being the gold formula, and the others by what they change of it."""
        drafts = []
        for corner in range(len(self.formulas)):
            changed = self._changed(corner)
            role = Role.CORNER if changed else Role.GOLD
            kinds, paths = (
                tuple(dimension.kind for dimension in changed),
                tuple(dimension.path for dimension in changed),
            )
            drafts.append(Candidate(self.formulas[corner ^ gold], "", role, len(changed), kinds, paths))
        return drafts

    def certificate(self) -> Certify:
        """Return what certifies that two corners differ."""
        return certificates(self._vectors, self._verdicts)


def certificates(vectors: Mapping[Formula, int | None], verdicts: Mapping[tuple[Formula, Formula], Verdict]) -> Certify:
    """Return what certifies a relation: a verdict, or where there is none a structure that vectors tell."""
    separation = Separation({formula: vector for formula, vector in vectors.items() if vector is not None})

    def certificate(to: int, other: Formula, formula: Formula) -> Certificate:
        if verdict := verdicts.get((other, formula)):
            return Certificate(to, verdict.outcome, verdict.means, verdict.counter_model)
        return Certificate(to, Outcome.NOT_EQUIVALENT, "finite_structure", separation.between(other, formula))

    return certificate


def certified(
    drafts: Sequence[Candidate],
    certificate: Certify,
    shown: Texts,
    forms: Random | None,
    is_alike: Callable[[Formula, Formula, Texts], bool],
) -> list[Candidate]:
    """Return the members in the form that is shown, with English, and certificates of each and all those before it."""

    def form_of(plain: Formula) -> Formula:
        return plain if forms is None else drawn(plain, forms, lambda form: is_alike(form, plain, shown))

    members = []
    for index, draft in enumerate(drafts):
        form = form_of(plain := draft.formula)
        proven = tuple(certificate(to, other.formula, plain) for to, other in enumerate(drafts[:index]))
        english = "".join(text(form) for text in shown[1:])
        members.append(replace(draft, formula=form, plain=plain, english=english, certificates=proven))
    return members


def shown_as(ontology: Ontology, plan: Plan) -> Texts:
    """Return the texts of members: the formula with all its brackets, and English if there is a style."""
    written: dict[Formula, str] = {}
    rendered: dict[even.Clause, str] = {}
    texts: list[Callable[[Formula], str]] = [lambda formula: to_bracketed(formula, written)]
    return texts if plan.style is None else [*texts, cache(partial(even.render, ontology=ontology, done=rendered))]


def is_as_long(formula: Formula, other: Formula, shown: Texts, *, but_for: Sequence[str] = ("", "")) -> bool:
    """Return whether two formulas have equally many characters and words, in all presentations, ``but_for`` a word."""
    for word, text in zip(but_for, shown, strict=False):
        a, b = (text(side).lower().replace(word, "") if word else text(side) for side in (formula, other))
        if len(a) != len(b) or a.count(" ") != b.count(" "):
            return False
    return True
