"""The styles of English that candidates can be shown in.

The style of the paper is its T (arXiv 2511.11816, appendix C): quantifiers and connectives become fixed phrases,
literals the positive or negative gloss of their predicate, terms their meaning. Parentheses have no counterpart in it:
a formula with several connectives can share its rendering with an inequivalent one. Meanings are put into slots; the
text of a gloss is never searched for names.
"""

from collections.abc import Sequence
from enum import StrEnum

from nlfol.logic.english import even, unambiguous
from nlfol.logic.english.lexicon import spell
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import QUANTIFIED, Atom, Equality, Formula, Not, fold

_PAPER = {
    "¬": "it's false that {}",
    "∧": "{} and {}",
    "∨": "{} or {}",
    "⊕": "either {} or {}, but not both",
    "→": "if {}, then {}",
    "↔": "{} if and only if {}",
    "∀": "for all {}, {}",
    "∃": "there is {} such that {}",
}
"""The phrases of the paper, with places for a quantifier's variable and for the operands."""


class Style(StrEnum):
    """A style of rendering."""

    PAPER = "paper"
    """Fixed phrases; several formulas can share a rendering."""
    UNAMBIGUOUS = "unambiguous"
    """One reading only: no two formulas share a rendering, and ``reading.read_english`` is the inverse."""
    EVEN = "even"
    """One reading, too; operators of one place are equally long, so that length tells nothing (``even``)."""

    @property
    def is_injective(self) -> bool:
        """Return whether no two formulas share a rendering."""
        return self is not Style.PAPER


def render_candidates(formulas: Sequence[Formula], ontology: Ontology, style: Style) -> list[str]:
    """Render the formulas of one candidate set in a style; raises as ``render``."""
    if style is Style.UNAMBIGUOUS:
        return unambiguous.render_candidates(formulas, ontology)
    return [render(formula, ontology, style) for formula in formulas]


def render(formula: Formula, ontology: Ontology, style: Style) -> str:
    """Render a formula as one English sentence that stands alone, capital letter first, full stop last.

    Raises `SignatureError` outside the ontology, `EnglishLengthError` above ``wording.MAX_RENDERING`` characters.
    """
    match style:
        case Style.UNAMBIGUOUS:
            return unambiguous.render(formula, ontology)
        case Style.EVEN:
            return even.render(formula, ontology)
        case Style.PAPER:
            return _paper(formula, ontology)


def _paper(formula: Formula, ontology: Ontology) -> str:
    ontology.check(formula)

    def step(node: Formula, parts: tuple[str, ...]) -> str:
        if isinstance(node.operand if isinstance(node, Not) else node, Atom | Equality):
            return spell(node, ontology)
        variables = [node.variable.name] if isinstance(node, QUANTIFIED) else []
        return _PAPER[node.sign].format(*variables, *parts)

    clause = fold(formula, step)
    names = {constant.meaning for constant in ontology.constants}
    # A name of one letter keeps its case, lest the block ``a`` read as the article.
    opens_with_letter = clause[1:2] == " " and clause[:1] in names
    sentence = clause if opens_with_letter else clause[:1].upper() + clause[1:]
    return sentence if sentence.endswith(".") else f"{sentence}."
