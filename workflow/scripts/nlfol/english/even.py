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

from nlfol.english import wording
from nlfol.english.lexicon import lexicon, variable_phrase
from nlfol.english.unambiguous import as_sentence
from nlfol.english.wording import MAX_RENDERING, EnglishLengthError
from nlfol.logic.infix import write
from nlfol.logic.syntax import And, Atomic, Binary, ForAll, Formula, Not, Or, Quantified
from nlfol.ontology.ontology import Ontology


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


def render(formula: Formula, ontology: Ontology) -> str:
    """Render a formula as a sentence; raises as ``unambiguous.render``."""
    words = lexicon(ontology)
    length = 0

    def pieces(node: Formula, *, is_governed: bool = False) -> list[str | Formula]:
        nonlocal length
        parts = parts_of(node, is_governed=is_governed)
        said: list[str | Formula]
        if isinstance(node, Atomic):
            said = [words.literal(node, of_candidate=True)]
        elif isinstance(node, Quantified):
            front = wording.EACH if isinstance(node, ForAll) else wording.FOR_SOME
            said = [front.format(variable_phrase(node.variable.name)), *pieces(node.body, is_governed=True)]
        elif isinstance(node, Not):
            said = [wording.FALSE, *pieces(node.operand, is_governed=is_governed)]
        elif isinstance(node, And | Or) and len(parts) > 2:
            said = [wording.EVEN_CHAINS[type(node)].format(wording.count(len(parts))), parts[0]]
            said += [piece for part in parts[1:] for piece in (wording.COMMA, part)]
        else:
            opener, joint = wording.EVEN[type(node)]
            said = [opener, parts[0], joint, parts[1]]
        length += sum(len(piece) for piece in said if isinstance(piece, str))
        if length >= MAX_RENDERING:
            problem = f"the rendering has more than {MAX_RENDERING} characters"
            raise EnglishLengthError(f"{problem}; the formula is too large")
        return said

    return as_sentence(write(formula, pieces), words)
