"""Sentences with their gold formulas, or with the reasons why they are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from nlfol.data.reason import Reason
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.printing import to_unicode
from nlfol.logic.syntax import Formula

if TYPE_CHECKING:
    from nlfol.store import row_parts
    from nlfol.store.schemas import SentenceRow


class Repair(NamedTuple):
    """A repair (full_stop, connective_sign, name, parenthesis or quantifier_scope): what was before and after."""

    kind: str
    before: str
    after: str


class Correction(NamedTuple):
    """A correction by a patch, with its evidence; the published formula in canonical notation, None if unreadable.

    New symbols are JSON, in the form of ontology files.
    """

    kinds: list[str]
    reason: str
    evidence: str
    published: str | None
    symbols: str | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One row of the sentences file.

    ``index`` is its position in the story as in the source. A refused one has a reason, with the remedy in ``detail``.
    ``regained`` is why it would be refused with the formulas as published, where a correction makes it usable.
    ``readings`` are formulas that are accepted of it, corrected gold first; none unless they are known.
    Generated sentences have the ``category`` that their set is stratified by, and the digest of their tree.
    """

    story: str
    index: int
    text: str
    source_formula: str
    formula: str | None
    repairs: tuple[Repair, ...] = ()
    reason: Reason | None = None
    detail: str | None = None
    correction: Correction | None = None
    regained: Reason | None = None
    language: LanguageName = "first_order"
    category: int | None = None
    tree: str | None = None
    readings: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        story: str,
        index: int,
        text: str,
        source_formula: str,
        formula: Formula | None = None,
        *,
        repairs: tuple[Repair, ...] = (),
        reason: Reason | None = None,
        detail: str | None = None,
    ) -> Sentence:
        """Return a sentence with its formula in canonical notation, as far as one was read."""
        canonical = None if formula is None else to_unicode(formula)
        return cls(story, index, text, source_formula, canonical, repairs, reason, detail)

    @property
    def item(self) -> str:
        """The name of the sentence, unique in its dataset."""
        return f"{self.story}:{self.index}"

    @property
    def status(self) -> str:
        """Either ``usable`` or ``refused``."""
        return "usable" if self.reason is None else "refused"

    def to_row(self) -> SentenceRow:
        """Return the columns of ``nlfol.store.schemas.SENTENCES``."""
        return {
            "item": self.item,
            "story": self.story,
            "index": self.index,
            "text": self.text,
            "source_formula": self.source_formula,
            "formula": self.formula,
            "repairs": cast("list[row_parts.Repair]", [repair._asdict() for repair in self.repairs]),
            "language": self.language,
            "category": self.category,
            "depth": None,
            "tree": self.tree,
            "batch": None,
            "correction": None if self.correction is None else cast("row_parts.Correction", self.correction._asdict()),
            "readings": list(self.readings),
            "regained": None if self.regained is None else self.regained.value,
            "status": self.status,
            "reason": None if self.reason is None else self.reason.value,
            "detail": self.detail,
        }


class Dataset(NamedTuple):
    """A source's sentences in order, refused ones too, with notes; SHA-256 of the source and of patches, if any."""

    sentences: tuple[Sentence, ...]
    digest: str
    notes: tuple[str, ...] = ()
    patches: str | None = None
