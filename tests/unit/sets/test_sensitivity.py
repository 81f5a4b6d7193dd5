"""Single edits of sentences: how many change the meaning, worked out by hand, and the pairs made of them."""

from collections.abc import Iterator

import pytest
from tests.examples import WEATHER

from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.first_order import Propositional
from nlfol.logic.languages.language import Comparison, Edited, LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Formula
from nlfol.randomness import generator
from nlfol.sets import sensitivity as module
from nlfol.sets.pairs import certified_pairs
from nlfol.sets.sensitivity import Sensitivity, sensitivity
from nlfol.sets.sets import CandidateError

ONTOLOGY = Ontology(alphabet="01")


def tried(text: str, count: int = 100, name: LanguageName = "propositional", seed: int = 7) -> Sensitivity:
    language = LANGUAGES[name]
    return sensitivity(language, language.parse(text), ONTOLOGY, count, seed)


@pytest.mark.parametrize(
    ("name", "text", "edits", "detected"),
    [
        # ∨, → or ↔ for ∧, and ¬ before either letter.
        ("propositional", "p1 ∧ p2", 5, 5),
        ("propositional", "¬p1", 1, 1),
        # It means p1. The first ∧ as ∨: p1 ∨ p2; as →: valid; as ↔: p1 ∨ ¬p2. The ∨ as ∧, → or ↔: p1 ∧ p2. ¬ before
        # the first p1: ¬p1 ∧ p2; before the second: p1 ∧ p2; before p2: still p1.
        ("propositional", "p1 ∧ (p1 ∨ p2)", 9, 8),
        # Valid. As ∧ or ↔: unsatisfiable; as →: ¬p1. With ¬ before the first p1: ¬p1; without it before the second: p1.
        ("propositional", "p1 ∨ ¬p1", 5, 5),
        # It means p1, and so it does with ∧; all else is valid.
        ("propositional", "p1 ∨ p1", 5, 4),
        # A quantifier that binds nothing can be switched unseen; ¬ cannot.
        ("first_order", "∀x P(a)", 2, 1),
        # Two quantifiers, three connectives, two literals.
        ("first_order", "∀x ∃y (P(x) ∧ Q(y))", 7, 7),
        # 1 and 0*.
        ("regular", "0", 2, 2),
        # 1* and 0 are seen, 0** is not.
        ("regular", "0*", 3, 2),
        # 1** is seen; 0***, and 0* after either star is taken off, are not.
        ("regular", "0**", 3, 1),
    ],
)
def test_sensitivity_matches_hand_counts(name: LanguageName, text: str, edits: int, detected: int) -> None:
    assert tried(text, name=name) == Sensitivity(edits, detected, 0)


class Lawless(Propositional):
    """A language without laws."""

    def rewrites(self, sentence: Formula, ontology: Ontology) -> Iterator[Edited[Formula]]:
        return iter(())


@pytest.mark.parametrize(
    ("language", "text", "reason"), [(Lawless(), "p1 ∧ p2", "no_equivalent"), (Propositional(), "¬p1", "no_edit")]
)
def test_certified_pairs_refusal_has_reason(language: Propositional, text: str, reason: str) -> None:
    gold = language.parse(text)
    with pytest.raises(CandidateError) as raised:
        certified_pairs(gold, language, derive([gold]), generator(1))
    assert raised.value.reason == reason


def test_certified_pairs_combine_exchange_with_laws() -> None:
    language = Propositional()
    members = certified_pairs(language.parse("p1 ∧ p2"), language, WEATHER, generator(1))
    assert [(member.role, member.edits) for member in members] == [
        ("gold", 0), ("perturbation", 1), ("equivalent", 0), ("corner", 1),
    ]  # fmt: skip
    assert [[one.to for one in member.certificates or ()] for member in members] == [[], [0], [0], [1, 2]]


def test_sensitivity_tries_distinct_edits_up_to_count() -> None:
    found = [tried("p1 ∨ p1", count=4, seed=seed) for seed in range(20)]
    # The edit that is not seen is among four of five, or is the fifth.
    assert {(one.edits, one.detected) for one in found} == {(4, 3), (4, 4)}
    assert found == [tried("p1 ∨ p1", count=4, seed=seed) for seed in range(20)]
    assert tried("p1 ∨ p1", count=0) == Sensitivity(0, 0, 0)


def test_sensitivity_counts_undecided_edits_separately(monkeypatch: pytest.MonkeyPatch) -> None:
    class Undecided(Propositional):
        def compare(self, first: Formula, second: Formula) -> Comparison:
            return Comparison(Outcome.UNKNOWN, "budget", "No means applies.")

    monkeypatch.setattr(module, "truth_vector", lambda _: None)
    language = Undecided()
    assert sensitivity(language, language.parse("p1 ∧ p2"), ONTOLOGY, 3, 7) == Sensitivity(3, 0, 3)
