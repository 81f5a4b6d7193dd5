"""Reasons why sentences are refused, in the order in which they take precedence and the funnel counts them."""

from __future__ import annotations

from enum import StrEnum


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
    """Whether a generated sentence is constant was not decided within the budget."""
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
        (
            Reason.EXHAUSTED,
            Reason.UNBOUND,
            Reason.VACUOUS,
            Reason.UNDECIDED,
            Reason.CONSTANT,
            Reason.NO_ENGLISH,
        ),
    ),
    (
        "with a closed formula",
        (
            Reason.EMPTY_FORMULA,
            Reason.UNBALANCED_PARENTHESES,
            Reason.NAME_COLLISION,
            Reason.SYNTAX,
            Reason.OPEN_FORMULA,
        ),
    ),
    ("covered by an ontology", (Reason.NO_ONTOLOGY, Reason.UNKNOWN_SYMBOL, Reason.WRONG_ARITY)),
)
"""The steps of the funnel: what remains is called so once the rows refused for these reasons are taken away."""
