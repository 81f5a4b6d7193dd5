"""Sentences with their gold formulas, or with the reasons why they are refused."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from nlfol.datasets.reason import Reason
from nlfol.languages.language import LanguageName
from nlfol.logic.printing import to_unicode
from nlfol.logic.syntax import Formula


@dataclass(frozen=True, slots=True)
class Repair:
    """A syntactic fault that was mended without judgement.

    Attributes:
        kind: full_stop, connective_sign, name, parenthesis or quantifier_scope.
        before: what stood there: the name for a name, else the text of the formula.
        after: what it became.
    """

    kind: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What a reviewed entry of a patch file has changed.

    Attributes:
        kind: see ``patches.PatchKind``.
        reason: what is wrong with the published formula.
        evidence: why the corrected formula is what its author meant.
        published: the published formula in canonical notation; None where it could not be read.
    """

    kind: str
    reason: str
    evidence: str
    published: str | None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One row of the sentences file.

    Attributes:
        story: the story it belongs to.
        index: its place in the story, from 0, as in the source.
        text: the sentence, without surrounding white space.
        source_formula: as in the source.
        formula: in canonical notation; None where it could not be read.
        repairs: in the order in which they were made.
        reason: why it is refused; None where it is usable.
        detail: a sentence naming what is at fault and the remedy; None where it is usable.
        correction: what a patch has changed of the formula; None where it is as published.
        regained: why it would be refused with the formulas as published; None unless it is usable by a correction.
        language: of the formula.
        category: of a generated sentence, the value of the measure that its set is stratified by.
        tree: of a generated sentence, the digest of its derivation tree without the vocabulary.
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

    @classmethod
    def usable(
        cls,
        story: str,
        index: int,
        text: str,
        source_formula: str,
        *,
        formula: Formula,
        repairs: tuple[Repair, ...] = (),
    ) -> Sentence:
        """A sentence whose formula was read."""
        return cls(story, index, text, source_formula, to_unicode(formula), repairs)

    @classmethod
    def refused(
        cls,
        story: str,
        index: int,
        text: str,
        source_formula: str,
        *,
        reason: Reason,
        detail: str,
        formula: Formula | None = None,
        repairs: tuple[Repair, ...] = (),
    ) -> Sentence:
        """A sentence that goes no further; with its formula where one was read."""
        canonical = None if formula is None else to_unicode(formula)
        return cls(story, index, text, source_formula, canonical, repairs, reason, detail)

    @property
    def item(self) -> str:
        """The sentence's name, unique in its dataset."""
        return f"{self.story}:{self.index}"

    @property
    def status(self) -> str:
        """``usable`` or ``refused``."""
        return "usable" if self.reason is None else "refused"

    def to_row(self) -> dict[str, Any]:
        """The columns of ``nlfol.store.schemas.SENTENCES``."""
        return {
            "item": self.item,
            "story": self.story,
            "index": self.index,
            "text": self.text,
            "source_formula": self.source_formula,
            "formula": self.formula,
            "repairs": [{"kind": r.kind, "before": r.before, "after": r.after} for r in self.repairs],
            "language": self.language,
            "category": self.category,
            "tree": self.tree,
            "correction": None if self.correction is None else asdict(self.correction),
            "regained": None if self.regained is None else self.regained.value,
            "status": self.status,
            "reason": None if self.reason is None else self.reason.value,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Dataset:
    """What a reader makes of a source.

    Attributes:
        sentences: every sentence of the source, in its order, refused ones among them.
        digest: SHA-256 of the source file.
        notes: what of the source is no sentence and was passed over, or is not as expected, a sentence each.
        patches: SHA-256 of the patch file; None where formulas are as published.
    """

    sentences: tuple[Sentence, ...]
    digest: str
    notes: tuple[str, ...] = ()
    patches: str | None = None
