"""``nlfol score``: the answers of a file, judged beside the items that they are about."""

import json
import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, cast

import polars as pl
import pyarrow as pa

from nlfol.asking.answer_files import AnswerFile, AnswerRow, read_answer_file
from nlfol.asking.answer_import import AnswerImport
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.judging import Responses, dialogues, score_tables
from nlfol.asking.responses import response_row
from nlfol.data.entries.block import Block
from nlfol.data.entry import read_entry
from nlfol.data.gold import Gold
from nlfol.facts import AnswerForm
from nlfol.logic.boards import board, is_blocks_world
from nlfol.logic.structures import Structure
from nlfol.mappings import AnyRow, JsonDict, JsonObject
from nlfol.models.entries.baselines import AnswersEntry
from nlfol.problems.programs import LANGUAGES
from nlfol.results.statistics.cells import cells_of
from nlfol.results.statistics.summary import Origin
from nlfol.store import schemas
from nlfol.store.evidence import comparable, joined
from nlfol.store.logs import LOGGER
from nlfol.store.records import SourceError
from nlfol.tasks.building import Source, item_rows, read_source
from nlfol.tasks.explaining import distinct_pairs, evidence_row
from nlfol.tasks.item import Item
from nlfol.tasks.program_answers import is_program
from nlfol.tasks.registry import TASKS, build_task
from nlfol.tasks.task import AnyTask
from nlfol.validation import nearest

_NUMBERS = re.compile(r"\s*\[?\s*\d+(?:[\s,]+\d+)+\s*\]?\s*")


@dataclass(frozen=True)
class Wanted:
    """A file of answers to a dataset, one of ``datasets`` (entries by name); a task is inferred unless it is named.

    Where ``listed``, items without an answer are not asked; otherwise they count as failed. ``model`` is the
    file's name unless it is given.
    """

    file: Path
    dataset: str
    datasets: JsonObject
    seed: int
    task: str | None = None
    language: str | None = None
    listed: bool = True
    model: str = ""

    @cached_property
    def entry(self) -> Block:
        """Return the dataset's entry; raises ``SourceError`` if it cannot be used."""
        return read_entry(json.dumps(self.datasets[self.dataset]))

    @cached_property
    def answers(self) -> AnswerFile:
        """Return the answers; raises as ``read_answer_file``."""
        return read_answer_file(self.file)


@dataclass(frozen=True, slots=True)
class Made:
    """A task's rows of ITEMS, RESPONSES, SCORES and EVIDENCE, the SCORES of a guesser, and answers that nothing uses.

    A guesser that is never right has none.
    """

    task: AnyTask
    model: Origin
    items: list[schemas.ItemRow]
    responses: Sequence[schemas.ResponseRow]
    scores: list[schemas.ScoreRow]
    evidence: list[schemas.EvidenceRow]
    guesser: Origin
    guesses: list[schemas.ScoreRow]
    unused: list[dict[str, str]]
    located: str


class JudgedAnswer(TypedDict):
    """An answer beside its item; the columns from ``presentation`` to ``word`` are those of SCORES."""

    task: str
    item: str
    text: str
    gold: str
    scores: dict[str, float | None]
    presentation: str
    seed: int | None
    outcome: str
    verdict: str | None
    means: str | None
    on_boards: str | None
    blocks: int | None
    relation: str | None
    fault: str | None
    distance: str | None
    edits: str | None
    rule: str | None
    witness: str | None
    detail: str | None
    answer: str | None
    formula: str | None
    word: str | None
    counter_model: JsonObject | None
    board: list[JsonObject] | None
    candidates: list[str]


@dataclass(frozen=True, slots=True)
class Scored:
    """Figures, as rows of CELLS; an answer for each dialogue, judged; answers that nothing uses; the dataset's gold.

    ``located`` says how the items of the answers were found, if the file names them in another way than the dataset.
    """

    cells: list[schemas.CellRow]
    answers: list[JudgedAnswer]
    refused: list[dict[str, str]]
    made: list[Made]
    gold: Gold
    located: str = ""

    @property
    def tables(self) -> dict[str, Sequence[Mapping[str, object]]]:
        """Return all of it by name, for programs."""
        refused_gold = [asdict(fate) for fate in self.gold.refused]
        return {"summary": self.cells, "answers": self.answers, "refused": self.refused, "refused_gold": refused_gold}


