"""Quantifiers with a restriction, ∀x (A → B) and ∃x (A ∧ B), and mistakes that are made with them."""

from collections.abc import Mapping

from nlfol.logic import syntax as fol

JOINED: Mapping[type[fol.Formula], type[fol.Binary]] = {fol.ForAll: fol.Implies, fol.Exists: fol.And}
"""The connective of a quantifier's restriction."""

_Parts = tuple[fol.Quantified, fol.Formula, fol.Quantified, fol.Binary]


def is_restricted(node: fol.Formula) -> bool:
    """Return whether a formula is ∀x (A → B) or ∃x (A ∧ B)."""
    return isinstance(node, fol.Quantified) and isinstance(node.body, JOINED[type(node)])


def other_determiner(node: fol.Formula) -> fol.Formula:
    """Return ∃x (A ∧ B) for ∀x (A → B), and the other way round."""
    assert isinstance(node, fol.Quantified)
    assert isinstance(node.body, fol.Binary)
    kind = fol.Exists if isinstance(node, fol.ForAll) else fol.ForAll
    return kind(node.variable, JOINED[kind](node.body.left, node.body.right))


def inner(node: fol.Formula) -> _Parts | None:
    """Return the parts of Qx (A c Q'y (B d C)) with unlike quantifiers that could stand the other way round."""
    if not isinstance(node, fol.Quantified) or not isinstance(node.body, JOINED[type(node)]):
        return None
    restriction, inside = node.body.left, node.body.right
    if not isinstance(inside, fol.Quantified) or type(inside) is type(node):
        return None
    if not isinstance(inside.body, JOINED[type(inside)]) or inside.variable is node.variable:
        return None
    apart = (
        inside.variable.name not in restriction.profile.free and node.variable.name not in inside.body.left.profile.free
    )
    return (node, restriction, inside, inside.body) if apart else None


def turned(node: fol.Formula) -> fol.Formula:
    """Return Q'y (B d Qx (A c C)) for Qx (A c Q'y (B d C)), of which ``inner`` returns the parts."""
    parts = inner(node)
    assert parts is not None
    outer, restriction, inside, joined = parts
    rest = type(outer)(outer.variable, JOINED[type(outer)](restriction, joined.right))
    return type(inside)(inside.variable, type(joined)(joined.left, rest))
