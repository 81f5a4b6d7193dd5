"""Candidate sets by the procedure of the NL-FOL-LT paper (arXiv 2511.11816, section 4), as it is written.

Perturbations are single edits of the syntax tree, sampled uniformly; nothing is proven of them, so that one may be
equivalent to the gold formula or to another. The equivalent of a ranking set applies one rule at one place, both drawn
uniformly, and may be the gold formula itself; the negation and its normal form may be the same tree.

Unlike this module, the authors' released code edits text without adding parentheses, so that
7 to 9 % of its perturbations are not one edit of the tree; it never negates 18 % of the literals, and 18 % of the
released sets have no perturbation; it applies De Morgan and the expansion of → wrongly where an operand is negated; it
draws without a seed.
"""

from random import Random

from nlfol.facts import Role
from nlfol.logic.english.styles import Style
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.rewriting import Law, edits, negation_normal_form, rewrites
from nlfol.logic.syntax import Formula, Not, Path, Quantified, replace, subformulas
from nlfol.sets.sets import Candidate, rendered


def most_similar_set(
    gold: Formula, ontology: Ontology, *, perturbations: int, style: Style, draw: Random
) -> list[Candidate]:
    """Draw the gold formula and up to ``perturbations`` single edits; every formula has at least one."""
    single = list(edits(gold))
    drawn = draw.sample(single, len(single))[:perturbations]
    return [
        _member(gold, ontology, style, Role.GOLD),
        *(_member(e.formula, ontology, style, Role.PERTURBATION, change=(e.kind,), path=(e.path,)) for e in drawn),
    ]


def ranking_set(
    gold: Formula, ontology: Ontology, *, perturbations: int, style: Style, draw: Random
) -> list[Candidate]:
    """Draw the gold formula, up to ``perturbations`` single edits, an equivalent, the negation and its normal form."""
    laws, paths, equivalent = _rewritten(gold, draw)
    negation = Not(gold)
    normal_form, made = negation_normal_form(negation), ("negation_normal_form",)
    return [
        *most_similar_set(gold, ontology, perturbations=perturbations, style=style, draw=draw),
        _member(equivalent, ontology, style, Role.EQUIVALENT, change=laws, path=paths),
        _member(negation, ontology, style, Role.NEGATION),
        _member(normal_form, ontology, style, Role.NEGATION_NORMAL_FORM, change=made, path=((),)),
    ]


def _member(
    formula: Formula,
    ontology: Ontology,
    style: Style,
    role: Role,
    *,
    change: tuple[str, ...] = (),
    path: tuple[Path, ...] = (),
) -> Candidate:
    number = len(change) if role is Role.PERTURBATION else 0
    return Candidate(formula, rendered(formula, ontology, style), role, number, change, path)


def _rewritten(gold: Formula, draw: Random) -> tuple[tuple[Law, ...], tuple[Path, ...], Formula]:
    """Apply one rule at one place: draw places until a rule applies, then a rule; if none does, keep the formula.

    The rules: a quantified formula α becomes ¬nnf(¬α); De Morgan; commutativity; distributivity; the expansion of →
    and ↔. Double negation is not introduced elsewhere.
    """
    rules: dict[Path, list[tuple[Law, Formula]]] = {}
    for rewrite in rewrites(gold):
        if rewrite.law is not Law.DOUBLE_NEGATION:
            rules.setdefault(rewrite.path, []).append((rewrite.law, rewrite.formula))
    paths = [path for path, _ in subformulas(gold)]
    for path, node in subformulas(gold):
        if isinstance(node, Quantified):
            refuted = Not(negation_normal_form(Not(node)))
            rules.setdefault(path, []).append((Law.DOUBLE_NEGATION, replace(gold, path, refuted)))
    for path in draw.sample(paths, len(paths)):
        if path in rules:
            law, formula = draw.choice(rules[path])
            return (law,), (path,), formula
    return (), (), gold
