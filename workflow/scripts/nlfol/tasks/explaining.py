"""Evidence on answered formulas, for people and side metrics: no verdict depends on it.

For a formula that is not equivalent to the gold one it is the smallest counter-model there is, its relation to the gold
formula, the one change that would put it right, how many typed edits away it is, and the rule by which it may still say
the sentence, with its witness (``logic.witnesses``); in a blocks world the verdict on
boards, too, where the counter-model is a board if there is one. For every translation it is BLEU and LE (``metrics``).
An error in any of these leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING

from nlfol.facts import BLEU, LE, ON_BOARDS, AnswerForm
from nlfol.logic.boards import MAX_BLOCKS, UP_TO_MOST, OnBoards, is_blocks_world, on_boards
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.diagnosis import Diagnosis, diagnose
from nlfol.logic.distance import Distance, Reason, distance
from nlfol.logic.equivalence import equivalence
from nlfol.logic.languages.language import LanguageName, ReadingError
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.measuring import count_operators
from nlfol.logic.mistakes import from_diagnosis
from nlfol.logic.ontology.ontology import Ontology, describe_world
from nlfol.logic.reading import parse
from nlfol.logic.readings import Said
from nlfol.logic.relations import relation, tell_apart
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula
from nlfol.logic.witnesses import changes_nothing, witness
from nlfol.tasks.item import Item
from nlfol.tasks.meanings import PairKind
from nlfol.tasks.metrics import beside, bleu, malls_le
from nlfol.tasks.task import AnyTask, Judgement

if TYPE_CHECKING:
    from nlfol.store.schemas import EvidenceRow, ScoreRow

RIGHT_ON_BOARDS, RIGHT_ON_SMALL_BOARDS = "right_on_every_board", "right_on_small_boards"
"""The faults of a formula that is wrong by logic alone, and of one that may be wrong on boards larger than listed."""

_ON_BOARDS = {
    Outcome.EQUIVALENT: (RIGHT_ON_BOARDS, "On every board both are true or both false"),
    UP_TO_MOST: (
        RIGHT_ON_SMALL_BOARDS,
        f"On every board of up to {MAX_BLOCKS} blocks both are true or both false, and no proof says so of larger ones",
    ),
}

_NAMES = {
    PairKind.TRANSLATION: ("sentence", "translation"),
    PairKind.FIRST_ROUND: ("original", "result"),
    PairKind.LATER_ROUND: ("formula before", "result"),
}
"""Names of the two formulas."""

_CHANGES_NOTHING = "It changes nothing in this story: the other sentences make the two equivalent"

_DIAGNOSED = 16
"""Operators of a formula of a round trip up to which changes are searched for: time grows with their square."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A gold formula and the formula of an answer, in canonical notation, with the verdict on them."""

    kind: PairKind
    language: LanguageName
    gold: str
    formula: str
    ontology: Ontology
    verdict: str | None
    said: tuple[str, ...] = ()
    """The sentence of a translation, and the gold formulas of the other sentences of its story."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence on a pair, named as the columns of ``EVIDENCE``."""

    relation: str | None = None
    fault: str | None = None
    distance: str | None = None
    edits: str | None = None
    rule: str | None = None
    witness: str | None = None
    detail: str | None = None
    counter_model: Structure | None = None
    on_boards: str | None = None
    blocks: int | None = None
    bleu: float | None = None
    le: float | None = None


def pair_of(task: AnyTask, item: Item, before: str | None, formula: str, verdict: str | None) -> Pair:
    """Return the pair of an answered formula; ``before`` is that of the round before, None where there is none."""
    kind = PairKind.TRANSLATION
    if task.form is AnswerForm.CHAIN:
        kind = PairKind.FIRST_ROUND if before is None else PairKind.LATER_ROUND
    said = (item.text, *item.context) if kind is PairKind.TRANSLATION else ()
    return Pair(kind, item.language, before or item.formula, formula, item.ontology, verdict, said)


