"""Pairs of which a verifier has to say whether they mean the same, in any of the languages.

Beside the gold sentence stand one that a law makes of it, proven to mean the same, and one that a single edit makes of
it, proven not to. The law is drawn uniformly among those that apply, then the place; the edit likewise by its kind. So
the two classes are balanced, whatever the items are.
"""

from __future__ import annotations

from random import Random
from typing import Any

from nlfol.candidates.audited import in_random_order
from nlfol.candidates.certificates import Certificate
from nlfol.candidates.sets import Candidate, CandidateError, Role
from nlfol.languages.language import Language, UnknownSymbolError
from nlfol.logic.decision.verdicts import Outcome
from nlfol.ontology.ontology import Ontology


def certified_pairs(gold: Any, language: Language[Any], ontology: Ontology, draw: Random) -> list[Candidate]:
    """The gold sentence, one edited, and one that means the same.

    Args:
        gold: the sentence.
        language: its language.
        ontology: its symbols.
        draw: decides which law and edit are taken.

    Raises:
        CandidateError: ``open`` if the sentence is; ``no_edit`` if no edit is proven to change the meaning;
            ``no_equivalent`` if no law is proven to make another sentence of the same meaning.
    """
    try:
        language.check(gold, ontology)
    except UnknownSymbolError as error:
        raise CandidateError("open" if error.kind == "open_formula" else error.kind, str(error)) from error
    partners = {
        Role.PERTURBATION: (language.edits(gold, ontology), Outcome.NOT_EQUIVALENT, "no_edit"),
        Role.EQUIVALENT: (language.rewrites(gold, ontology), Outcome.EQUIVALENT, "no_equivalent"),
    }
    members = [Candidate(gold, "", Role.GOLD, certificates=())]
    for role, (made, wanted, reason) in partners.items():
        others = [each for each in made if each.sentence is not gold]
        compared = (
            (each, language.compare(gold, each.sentence))
            for each in in_random_order(others, draw, lambda found: found.kind)
        )
        proven = next(((each, found) for each, found in compared if found.outcome is wanted), None)
        if proven is None:
            raise CandidateError(reason, f"none of {len(others)} sentences that are one change away is {wanted}")
        each, found = proven
        certificate = Certificate(0, wanted, found.means, found.counter_model, found.word)
        edits = int(role is Role.PERTURBATION)
        members.append(Candidate(each.sentence, "", role, edits, (each.kind,), (each.path,), (certificate,)))
    return members
