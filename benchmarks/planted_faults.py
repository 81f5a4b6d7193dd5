"""Faults planted in formulas without a finding: what ``benchmarks/lint.py`` counts as found."""

import random
from collections.abc import Callable, Sequence

from nlfol.logic import Outcome, equivalence, to_unicode
from nlfol.logic import syntax as fol
from nlfol.logic.rewriting import edits
from nlfol_extras.lint import Statement, Story, lint

Fault = Callable[[Statement, Story, random.Random], fol.Formula | None]


def _drawn(made: Sequence[fol.Formula], draw: random.Random) -> fol.Formula | None:
    return draw.choice(made) if made else None


def _edited(kind: str) -> Fault:
    def fault(statement: Statement, _: Story, draw: random.Random) -> fol.Formula | None:
        assert statement.formula is not None
        return _drawn([edit.formula for edit in edits(statement.formula) if edit.kind == kind], draw)

    return fault


def _at(change: Callable[[fol.Formula], fol.Formula | None]) -> Fault:
    def fault(statement: Statement, _: Story, draw: random.Random) -> fol.Formula | None:
        assert statement.formula is not None
        places = [(path, changed) for path, node in fol.subformulas(statement.formula) if (changed := change(node))]
        return _drawn([fol.replace(statement.formula, path, changed) for path, changed in places], draw)

    return fault


def _turned(node: fol.Formula) -> fol.Formula | None:
    return fol.Implies(node.right, node.left) if isinstance(node, fol.Implies) else None


def _exchanged(node: fol.Formula) -> fol.Formula | None:
    if isinstance(node, fol.Atom) and len(node.arguments) == 2:
        return fol.Atom(node.predicate, node.arguments[::-1])
    return None


def _dropped(node: fol.Formula) -> fol.Formula | None:
    return node.left if isinstance(node, fol.And) else None


def _guard_dropped(node: fol.Formula) -> fol.Formula | None:
    """Return the body of ∀x (A → B) or ∃x (A ∧ B) without a guard: one atom of A with a single argument."""
    if not isinstance(node, fol.ForAll | fol.Exists):
        return None
    body, parts = node.body, fol.children(node.body)
    if not isinstance(body, fol.Implies if isinstance(node, fol.ForAll) else fol.And):
        return None
    if isinstance(parts[0], fol.Atom) and len(parts[0].arguments) == 1:
        return type(node)(node.variable, parts[1])
    if isinstance(parts[0], fol.And) and isinstance(parts[0].left, fol.Atom) and len(parts[0].left.arguments) == 1:
        return type(node)(node.variable, type(body)(parts[0].right, parts[1]))
    return None


def _literal_added(statement: Statement, story: Story, draw: random.Random) -> fol.Formula | None:
    """Return the formula with one more literal beside an atom, of another predicate of the story."""
    assert statement.formula is not None
    others = sorted(symbol for symbol in story.uses if symbol[0] == "predicate" and symbol not in statement.symbols)
    places = [
        fol.replace(statement.formula, path, fol.And(node, literal))
        for path, node in fol.subformulas(statement.formula)
        if isinstance(node, fol.Atom)
        for _, name, arity in others
        if arity == len(node.arguments)
        for literal in (fol.Atom(name, node.arguments), fol.Not(fol.Atom(name, node.arguments)))
    ]
    return _drawn(places, draw)


def _lost_letter(node: fol.Formula) -> fol.Formula | None:
    if isinstance(node, fol.Atom) and len(node.predicate) > 4:
        return fol.Atom(node.predicate[:2] + node.predicate[3:], node.arguments)
    return None


def _other_symbol(statement: Statement, story: Story, draw: random.Random) -> fol.Formula | None:
    assert statement.formula is not None
    others = sorted(symbol for symbol in story.uses if symbol[0] == "predicate" and symbol not in statement.symbols)
    places = [
        fol.replace(statement.formula, path, fol.Atom(name, node.arguments))
        for path, node in fol.subformulas(statement.formula)
        if isinstance(node, fol.Atom)
        for _, name, arity in others
        if arity == len(node.arguments)
    ]
    return _drawn(places, draw)


def _next_formula(statement: Statement, story: Story, draw: random.Random) -> fol.Formula | None:
    others = [each.formula for each in story.statements if each is not statement and each.formula is not None]
    return _drawn(others, draw)


FAULTS: dict[str, Fault] = {
    **{kind: _edited(kind) for kind in ("connective", "quantifier", "negation")},
    "direction": _at(_turned),
    "arguments": _at(_exchanged),
    "missing": _at(_dropped),
    "guard dropped": _at(_guard_dropped),
    "literal added": _literal_added,
    "symbol": _other_symbol,
    "letter": _at(_lost_letter),
    "formula of another sentence": _next_formula,
}


def planted(stories: Sequence[Story], count: int, fault: Fault, seed: int) -> tuple[int, int]:
    """Return how many of faults planted in formulas without a finding are found, and how many were planted."""
    draw = random.Random(seed)
    clean = [(story, each) for story in stories for each in story.statements if each.formula is not None]
    draw.shuffle(clean)
    hits = total = 0
    for story, statement in clean * (1 + count // max(1, len(clean))):
        if total == count:
            break
        faulty = fault(statement, story, draw)
        assert statement.formula is not None
        if (
            faulty is None
            or faulty.profile.free
            or equivalence(statement.formula, faulty).outcome is not Outcome.NOT_EQUIVALENT
        ):
            continue
        changed = Statement(statement.id, statement.text, to_unicode(faulty), statement.line, statement.is_conclusion)
        others = [changed if each is statement else each for each in story.statements]
        total += 1
        hits += any(finding.statement is changed for finding in lint(Story(others, story.ontology)))
    return hits, total
