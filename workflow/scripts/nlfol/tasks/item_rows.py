"""Rows of ITEMS files: the items that sentences and problems become."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from nlfol.facts import UNASKED, AnswerForm, sighted
from nlfol.logic.ontology.ontology import Ontology
from nlfol.mappings import JsonDict, JsonObject
from nlfol.problems.problem import Problem
from nlfol.randomness import generator, source_label
from nlfol.sets.sets import Candidate, CandidateError, candidate_rows
from nlfol.store.disk import StoreError
from nlfol.store.logs import LOGGER
from nlfol.tasks.entry import EVEN_SETS
from nlfol.tasks.item import labels, shown
from nlfol.tasks.task import AnyTask, Surroundings

if TYPE_CHECKING:
    from nlfol.store.row_parts import Candidate as CandidateRow
    from nlfol.store.row_parts import Exemplar, OntologyRow, Status, UsableTriple
    from nlfol.store.schemas import ItemRow, TripleRow

SHOWN = 2
"""Examples of a generated set that are shown at most."""

MAX_CONTEXT = 50
"""Sentences of a story up to which its other formulas are an item's context."""

MAX_PROBLEM = 200_000
"""Characters of a problem's JSON that an item has."""


class _Drawn(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str
    formula: str


_DRAWN = TypeAdapter(list[_Drawn])


class Exemplars:
    """The solved examples that are shown before the items of one dataset of sentences.

    Those of a generated set are drawn with it, are no items of it, and lie in the metadata of its triples: ``drawn``, a
    JSON list of objects with ``text`` and ``formula``. That of a sentence is another one of its story, drawn for each
    item, as ∀uto∃∨∧L does with FOLIO. Raises ``StoreError`` if ``drawn`` is no such list.
    """

    def __init__(self, triples: Sequence[TripleRow], drawn: str | None, dataset: str, seed: int) -> None:
        self._seed = seed
        self._stories: defaultdict[str, list[TripleRow]] = defaultdict(list)
        for triple in triples:
            self._stories[triple["story"]].append(triple)
        self._drawn: list[Exemplar] | None = None
        if drawn is not None:
            asked = {triple["formula"] for triple in triples}
            try:
                examples = _DRAWN.validate_json(drawn)
            except ValidationError as error:
                raise StoreError(f"dataset {dataset}: its triples have no usable exemplars: {error}") from error
            kept = [example for example in examples if example.formula not in asked][:SHOWN]
            self._drawn = [{"text": example.text, "formula": example.formula} for example in kept]

    def of(self, triple: UsableTriple) -> list[Exemplar]:
        """Return the examples for an item; none if there are none."""
        if self._drawn is not None:
            return self._drawn
        others = [
            other
            for other in self._stories[triple["story"]]
            if other["text"] != triple["text"] and other["formula"] != triple["formula"]
        ]
        draw = generator(self._seed, triple["source"], "exemplar")
        drawn = draw.sample(others, min(1, len(others)))
        return [{"text": other["text"], "formula": other["formula"] or ""} for other in drawn]

    def context(self, triple: UsableTriple) -> list[str]:
        """Return the other formulas of a story's usable sentences, none of a story that is too long."""
        others = [one["formula"] or "" for one in self._stories[triple["story"]]]
        return [one for one in others if one != triple["formula"]] if len(others) <= MAX_CONTEXT else []


def sentence_row(row: TripleRow, task: AnyTask, seed: int, exemplars: Exemplars) -> ItemRow:
    """Return the row of a usable row of TRIPLES; refused where it has no fair candidate set or no example."""
    triple = cast("UsableTriple", {**row, "source": _source(row, task)})
    refusal: CandidateError | None = None
    candidates: list[Candidate] = []
    members: list[CandidateRow] = []
    shown_first: list[Exemplar] = []
    unasked: list[str] = []
    try:
        candidates, members = task.candidates(triple, seed), task.published(triple)
        shown_first, unasked = task.with_exemplars(exemplars.of(triple) if task.wants_exemplars else [])
        if not all(member["english"] for member in members):
            unasked = [shown_as for shown_as in task.entry.shown_as if sighted(shown_as) == "english"]
    except CandidateError as error:
        refusal = error
    is_bracketed = task.entry.sets_protocol in EVEN_SETS
    members = members or candidate_rows(candidates, triple["language"], bracketed=is_bracketed)
    instead = task.asked_instead(triple, candidates)
    text, formula = instead or (triple["text"], triple["formula"])
    is_explained = task.form is AnswerForm.FORMULA and task.entry.is_about_dataset
    return {
        "item": triple["item"],
        "story": triple["story"],
        "source": triple["source"],
        "language": triple["language"],
        "text": text,
        "formula": formula,
        "ontology": triple["ontology"],
        "category": triple["category"],
        "depth": triple["depth"],
        "readings": triple["readings"],
        "context": exemplars.context(triple) if is_explained and instead is None else [],
        "problem": None,
        "candidates": members,
        "exemplars": shown_first,
        "unasked": unasked,
        **_status(refusal),
    }


class ProblemItems:
    """The items of a dataset's usable problems in a task."""

    def __init__(self, problems: Sequence[Problem], task: AnyTask, about: Surroundings) -> None:
        self._task = task
        self._about = about
        self._stories: dict[tuple[str, ...], str] = {}
        for problem in problems:
            self._stories.setdefault(self._statements(problem), problem.name)

    def row(self, problem: Problem) -> ItemRow:
        """Return the row of a problem; refused where the task cannot be asked about it."""
        refusal: CandidateError | None = None
        exemplars: list[Exemplar] = []
        unasked: list[str] = []
        full_row, text = problem.to_row(), shown(problem)
        stored = json.dumps(full_row if self._task.wants_words else _without_mentions(full_row), ensure_ascii=False)
        try:
            if len(stored) > MAX_PROBLEM:
                detail = f"{len(stored)} characters as JSON; an item has at most {MAX_PROBLEM}"
                raise CandidateError("too_long", detail)
            text = self._task.text_of(problem, self._about)
            unasked = self._task.unasked(problem)
            exemplars = [
                {"text": exemplar["text"], "formula": exemplar["formula"]}
                for exemplar in self._task.exemplars(problem, self._about)
            ]
        except CandidateError as error:
            refusal = error
        return {
            "item": problem.name,
            "story": self._stories[self._statements(problem)],
            "source": source_label(problem.name, shown(self._original(problem))),
            "language": None,
            "text": text,
            "formula": labels(problem)[problem.answer],
            "ontology": cast("OntologyRow", Ontology().to_row()),
            "category": problem.depth,
            "depth": None,
            "problem": stored if len(stored) <= MAX_PROBLEM else None,
            "readings": [],
            "context": [],
            "candidates": [],
            "exemplars": exemplars,
            "unasked": unasked,
            **_status(refusal),
        }

    def _statements(self, problem: Problem) -> tuple[str, ...]:
        """Return the statements of the original: problems that share them are one story, a cluster of scores."""
        return tuple(statement.text for statement in self._original(problem).statements)

    def _original(self, problem: Problem) -> Problem:
        return self._about.originals.get(problem.name, problem)


def warn_of_none(label: str, rows: Sequence[ItemRow], task: AnyTask) -> None:
    """Warn of a task, or of a presentation of it, that rows of ITEMS leave without an item."""
    usable = [row for row in rows if row["status"] == "usable"]
    for shown_as in task.entry.shown_as:
        if all(shown_as in row["unasked"] for row in usable):
            reasons = Counter(row["reason"] or UNASKED[sighted(shown_as)][0] for row in rows).most_common()
            why = ", ".join(f"{count} {reason}" for reason, count in reasons) or "the dataset has no sentence"
            LOGGER.warning(f"WARNING: {label}{shown_as and f', {shown_as}'}: no item, so nothing is asked ({why})")


def _source(triple: TripleRow, task: AnyTask) -> str:
    """Return what a row of TRIPLES is of; of a story, which of its sentences are usable changes nothing."""
    text = "" if task.joins_stories else triple["text"] or triple["formula"] or ""
    return source_label(triple["story"], text)


def _status(refusal: CandidateError | None) -> Status:
    if refusal is None:
        return {"status": "usable", "reason": None, "detail": None}
    return {"status": "refused", "reason": refusal.reason, "detail": str(refusal)}


def _without_mentions(row: JsonObject) -> JsonDict:
    """Return the row without the places of mentions, which are most of it and matter to few tasks."""
    return {
        **row,
        "statements": [{**statement, "mentions": []} for statement in row["statements"]],
        "question": {**row["question"], "mentions": []},
        "options": [{**option, "mentions": []} for option in row["options"]],
    }
