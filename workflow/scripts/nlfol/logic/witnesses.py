"""Labels, each with its witness, of an answer that is not equivalent to gold: grace that is proven and licensed.

By a rule of ``readings``: the answer is equivalent to a reading that words of the sentence license. Or *in context*: of
gold and answer, one is the other beside, or under the condition of, facts K(c), unary, of names that both have; the
other sentences of the story are consistent and entail each fact; and the facts entail neither gold nor its negation.
The sentence has the words of each K that the answer adds, and no word of one that it leaves out.

No verdict and no score depends on a label. Wider forms forgive real errors (``benchmarks/witnesses.py``): equivalence
given the whole story is a remark for people.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from nlfol.logic import syntax as fol
from nlfol.logic.decision.satisfiability import SMALL_BUDGET
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import equivalence
from nlfol.logic.measuring import constants
from nlfol.logic.readings import Rule, Said, candidates
from nlfol.logic.relations import Label, entails

MAX_FACTS = 3
"""Facts that an answer adds or leaves out."""


@dataclass(frozen=True, slots=True)
class Witness:
    """The rule that explains an answer, and what licenses it, for people."""

    rule: Rule
    licence: str


def witness(gold: fol.Formula, answer: fol.Formula, said: Said) -> Witness | None:
    """Return the witness of an answer that is closed and not equivalent to gold, None where no rule is proven.

    Raises ``SignatureError`` if a symbol of the three has two arities and a fact is put to the story.
    """
    for reading in candidates(gold, said):
        if _same(reading.formula, answer):
            return Witness(reading.rule, reading.licence)
    return _by_facts(gold, answer, said)


def changes_nothing(gold: fol.Formula, answer: fol.Formula, said: Said) -> bool:
    """Return whether the other sentences, proven consistent, entail that gold and answer are equivalent."""
    return bool(said.story) and _entailed(said.story, fol.Iff(gold, answer))


def _by_facts(gold: fol.Formula, answer: fol.Formula, said: Said) -> Witness | None:
    added, dropped = _facts(answer) - _facts(gold), _facts(gold) - _facts(answer)
    facts = sorted(added or dropped, key=str)
    if bool(added) is bool(dropped) or len(facts) > MAX_FACTS:
        return None
    names = {fact.predicate for fact in facts}
    if not all(map(said.has, names)) if added else any(map(said.has_any, names)):
        return None
    named = constants(gold) & constants(answer)
    if not all(constants(fact) <= named for fact in facts) or not said.story:
        return None
    shorter, longer = (gold, answer) if added else (answer, gold)
    joined: fol.Formula = facts[0]
    for fact in facts[1:]:
        joined = fol.And(joined, fact)
    if not (_same(fol.And(joined, shorter), longer) or _same(fol.Implies(joined, shorter), longer)):
        return None
    if entails(facts, gold, budget=SMALL_BUDGET, with_evidence=False).label is not Label.UNCERTAIN:
        return None
    if not all(_entailed(said.story, fact) for fact in facts):
        return None
    listed = ", ".join(map(str, facts))
    return Witness(Rule.FACTS, f"the story entails {listed}" + (", which the sentence says" if added else ""))


def _facts(formula: fol.Formula) -> set[fol.Atom]:
    nodes = fol.distinct_subformulas(formula)
    atoms = (node for node in nodes if isinstance(node, fol.Atom) and len(node.arguments) == 1)
    return {atom for atom in atoms if isinstance(atom.arguments[0], fol.Constant)}


def _same(one: fol.Formula, other: fol.Formula) -> bool:
    return equivalence(one, other, budget=SMALL_BUDGET).outcome is Outcome.EQUIVALENT


def _entailed(premises: Sequence[fol.Formula], conclusion: fol.Formula) -> bool:
    known = entails(premises, conclusion, budget=SMALL_BUDGET, with_evidence=False)
    return known.label is Label.TRUE and known.inconsistent is False
