"""The rows of PROGRAMS: a model's program aligned with the gold program, and the cause of a wrong answer.

Causes are those of ``alignment``, and two more: ``lost``, a request that gave no answer, and ``unexplained``, a
wrong answer of a program that there is no gold program for.
"""

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import cast

from nlfol.facts import GOLD_UNREAD, INTERNAL_ERROR, LEFT_OUT, LOST, NO_GOLD, UNEXPLAINED
from nlfol.problems.alignment import (
    Alignment,
    Basis,
    Cause,
    LineError,
    Share,
    align,
    cause_of,
    expressions,
    measure,
    shown,
    table_quality,
)
from nlfol.problems.gold import gold_lines as lines_of_problem
from nlfol.problems.problem import Problem
from nlfol.problems.programs.language import Lines, Policy, SolverLanguage
from nlfol.problems.programs.outcome import Failure
from nlfol.store.problem_schemas import MEASURED, Alignments, Measured, ProgramColumns
from nlfol.store.problem_schemas import Share as ShareColumns
from nlfol.store.schemas import ScoreRow
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply
from nlfol.tasks.program import Program
from nlfol.tasks.program_answers import read_program
from nlfol.tasks.program_gold import gold_answer

_FAILURES = frozenset(failure.value for failure in Failure)

_NOTHING = cast(
    "ProgramColumns",
    {
        **dict.fromkeys(ProgramColumns.__annotations__),
        **{name: [] for name in ("fault_lines", "fault_gold", "aligned", "sentences")},
    },
)


def gold_lines(problem: Problem, language: SolverLanguage) -> Lines | None:
    """Return the gold program in a language, or None."""
    if problem.language == language.name:
        return lines_of_problem(problem)
    answer = gold_answer(problem, language)
    if answer is None:
        return None
    return read_program(language, problem, json.dumps(answer, ensure_ascii=False)).program


def program_row(
    task: Program, item: Item, replies: Sequence[Reply], score: ScoreRow, mentioned: Problem | None
) -> ProgramColumns:
    """Return the row of PROGRAMS on an answer, without item, story and seed.

    ``score`` is the answer's row of SCORES; a table of concepts is compared with the mentions of ``mentioned``.
    """
    language = item.asked.language if task.entry.language is None else task.entry.language
    about: ProgramColumns = {**judged_row(score), "language": language, "text": None}
    written = task.written(item, replies)
    if written is None:
        known = {"answered": Cause.UNPARSABLE.value, **{name: name for name in LEFT_OUT}}
        return {**about, "reason": known.get(score["outcome"], LOST), "detail": score["detail"]}
    about["text"] = written.text
    spoken = task.language_of(item.asked)
    gold = gold_lines(item.asked, spoken)
    if gold is None:
        return {**about, "reason": NO_GOLD, "detail": f"there is no gold program of {spoken}"}
    try:
        alignment = align(gold, written.program)
    except LineError as error:
        return {**about, "reason": GOLD_UNREAD, "detail": str(error)}
    if about["cause"] in (UNEXPLAINED, Cause.FAILED):
        policy = Policy(explains=False)
        explanation = cause_of(alignment, item.asked.answer, item.asked.lettered, program=written.text, policy=policy)
        about["cause"], about["fault_place"] = explanation.cause.value, explanation.place
        about["fault_lines"], about["fault_gold"] = list(explanation.lines), list(explanation.gold)
        if explanation.difference is not None:
            about["fault_difference"] = json.dumps(explanation.difference, ensure_ascii=False)
    gold_table = {} if mentioned is None else expressions(mentioned)
    if written.table and gold_table:
        quality = table_quality([texts for _, texts in written.table], gold_table)
        about["table_precision"], about["table_recall"] = _share(quality.precision), _share(quality.recall)
        about["table_unknown"] = len(quality.unknown)
    return {**about, **_alignments(alignment), **_measured(alignment), "status": "aligned"}


def judged_row(score: ScoreRow) -> ProgramColumns:
    """Return what follows from the score alone: the row of an answer that is not aligned."""
    right = score["score"] == 1
    outcome = score["fault"] or score["outcome"]
    if right:
        cause = Cause.RIGHT.value
    elif outcome == Cause.UNPARSABLE:
        cause = Cause.UNPARSABLE.value
    elif outcome in _FAILURES:
        cause = Cause.FAILED.value
    elif score["outcome"] in ("answered", INTERNAL_ERROR):
        cause = UNEXPLAINED
    else:
        cause = LOST
    return {
        **_NOTHING,
        "language": None,
        "outcome": outcome,
        "right": right,
        "answer": score["answer"] if score["outcome"] == "answered" else None,
        "text": score["formula"],
        "status": "left_out",
        "cause": cause,
    }


def _alignments(alignment: Alignment) -> Alignments:
    counts: Counter[tuple[str, str, str, Basis]] = Counter()
    for sentence in alignment.sentences:
        for concept, image, basis in sentence.mentions:
            counts[concept.name, concept.kind.value, shown(image), basis] += 1
    return {
        "aligned": [
            {"concept": concept, "kind": kind, "symbol": symbol, "aligned_by": basis, "mentions": count}
            for (concept, kind, symbol, basis), count in counts.items()
        ],
        "sentences": [
            {
                "place": sentence.place,
                "aligned_by": sentence.basis.value,
                "error": sentence.error,
                "line": ", ".join(sentence.lines) or None,
                "shape": None
                if sentence.error or not sentence.lines
                else _digest(alignment.language.shape(sentence.lines)),
            }
            for sentence in alignment.sentences
        ],
        "is_least": alignment.is_least,
    }


def _digest(shape: str) -> str:
    return sha256(shape.encode()).hexdigest()[:16]


def _measured(alignment: Alignment) -> Measured:
    measures = measure(alignment)
    return cast("Measured", {name: getattr(measures, name)._asdict() for name in MEASURED})


def _share(share: Share) -> ShareColumns:
    return {"sum": share.sum, "of": share.of}
