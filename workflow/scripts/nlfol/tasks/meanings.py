"""Meanings of answered sentences of a formal language: reading them, and verdicts with their evidence."""

from dataclasses import replace
from typing import Literal

from nlfol.facts import AMBIGUOUS
from nlfol.languages.language import Comparison, Language, UnknownSymbolError
from nlfol.logic import AmbiguousFormulaError, FormulaSyntaxError, read_decided
from nlfol.logic.boards import MAX_BLOCKS, UP_TO_MOST, OnBoards, is_blocks_world, on_boards
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.diagnosis import diagnose
from nlfol.logic.measuring import Signature, count_operators
from nlfol.logic.reading import TolerantReading, read
from nlfol.logic.relations import relation, tell_apart
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula
from nlfol.ontology.ontology import Ontology, describe_world
from nlfol.regular import Expression, matches
from nlfol.tasks.cpu_limit import limited_cpu
from nlfol.tasks.metrics import beside
from nlfol.tasks.task import Judgement

RIGHT_ON_BOARDS, RIGHT_ON_SMALL_BOARDS = "right_on_every_board", "right_on_small_boards"
"""The faults of a formula that is wrong by logic alone, and of one that may be wrong on boards larger than listed."""

_ON_BOARDS = {
    Outcome.EQUIVALENT: (RIGHT_ON_BOARDS, "On every board both are true or both false"),
    UP_TO_MOST: (
        RIGHT_ON_SMALL_BOARDS,
        f"On every board of up to {MAX_BLOCKS} blocks both are true or both false, and no proof says so of larger ones",
    ),
}

Sentence = Formula | Expression
"""A sentence of a formal language."""


@limited_cpu()
def read_formula(text: str, signature: Signature, reading: Literal["tolerant", "strict"]) -> TolerantReading:
    """Read a formula of the canonical notation alone, or of any, with repairs.

    Raises ``FormulaSyntaxError``, ``AmbiguousFormulaError`` if its readings differ in meaning, ``TookTooLongError``.
    """
    if reading == "tolerant":
        return read_decided(text, signature=signature)
    strict = read(text, signature=signature)
    return TolerantReading(strict.formula, "unicode", strict.warnings)


def told(reading: TolerantReading) -> tuple[str, ...]:
    """Return the ambiguities of a reading, as a judgement has them."""
    return tuple(f"{each.kind}: {each.detail}" for each in reading.ambiguities)


def unread(judgement: Judgement, error: FormulaSyntaxError) -> Judgement:
    """Return the judgement on an answer that could not be read, with the fault of an ambiguous one."""
    if not isinstance(error, AmbiguousFormulaError):
        return judgement
    return replace(judgement, fault=AMBIGUOUS, ambiguities=told(error.reading))


def compared(language: Language[Sentence], ontology: Ontology, gold: Sentence, found: Sentence) -> Comparison:
    """Return the relation of a sentence to the gold one; invalid if it is open or outside the ontology."""
    try:
        language.check(found, ontology)
    except UnknownSymbolError as error:
        return Comparison(Outcome.INVALID, error.kind, str(error))
    return language.compare(gold, found)


def evidence(
    comparison: Comparison,
    ontology: Ontology,
    gold: Sentence,
    found: Sentence,
    names: tuple[str, str],
    *,
    most_diagnosed: int | None = None,
) -> Judgement:
    """Return a verdict as a judgement without scores; ``names`` are those of both sentences.

    For a formula that is not equivalent it has the smallest counter-model there is, its relation to the gold formula,
    and the one change that would put it right; for an expression, the word that tells the two apart. The change is
    searched for up to ``most_diagnosed`` operators of the gold formula, since that takes time with the square of them.
    In a blocks world there is a verdict on boards, too, and the counter-model is a board where there is one. An error
    in any of these leaves it out.
    """
    judgement = Judgement({}, verdict=comparison.outcome, means=comparison.means, detail=comparison.reason)
    boards: OnBoards | None = None
    fault: str | None
    is_blind = comparison.outcome is Outcome.INVALID or not is_blocks_world(ontology.signature())
    if isinstance(gold, Formula) and isinstance(found, Formula) and not is_blind:
        is_same = comparison.outcome is Outcome.EQUIVALENT
        same = OnBoards(Outcome.EQUIVALENT, MAX_BLOCKS)
        boards = same if is_same else beside("the comparison on boards", on_boards, gold, found)
        if boards is not None:
            judgement = replace(judgement, on_boards=boards.verdict, blocks=boards.blocks)
    if comparison.outcome is not Outcome.NOT_EQUIVALENT:
        return judgement
    if isinstance(gold, Formula) and isinstance(found, Formula):
        smallest = beside("the counter-model", tell_apart, gold, found, boards=boards) or comparison.counter_model
        detail = comparison.reason
        if smallest is not None:
            detail = beside("the counter-model in words", _in_words, smallest, gold, ontology, names)
        if boards is not None and boards.verdict in _ON_BOARDS:
            fault, said = _ON_BOARDS[boards.verdict]
            detail = said if detail is None else f"{said}. But logic allows {detail}"
        else:
            searched = most_diagnosed is None or count_operators(gold) <= most_diagnosed
            diagnosis = beside("the diagnosis", diagnose, gold, found) if searched else None
            fault = None if diagnosis is None else diagnosis.fault.value
        stands = beside("the relation", relation, gold, found)
        kind = None if stands is None else stands.kind.value
        return replace(judgement, relation=kind, fault=fault, detail=detail, counter_model=smallest)
    word = comparison.word
    if word is None:
        return judgement
    assert isinstance(gold, Expression)
    matching, other = names if matches(gold, word) else names[::-1]
    named = f"the word '{word}'" if word else "the empty word"
    return replace(judgement, word=word, detail=f"{named} matches the {matching}, and does not match the {other}")


def _in_words(world: Structure, gold: Formula, ontology: Ontology, names: tuple[str, str]) -> str:
    first, second = ("true", "false") if holds(gold, world) else ("false", "true")
    return f"{describe_world(world, ontology)}. The {names[0]} is {first} there, the {names[1]} {second}"
