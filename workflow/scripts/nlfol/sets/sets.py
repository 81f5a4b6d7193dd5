"""Candidate sets, from which a model chooses; their certificates and rows.

Members come from a protocol: ``audited`` proves the relations that must hold between them, ``paper`` follows the
published procedure. Members stand in canonical order: the gold formula, then the others by role, and within
a role as drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nlfol.facts import Role
from nlfol.logic.english.styles import Style, render, render_candidates
from nlfol.logic.english.wording import EnglishLengthError
from nlfol.logic.equivalence import Outcome
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.printing import to_bracketed
from nlfol.logic.structures import Structure
from nlfol.logic.syntax import Formula, Path

if TYPE_CHECKING:
    from nlfol.store.row_parts import Candidate as CandidateRow


class Certificate(NamedTuple):
    """A proven relation to the member at place ``to``; without counter-model and word it is a proof.

    Exactly one of the two is true in the counter-model, confirmed by the plain definition of truth, or matches the
    word, the shortest of these.
    """

    to: int
    verdict: Outcome
    means: str
    counter_model: Structure | None = None
    word: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One member of a set, an expression in languages of expressions; its English is empty where none was wanted.

    ``edits`` counts the elementary edits between a perturbation and the gold formula, or the dimensions of a corner.
    ``change`` has their kinds or the laws that made it, in their order, ``path`` where each was applied, in the formula
    as it then was.
    Certificates relate it to members before it, and a perturbation to the negation; None if not certified. ``plain`` is
    a formula that a fair member says in a form of its own: what changes were made in, and certificates are about.
    """

    formula: Formula
    english: str
    role: Role
    edits: int = 0
    change: tuple[str, ...] = ()
    path: tuple[Path, ...] = ()
    certificates: tuple[Certificate, ...] | None = None
    plain: Formula | None = None


class CandidateError(ValueError):
    """An item from which no set can be made, with a reason to count by."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        super().__init__(detail)


def rendered(formula: Formula, ontology: Ontology, style: Style) -> str:
    """Render a member; raises `CandidateError` ``rendering_too_long``, as for a normal form of many nested ↔."""
    with usable():
        return render(formula, ontology, style)


def rendered_together(formulas: Sequence[Formula], ontology: Ontology, style: Style) -> list[str]:
    """Render all members of a set in the same layout; raises as ``rendered``."""
    with usable():
        return render_candidates(formulas, ontology, style)


@contextmanager
def usable() -> Iterator[None]:
    """Raise `CandidateError` ``rendering_too_long`` for English that is."""
    try:
        yield
    except EnglishLengthError as error:
        raise CandidateError("rendering_too_long", str(error)) from error


def candidate_rows(
    candidates: Sequence[Candidate], language: LanguageName = "first_order", *, bracketed: bool = False
) -> list[CandidateRow]:
    """Return the members as the ``candidates`` column of ``schemas.ITEMS``, formulas ``bracketed`` or canonical."""
    write = to_bracketed if bracketed else LANGUAGES[language].write
    # A structure certifies several relations of a set and is written out once.
    texts: dict[int, str] = {}
    rows: list[CandidateRow] = []
    for candidate in candidates:
        certificates = candidate.certificates
        for certificate in certificates or ():
            if certificate.counter_model is not None and id(certificate.counter_model) not in texts:
                texts[id(certificate.counter_model)] = certificate.counter_model.to_json()
        rows.append(
            {
                "formula": write(candidate.formula),
                "english": candidate.english,
                "role": candidate.role.value,
                "edits": candidate.edits,
                "change": [str(change) for change in candidate.change],
                "path": ["/".join(map(str, path)) for path in candidate.path],
                "certificates": None
                if certificates is None
                else [
                    {
                        "to": certificate.to,
                        "verdict": certificate.verdict.value,
                        "means": certificate.means,
                        "counter_model": texts.get(id(certificate.counter_model)),
                        "word": certificate.word,
                    }
                    for certificate in certificates
                ],
            }
        )
    return rows