def distinct_pairs(
    task: AnyTask, items: Mapping[str, Item], rows: Iterable[ScoreRow], seen: set[str]
) -> Iterator[tuple[str, Pair]]:
    """Yield the pairs of formulas of a model's rows of SCORES with their keys, each once, as ``seen`` remembers."""
    dialogue, formulas = None, dict[int, str]()  # of a dialogue's rounds
    for row in rows:
        if (row["item"], row["presentation"], row["seed"]) != dialogue:
            dialogue, formulas = (row["item"], row["presentation"], row["seed"]), {}
        formula, pair = row["formula"], row["pair"]
        assert formula is not None
        assert pair is not None
        formulas[row["round"]] = formula
        if pair not in seen:
            seen.add(pair)
            yield pair, pair_of(task, items[row["item"]], formulas.get(row["round"] - 1), formula, row["verdict"])


def evidence_row(key: str, pair: Pair, *, with_scores: bool = True) -> EvidenceRow:
    """Return the row of EVIDENCE on a pair; an error in explaining it leaves the evidence out."""
    evidence = beside("the evidence", explain, pair, with_scores=with_scores) or Evidence()
    model = evidence.counter_model
    return {
        "pair": key,
        "gold": pair.gold,
        "formula": pair.formula,
        "relation": evidence.relation,
        "fault": evidence.fault,
        "distance": evidence.distance,
        "edits": evidence.edits,
        "rule": evidence.rule,
        "witness": evidence.witness,
        "detail": evidence.detail,
        "counter_model": None if model is None else model.to_json(),
        "on_boards": evidence.on_boards,
        "blocks": evidence.blocks,
        "bleu": evidence.bleu,
        "le": evidence.le,
    }


def with_evidence(task: AnyTask, item: Item, judgements: Iterable[Judgement]) -> list[Judgement]:
    """Return the judgements of a dialogue with the evidence on their formulas."""
    result, before = [], None
    for judged in judgements:
        if judged.pair is None or judged.formula is None:
            result.append(judged)
            continue
        result.append(explained(judged, explain(pair_of(task, item, before, judged.formula, judged.verdict))))
        before = judged.formula
    return result


def explain(pair: Pair, *, with_scores: bool = True) -> Evidence:
    """Return the evidence on a pair; without scores, BLEU and LE are left out."""
    gold, formula = (_parsed(pair.language, text) for text in (pair.gold, pair.formula))
    evidence = _difference(pair, gold, formula)
    if not with_scores or pair.kind is not PairKind.TRANSLATION:
        return evidence
    return replace(evidence, bleu=beside(BLEU, bleu, gold, formula), le=beside(LE, malls_le, gold, formula))


def explained(judged: Judgement, evidence: Evidence) -> Judgement:
    """Return a judgement with the evidence on its pair."""
    on_boards = None if evidence.on_boards is None else float(evidence.on_boards == Outcome.EQUIVALENT)
    known = {BLEU: evidence.bleu, LE: evidence.le, ON_BOARDS: on_boards}
    scores = dict(judged.scores)
    for metric, score in known.items():
        if isnan(scores.get(metric, 0.0)):
            scores[metric] = nan if score is None else score
    detail = judged.detail
    if judged.verdict == Outcome.NOT_EQUIVALENT:
        detail = evidence.detail if detail is None else f"{detail}; {evidence.detail}"
    return replace(
        judged,
        scores=scores,
        relation=evidence.relation,
        fault=evidence.fault,
        distance=evidence.distance,
        edits=evidence.edits,
        rule=evidence.rule,
        witness=evidence.witness,
        detail=detail,
        counter_model=evidence.counter_model,
        on_boards=evidence.on_boards,
        blocks=evidence.blocks,
    )


def _parsed(language: LanguageName, text: str) -> Formula:
    try:
        formula: Formula = LANGUAGES[language].parse(text)
    except ReadingError:
        # An answer outside its ontology may have letters of its own.
        formula = parse(text, propositions=True)
    return formula


