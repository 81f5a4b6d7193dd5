"""Reasons why sentences are refused, and the funnel: how many sentences are left after the refusals of each step."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from nlfol.mappings import AnyRow


class Reason(StrEnum):
    """A reason why a sentence is refused; the first that applies is recorded."""

    EMPTY_TEXT = "empty_text"
    """The source has a formula, or nothing, where the sentence should be."""
    EMPTY_STORY = "empty_story"
    """The source does not say to which story the sentence belongs."""
    DUPLICATE = "duplicate"
    """The same story has the same sentence with the same formula already."""
    ARITY_CONFLICT = "arity_conflict"
    """The formulas of the story use one symbol with two arities, so that the story has no signature."""
    EXCLUSIVE_OR = "exclusive_or"
    """The formula contains ⊕, and the dataset was asked for without such formulas."""
    EMPTY_FORMULA = "empty_formula"
    """The source has no formula for the sentence."""
    UNMATCHED = "unmatched"
    """The source has one text and one formula for several sentences, and it is not sure which part is whose."""
    UNBALANCED_PARENTHESES = "unbalanced_parentheses"
    """Parentheses are missing or too many, and more than one formula could be meant."""
    NAME_COLLISION = "name_collision"
    """Two names of the story become one when they are made valid."""
    SYNTAX = "syntax"
    """The text is not a formula."""
    OPEN_FORMULA = "open_formula"
    """A variable is bound by no quantifier."""
    NO_ONTOLOGY = "no_ontology"
    """The ontologies at hand have none for the story."""
    UNKNOWN_SYMBOL = "unknown_symbol"
    """The formula uses a symbol that the story's ontology lacks."""
    EXHAUSTED = "exhausted"
    """A value of a generated set has no more items."""
    VACUOUS = "vacuous"
    """A generated formula has a quantifier whose variable does not occur."""
    UNBOUND = "unbound"
    """A generated formula needs an argument, and there is nothing that it could be."""
    CONSTANT = "constant"
    """A generated sentence is true everywhere or nowhere, so that hardly an edit could be told from it."""
    UNDECIDED = "undecided"
    """It was not decided within the budget if the generated sentence is constant."""
    NO_ENGLISH = "no_english"
    """A generated sentence is too long to be put into English."""
    WRONG_ARITY = "wrong_arity"
    """The formula uses a symbol with another arity than the story's ontology gives it."""


STEPS: tuple[tuple[str, tuple[Reason, ...]], ...] = (
    (
        "with a sentence, each symbol of one arity",
        (Reason.EMPTY_TEXT, Reason.EMPTY_STORY, Reason.DUPLICATE, Reason.ARITY_CONFLICT),
    ),
    ("without exclusive or", (Reason.EXCLUSIVE_OR,)),
    (
        "drawn, and contingent",
        (Reason.EXHAUSTED, Reason.UNBOUND, Reason.VACUOUS, Reason.UNDECIDED, Reason.CONSTANT, Reason.NO_ENGLISH),
    ),
    (
        "with a closed formula",
        (
            Reason.EMPTY_FORMULA,
            Reason.UNMATCHED,
            Reason.UNBALANCED_PARENTHESES,
            Reason.NAME_COLLISION,
            Reason.SYNTAX,
            Reason.OPEN_FORMULA,
        ),
    ),
    ("covered by an ontology", (Reason.NO_ONTOLOGY, Reason.UNKNOWN_SYMBOL, Reason.WRONG_ARITY)),
)
"""The steps of the funnel: what remains is called so once the rows refused for these reasons are taken away."""


@dataclass(frozen=True, slots=True)
class Fate:
    """A sentence, and the reason if a stage refused it."""

    item: str
    story: str
    reason: str | None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a funnel: the sentences left after it, and those that it refused."""

    name: str
    left: Sequence[Fate]
    refused: Sequence[Fate] = ()

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of stories and sentences left."""
        return {"stories": len({fate.story for fate in self.left}), "sentences": len(self.left)}


def take_away(entering: Sequence[Fate], groups: Iterable[tuple[str, Collection[str]]]) -> Iterator[Step]:
    """Yield the steps that refused something; each group has a step's name and the reasons that it takes away."""
    left = entering
    for name, reasons in groups:
        refused = [fate for fate in left if fate.reason in reasons]
        if refused:
            left = [fate for fate in left if fate.reason not in reasons]
            yield Step(name, left, refused)


def funnel(sentences: Iterable[AnyRow], triples: Iterable[AnyRow] = ()) -> list[dict[str, str | int]]:
    """Count what remains in the rows of the sentences file and, if given, the triples file of one dataset.

    The first ``step`` is "as read", the last "usable", and between them stand those of ``STEPS`` that took something
    away. Raises ``ValueError`` if a row has a reason that is not one of ``Reason``.
    """
    rows = list(sentences)
    reasons = {row["item"]: Reason(row["reason"]) for row in (*rows, *triples) if row["reason"] is not None}
    entering = [Fate(row["item"], row["story"], reasons.get(row["item"])) for row in rows]
    steps = [Step("as read", entering), *take_away(entering, STEPS)]
    return [{"step": step.name, **step.counts} for step in (*steps, Step("usable", steps[-1].left))]


def refusals(rows: Iterable[AnyRow]) -> dict[str, int]:
    """Count the rows that each reason refused, in the order of ``Reason``."""
    fates = [Fate(row["item"], row["story"], row["reason"] and Reason(row["reason"])) for row in rows]
    return {step.name: len(step.refused) for step in take_away(fates, ((reason.value, {reason}) for reason in Reason))}