def score(wanted: Wanted) -> Scored:
    """Score the answers of a file; raises ``SourceError``, which names file, row and remedy."""
    level = LOGGER.level
    LOGGER.setLevel(logging.ERROR)  # what is told on the way, the result tells, too
    try:
        kinds = tasks_of(wanted)
        source = read_source(wanted.datasets, wanted.dataset, wanted.seed)
        made = [_made(wanted, kind, kinds, source) for kind in kinds]
        loaded = [(part.model, comparable(_explained(part.scores, part.evidence))) for part in made]
        loaded += [(part.guesser, comparable(_explained(part.guesses))) for part in made if part.guesses]
        names = {origin.name: wanted.file for origin, _ in loaded}
        own = [cell for cell in cells_of(loaded, names) if cell["kind"] == "chat" and cell["items"]]
    finally:
        LOGGER.setLevel(level)
    # What is of no task, every task says.
    refused = list({tuple(row.values()): dict(sorted(row.items())) for part in made for row in part.unused}.values())
    if not own:
        details = "; ".join(row["detail"] for row in refused[:3])
        raise SourceError(f"{wanted.file}: no answer is about {', '.join(kinds)} on {wanted.dataset}: {details}")
    answers = [answer for part in made for answer in _answers(part)]
    return Scored(
        own, answers, refused, made, source.gold, "; ".join(dict.fromkeys(filter(None, (m.located for m in made))))
    )


def _made(wanted: Wanted, kind: str, kinds: Sequence[str], source: Source) -> Made:
    """Judge the answers to a task, one of ``kinds``, and a guesser's."""
    task = build_task(json.dumps({"task": kind, **_keys(wanted, kind)}))
    rows = item_rows(source, task, wanted.seed)
    offered = Offered.of(rows, source.gold.refused, stories=task.joins_stories)
    entry = AnswersEntry(kind="answers", path=str(wanted.file), only_listed=wanted.listed)
    name = wanted.model or wanted.file.stem
    asking = Asking(offered, wanted.dataset, kind, task, name, entry.model_dump_json(), wanted.seed, Path())
    given = AnswerImport(asking, entry, wanted.answers, [(wanted.dataset, other) for other in kinds])
    responses = given.rows()
    about = (wanted.dataset, kind, kind, task.entry.sets_protocol)
    items = {item.item: item for item in offered.items}
    scores = list(_judged(task, {"kind": "chat", "model": name}, wanted.file, items, dialogues(responses)))
    paired = distinct_pairs(task, items, (row for row in scores if row["pair"] is not None), set())
    guesser, guesses = ("reasoner" if task.is_done_by("reasoner") else "chance"), list[schemas.ScoreRow]()
    if any(score for item in offered.items[:1] for score in task.chance(item).scores.values()):
        asked = asking.asked(asking.presentations, offered.items)
        asked_rows = [[response_row(item, presentation)] for presentation, item in asked]
        guesses = list(_judged(task, {"kind": guesser, "model": guesser}, wanted.file, items, asked_rows))
    return Made(
        task,
        Origin(*about, name, "chat", offered.available),
        rows,
        responses,
        scores,
        [evidence_row(key, pair) for key, pair in paired],
        Origin(*about, guesser, guesser, offered.available),
        guesses,
        given.unused,
        given.located,
    )


def _judged(
    task: AnyTask, metadata: Mapping[str, str], file: Path, items: Mapping[str, Item], listed: Sequence[Responses]
) -> Iterator[schemas.ScoreRow]:
    with_items = ((items[dialogue[0]["item"]], dialogue) for dialogue in listed)
    for table in score_tables(task, metadata, file, with_items):
        yield from cast("list[schemas.ScoreRow]", table.to_pylist())


def _explained(scores: Sequence[schemas.ScoreRow], evidence: Sequence[schemas.EvidenceRow] = ()) -> pl.DataFrame:
    """Return rows of SCORES with their evidence."""
    both: Sequence[tuple[Sequence[AnyRow], pa.Schema]] = ((scores, schemas.SCORES), (evidence, schemas.EVIDENCE))
    judged, known = (pl.DataFrame(pa.Table.from_pylist(rows, schema=schema)) for rows, schema in both)
    return joined(judged, known)


