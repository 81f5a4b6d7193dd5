"""A problem: statements, a question and options in English, each with its line of the gold program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from string import ascii_uppercase
from typing import NamedTuple

from nlfol.mappings import AnyRow, JsonDict


class Reason(StrEnum):
    """A reason why a problem is refused.

    ``unread``: a sentence, formula or option cannot be read; ``empty``: there is no text; ``open_formula``: a formula
    has free variables; ``arity_conflict``: a symbol has two numbers of arguments; ``inconsistent``: the statements
    contradict one another; ``label_not_derived``: another answer follows, or none; ``several_options``: more than one
    option follows; ``undecided``: no answer within the budget. Of problems in other words besides: ``not_controlled``:
    the English is of no family's, so nothing can be read back; ``not_read_back``: the words are not read as the same
    program in one way; ``no_decoy``: too little is said of any concept to tell it from one that sounds like it;
    ``not_rewritten``: no concept is said twice, no form fits, or no rewrite was similar enough; ``not_similar``: the
    whole problem is too unlike the original.
    """

    UNREAD = "unread"
    OPEN_FORMULA = "open_formula"
    ARITY_CONFLICT = "arity_conflict"
    INCONSISTENT = "inconsistent"
    LABEL_NOT_DERIVED = "label_not_derived"
    SEVERAL_OPTIONS = "several_options"
    UNDECIDED = "undecided"
    EMPTY = "empty"
    NOT_CONTROLLED = "not_controlled"
    NOT_READ_BACK = "not_read_back"
    NO_DECOY = "no_decoy"
    NOT_REWRITTEN = "not_rewritten"
    NOT_SIMILAR = "not_similar"


class Evidence(StrEnum):
    """The evidence for an answer in the gold program.

    ``derivation``: the question, or its opposite, is derived by rules; ``no_derivation``: everything derivable is, and
    neither is among it; ``proof``: the premises entail the question or its negation; ``models``: the premises have a
    model in which the question holds and one in which it fails; ``solutions``: the option holds in all solutions, and
    no other does; ``published``: the publisher says so, and there is no gold program.
    """

    DERIVATION = "derivation"
    NO_DERIVATION = "no_derivation"
    PROOF = "proof"
    MODELS = "models"
    SOLUTIONS = "solutions"
    PUBLISHED = "published"


class Mention(NamedTuple):
    """A part of a text that names a concept in one of the lexicon's forms: ``base``, or as ``synonym.1``."""

    start: int
    end: int
    concept: str
    form: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, its line of the gold program (None if it adds nothing or there is none), and its mentions."""

    text: str
    line: str | None = None
    mentions: tuple[Mention, ...] = ()

    def after(self, prefix: str) -> Statement:
        """Return the statement behind other words."""
        by = len(prefix)
        mentions = tuple(mention._replace(start=mention.start + by, end=mention.end + by) for mention in self.mentions)
        return Statement(prefix + self.text, self.line, mentions)

    def to_row(self) -> JsonDict:
        """Return the statement as plain values."""
        return {"text": self.text, "line": self.line, "mentions": [mention._asdict() for mention in self.mentions]}

    @classmethod
    def from_row(cls, row: AnyRow) -> Statement:
        """Return the statement of a row."""
        return cls(row["text"], row["line"], tuple(Mention(**mention) for mention in row["mentions"]))


class Rewrite(NamedTuple):
    """A mention in other words: index of the statement, ``word``, ``phrase`` or ``sentence``, and the form's kind."""

    statement: int
    level: str
    type: str
    before: str
    after: str


class Follows(NamedTuple):
    """Label of a conclusion from a story's premises, as published, all corrected, and with each correction ``alone``.

    It is the text of an option, or the reason why none follows; ``label_follows`` says from which of the first two the
    label does: published, corrected, both or neither.
    """

    story: str
    label_follows: str
    published: str
    corrected: str
    alone: Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Problem:
    """A question about statements, with its answer; refused with a reason, and usable without.

    ``family`` is of its controlled English, or ``free``; ``language`` of its gold program, if any. The question's line
    is the query, if not each option has one. ``depth`` is of clauses that of the shortest derivation, or of everything
    derivable if the question is not (0: it is a statement itself); of constraints the least number of statements that
    entail the answer; of formulas the number of premises in a proof that needs them all; without a gold program, as
    published. ``rewrites`` are the changes that it was made by. ``follows`` is known where premises have corrections.
    """

    name: str
    family: str
    language: str | None
    statements: tuple[Statement, ...]
    question: Statement
    options: tuple[Statement, ...]
    answer: str
    evidence: Evidence | None = None
    depth: int | None = None
    reason: Reason | None = None
    detail: str | None = None
    rewrites: tuple[Rewrite, ...] = ()
    follows: Follows | None = field(default=None, hash=False)

    @property
    def is_usable(self) -> bool:
        """True if the problem is not refused."""
        return self.reason is None

    @property
    def sentences(self) -> tuple[Statement, ...]:
        """The statements, the question and the options."""
        return (*self.statements, self.question, *self.options)

    @property
    def context(self) -> str:
        """All statements as one text."""
        return " ".join(statement.text for statement in self.statements)

    @property
    def lettered(self) -> list[str]:
        """The options with their letters, as ``A) True``."""
        return [f"{letter}) {option.text}" for letter, option in self.by_letter.items()]

    @property
    def by_letter(self) -> dict[str, Statement]:
        """The options by their letters."""
        return dict(zip(ascii_uppercase, self.options, strict=False))

    @property
    def answer_text(self) -> str:
        """The option that is right."""
        return self.by_letter[self.answer].text

    def refused(self, reason: Reason, detail: str) -> Problem:
        """Return the problem with a reason of refusal."""
        return replace(self, evidence=None, depth=None, reason=reason, detail=detail)

    def to_row(self) -> JsonDict:
        """Return the problem as a row of PROBLEMS."""
        return {
            "item": self.name,
            "family": self.family,
            "language": self.language,
            "statements": [statement.to_row() for statement in self.statements],
            "question": self.question.to_row(),
            "options": [option.to_row() for option in self.options],
            "answer": self.answer,
            "evidence": self.evidence,
            "depth": self.depth,
            "rewrites": [rewrite._asdict() for rewrite in self.rewrites],
            "follows": None if self.follows is None else self.follows._asdict(),
            "status": "usable" if self.is_usable else "refused",
            "reason": self.reason,
            "detail": self.detail,
        }

    @classmethod
    def from_row(cls, row: AnyRow) -> Problem:
        """Return the problem of a row of PROBLEMS."""
        return cls(
            row["item"],
            row["family"],
            row["language"],
            tuple(map(Statement.from_row, row["statements"])),
            Statement.from_row(row["question"]),
            tuple(map(Statement.from_row, row["options"])),
            row["answer"],
            None if row["evidence"] is None else Evidence(row["evidence"]),
            row["depth"],
            None if row["reason"] is None else Reason(row["reason"]),
            row["detail"],
            tuple(Rewrite(**rewrite) for rewrite in row["rewrites"]),
            None if row["follows"] is None else Follows(**row["follows"]),
        )


TRUTHS = tuple(map(Statement, ("True", "False", "Unknown")))
"""The options of a question whether a statement follows."""


def plain(texts: Sequence[str]) -> tuple[Statement, ...]:
    """Return texts as statements without lines."""
    return tuple(map(Statement, texts))
