"""English in which operators of one place are equally long, for candidates that must not differ in length.

Every operator opens with words of its own: a prefix notation, which needs no lists. ``reading`` is the inverse::

    clause = literal | "it is false that", clause
           | ("for each" | "for some"), variable, ",", clause
           | "both", clause, ", and", clause | "either", clause, "or", clause
           | "when", clause, "then", clause | "iff", clause, ", then", clause
           | "exactly one holds:", clause, ", or", clause
           | ("all of" | "any of"), number, "hold:", clause, {",", clause} ;

A negation is said by its own words, also before a literal: glosses of negations differ in length. Chains of ∧ or ∨ that
are grouped to the left have their number of operands, three or more. What a quantifier governs is split in two first,
so that "for each x, when A then B" and "for some x, both A, and B" have equally long A and B.
"""

from collections.abc import Sequence

from nlfol.interning import bottom_up
from nlfol.logic.english import wording
from nlfol.logic.english.lexicon import lexicon, variable_phrase
from nlfol.logic.english.unambiguous import as_sentence
from nlfol.logic.english.wording import MAX_RENDERING, EnglishLengthError
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import And, Atomic, Binary, ForAll, Formula, Not, Or, Quantified


def parts_of(node: Formula, *, is_governed: bool) -> tuple[Formula, ...]:
    """Return the operands that a formula is said with: those of a whole chain, unless a quantifier governs it."""
    if isinstance(node, And | Or) and not is_governed:
        parts: tuple[Formula, ...] = ()
        left: Formula = node
        while type(left) is type(node):
            parts, left = (left.right, *parts), left.left
        return (left, *parts)
    if isinstance(node, Binary):
        return node.left, node.right
    if isinstance(node, Quantified):
        return (node.body,)
    return (node.operand,) if isinstance(node, Not) else ()


Clause = tuple[Formula, bool]
"""A formula, and whether a quantifier governs it."""


def render(formula: Formula, ontology: Ontology, done: dict[Clause, str] | None = None) -> str:
    """Render a formula as a sentence; ``done`` has texts of clauses over this ontology, and is added to.

    Raises as ``unambiguous.render``.
    """
    words = lexicon(ontology)

    def parts(clause: Clause) -> Sequence[Clause]:
        node, is_governed = clause
        passed_on = isinstance(node, Quantified) or (isinstance(node, Not) and is_governed)
        return [(part, passed_on) for part in parts_of(node, is_governed=is_governed)]

    def text_of(clause: Clause, parts: tuple[str, ...]) -> str:
        node, _ = clause
        if isinstance(node, Atomic):
            return words.literal(node, of_candidate=True)
        if isinstance(node, Quantified):
            front = wording.EACH if isinstance(node, ForAll) else wording.FOR_SOME
            text = front.format(variable_phrase(node.variable.name)) + parts[0]
        elif isinstance(node, Not):
            text = wording.FALSE + parts[0]
        elif isinstance(node, And | Or) and len(parts) > 2:
            text = wording.EVEN_CHAINS[type(node)].format(wording.count(len(parts))) + wording.COMMA.join(parts)
        else:
            opener, joint = wording.EVEN[type(node)]
            text = f"{opener}{parts[0]}{joint}{parts[1]}"
        if len(text) >= MAX_RENDERING:
            problem = f"the rendering has more than {MAX_RENDERING} characters"
            raise EnglishLengthError(f"{problem}; the formula is too large")
        return text

    return as_sentence(bottom_up((formula, False), parts, text_of, {} if done is None else done), words)