def _answers(made: Made) -> list[JudgedAnswer]:
    """Return the judged answers of a task, in the order of the scores."""
    items = {row["item"]: Item.from_row(row) for row in made.items if row["status"] == "usable"}
    orders = {(row["item"], row["presentation"], row["seed"]): row["order"] for row in made.responses}
    by_key: dict[tuple[Any, ...], JudgedAnswer] = {}
    for row in _explained(made.scores, made.evidence).to_dicts():
        key = row["item"], row["presentation"], row["seed"]
        if key not in by_key:
            item = items[row["item"]]
            model = None if row["counter_model"] is None else Structure.from_json(row["counter_model"])
            is_board = model is not None and is_blocks_world(item.ontology.signature())
            by_key[key] = {
                "task": made.task.kind,
                "item": item.item,
                "text": item.text,
                "gold": item.formula,
                "scores": {},
                "presentation": row["presentation"],
                "seed": row["seed"],
                "outcome": row["outcome"],
                "verdict": row["verdict"],
                "means": row["means"],
                "on_boards": row["on_boards"],
                "blocks": row["blocks"],
                "relation": row["relation"],
                "fault": row["fault"],
                "distance": row["distance"],
                "edits": row["edits"],
                "rule": row["rule"],
                "witness": row["witness"],
                "detail": row["detail"],
                "answer": row["answer"],
                "formula": row["formula"],
                "word": row["word"],
                "counter_model": None if model is None else model.as_data(),
                "board": [block.as_data() for block in board(model) or ()] if model is not None and is_board else None,
                "candidates": [
                    item.members[index].shown(row["presentation"]) for index in orders[key] or range(len(item.members))
                ],
            }
        by_key[key]["scores"][row["metric"]] = row["score"]
    return list(by_key.values())


def tasks_of(wanted: Wanted) -> list[str]:
    """Return the tasks that rows about the dataset name; where they name none, the one whose form most answers have.

    Raises ``SourceError`` if the dataset has no task of the name wanted.
    """
    holds, is_rewritten = wanted.entry.holds, wanted.entry.original is not None
    able = [kind for kind, task in TASKS.items() if holds in task.takes and (is_rewritten or not task.of_rewritten)]
    if wanted.task is not None:
        if wanted.task not in able:
            near = nearest(wanted.task, able)
            raise SourceError(f"{wanted.dataset} has no task {wanted.task}{near}; there is {', '.join(able)}")
        return [wanted.task]
    if wanted.answers.released and "program" in able:
        return ["program"]
    recorded = (wanted.answers.recorded or {}).get("task")
    rows = [row for row in wanted.answers.rows if row.dataset in (None, wanted.dataset)]
    if named := [kind for kind in able if any(kind == (row.task or recorded) for row in rows)]:
        return named
    forms = {TASKS[kind].form: kind for kind in reversed(able)}
    counted = Counter(forms[form] for row in rows if (form := form_of(row)) in forms)
    return [counted.most_common(1)[0][0] if counted else able[0]]


def form_of(row: AnswerRow) -> AnswerForm:
    """Return the form that an answer seems to have."""
    answer = row.answer
    if row.step > 1:
        return AnswerForm.CHAIN
    if isinstance(answer, str) and answer.lstrip()[:1] == "{":
        try:
            answer = json.loads(answer)
        except (ValueError, RecursionError):
            return AnswerForm.OTHER
    if isinstance(answer, Mapping):
        if answer.keys() & {"lines", "program"}:
            return AnswerForm.PROGRAM
        answer = answer.get("answer")
    text = str(answer).strip()
    if isinstance(answer, list) or _NUMBERS.fullmatch(text):
        return AnswerForm.ORDER
    if text.isdecimal():
        return AnswerForm.CHOICE
    if text.lower() in ("yes", "no"):
        return AnswerForm.VERDICT
    if any(is_program(language, text) for language in LANGUAGES.values()):
        return AnswerForm.PROGRAM
    return AnswerForm.LABEL if text.isalpha() else AnswerForm.FORMULA


def _keys(wanted: Wanted, kind: str) -> JsonDict:
    """Return the keys of a task's entry that depend on the file; nothing is asked, so that no example is shown."""
    known, rows = TASKS[kind].entry_type.model_fields, wanted.answers.rows
    keys: JsonDict = {"shots": 0} if "shots" in known else {}
    if "presentations" in known:
        given = {row.presentation for row in rows if row.task in (None, kind)}
        default = known["presentations"].default
        keys["presentations"] = [presentation for presentation in default if presentation in given] or default[:1]
    if "language" in known:
        texts = [row.answer for row in rows if isinstance(row.answer, str)]
        # Other names of sections are shared by languages, so they tell only where no text has a language's own.
        counts = (
            {
                name: sum(is_program(language, text, strict=strict) for text in texts)
                for name, language in LANGUAGES.items()
            }
            for strict in (True, False)
        )
        written = next(filter(lambda counted: any(counted.values()), counts), {})
        keys["language"] = wanted.language or max(written, key=written.__getitem__, default=None)
    elif wanted.language is not None:
        raise SourceError(f"a language is one of programs; {kind} has none")
    return keys