def counter_model(pair: Pair) -> Structure | None:
    """Return the smallest counter-model of a pair that is not equivalent, None where none is known."""
    gold, formula = (_parsed(pair.language, text) for text in (pair.gold, pair.formula))
    return _smallest(gold, formula, _on_boards(pair, gold, formula))[0]


def _on_boards(pair: Pair, gold: Formula, formula: Formula) -> OnBoards | None:
    if not is_blocks_world(pair.ontology.signature()):
        return None
    if pair.verdict == Outcome.EQUIVALENT:
        return OnBoards(Outcome.EQUIVALENT, MAX_BLOCKS)
    return beside("the comparison on boards", on_boards, gold, formula)


def _smallest(gold: Formula, formula: Formula, boards: OnBoards | None) -> tuple[Structure | None, str | None]:
    """Return the smallest counter-model, or None and the reason that the verdict has instead."""
    if (smallest := beside("the counter-model", tell_apart, gold, formula, boards=boards)) is not None:
        return smallest, None
    # The means that told the two apart may know a larger one.
    verdict = equivalence(gold, formula)
    return verdict.counter_model, verdict.reason


def _difference(pair: Pair, gold: Formula, formula: Formula) -> Evidence:
    if pair.verdict == Outcome.INVALID:
        return Evidence()
    boards = _on_boards(pair, gold, formula)
    evidence = Evidence() if boards is None else Evidence(on_boards=boards.verdict, blocks=boards.blocks)
    if pair.verdict != Outcome.NOT_EQUIVALENT:
        return evidence
    smallest, detail = _smallest(gold, formula, boards)
    if smallest is not None:
        detail = beside("the counter-model in words", _in_words, smallest, gold, pair.ontology, _NAMES[pair.kind])
    searched = pair.kind is PairKind.TRANSLATION or count_operators(gold) <= _DIAGNOSED
    diagnosis: Diagnosis | None = None
    fault: str | None
    if boards is not None and boards.verdict in _ON_BOARDS:
        fault, remark = _ON_BOARDS[boards.verdict]
        detail = remark if detail is None else f"{remark}. But logic allows {detail}"
    else:
        diagnosis = beside("the diagnosis", diagnose, gold, formula) if searched else None
        fault = None if diagnosis is None else diagnosis.fault.value
    apart = beside("the distance", _apart, gold, formula, diagnosis) if searched else None
    if apart is not None:
        fault = fault or (apart.path[0].fault.value if apart.edits == 1 else None)
        evidence = replace(evidence, distance=apart.name, edits="; ".join(map(str, apart.path)) or None)
    if pair.said:
        said = beside("the story", _said, pair)
        found = said and beside("the witness", witness, gold, formula, said)
        if found:
            evidence = replace(evidence, rule=found.rule.value, witness=found.licence)
        if said and beside("the remark on the story", changes_nothing, gold, formula, said):
            detail = f"{detail}. {_CHANGES_NOTHING}" if detail else _CHANGES_NOTHING
    stands = beside("the relation", relation, gold, formula)
    kind = None if stands is None else stands.kind.value
    return replace(evidence, relation=kind, fault=fault, detail=detail, counter_model=smallest)


def _apart(gold: Formula, formula: Formula, diagnosis: Diagnosis | None) -> Distance:
    apart = distance(gold, formula)
    if diagnosis is None or apart.edits == 1 or apart.reason is Reason.TRIVIAL:
        return apart
    # A condition that only the repaired translation shows.
    return Distance((from_diagnosis(formula, diagnosis),))


def _said(pair: Pair) -> Said:
    sentence, *story = pair.said
    return Said(sentence, tuple(_parsed(pair.language, text) for text in story))


def _in_words(world: Structure, gold: Formula, ontology: Ontology, names: tuple[str, str]) -> str:
    first, second = ("true", "false") if holds(gold, world) else ("false", "true")
    return f"{describe_world(world, ontology)}. The {names[0]} is {first} there, the {names[1]} {second}"
