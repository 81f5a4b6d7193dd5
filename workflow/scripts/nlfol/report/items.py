"""Data of a report's explorer, as columns of numbers and texts that compress well.

Every text is kept once, in ``texts``; the columns of texts are numbers into it, -1 for none. An *entry* is an item in a
task, usable or refused there; an answer belongs to one entry.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nlfol.facts import FACTS
from nlfol.logic.boards import board, is_blocks_world
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.measuring import count_operators, count_quantifiers
from nlfol.logic.ontology.ontology import Ontology, describe_world
from nlfol.logic.structures import Structure
from nlfol.logic.syntax import Formula
from nlfol.mappings import JsonDict, JsonObject
from nlfol.problems import gold
from nlfol.problems.problem import Problem
from nlfol.report.answers import ROUND, Answers, Prompt, turns_of
from nlfol.store import files, schemas
from nlfol.store.origins import metadata_at

MAX_SHOWN = 20_000
"""Characters of a text that are on the page itself: as many as of a formula are read."""

_TEXTS = (
    *("presentation", "outcome", "verdict", "stop", "means", "relation", "fault", "cause", "wrong_line", "detail"),
    *("distance", "edits", "rule", "witness", "formula", "dialect", "answer", "thinking"),
)
_LISTS = ("repairs", "ambiguities", "liberties", "earlier", "aligned")
_NUMBERS = ("seed", "position", "order", "similarities", "prompt_tokens", "completion_tokens", "seconds", "cost")


class Texts:
    """The distinct texts of a page, in the order in which they came."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.whole: dict[int, tuple[str, str]] = {}
        """By number, the file name and the whole of each text that is too long for the page."""

    def place(self, text: str | None) -> int:
        """Return the number of a text, -1 for none. The page holds only the beginning of a long text."""
        if text is None:
            return -1
        if len(text) <= MAX_SHOWN:
            return self._places.setdefault(text, len(self._places))
        name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16] + ".txt"
        begun = f"{text[:MAX_SHOWN]}… ({len(text):,} characters: texts/{name})"
        number = self._places.setdefault(begun, len(self._places))
        self.whole[number] = name, text
        return number

    def column(self, texts: Iterable[str | None]) -> list[int]:
        """Return the numbers of several texts."""
        return [self.place(text) for text in texts]

    @property
    def every(self) -> Sequence[str]:
        """Return all texts, by number."""
        return list(self._places)


class Collection:
    """The items, entries and answers of a report."""

    def __init__(self) -> None:
        self.texts = Texts()
        self.items: dict[str, list[Any]] = _columns(
            *("dataset", "item", "story", "text", "formula", "ontology", "program", "statements", "sentences"),
            *("operators", "quantifiers"),
        )
        self.entries: dict[str, list[Any]] = _columns(
            "item", "task", "kind", "protocol", "reason", "refusal", "candidates", "faults"
        )
        self.answers: dict[str, list[Any]] = _columns(
            *("entry", "model", *_TEXTS, *_LISTS, *_NUMBERS, "world", "chain", "prompts")
        )
        self.scores: dict[str, list[float | None]] = {}
        self.tied: dict[str, list[bool | None]] = {}
        self.ontologies: dict[str, int] = {}
        self.worlds: dict[tuple[str, int], int] = {}
        self.prompts: dict[tuple[tuple[int, int], ...], int] = {}
        self._written: dict[str, int] = {}
        self._drawn: list[dict[str, object]] = []
        self._ontologies: list[Ontology] = []
        self._items: dict[tuple[str, str, str], int] = {}
        self._entries: dict[tuple[str, str], dict[str, int]] = {}
        self._of_stories: set[tuple[str, str]] = set()
        self.left_out: list[str] = []
        """Reasons why something cannot be shown, each with a remedy."""

    def add_candidates(self, path: Path, dataset: str | None = None) -> None:
        """Add the items of an ITEMS file, refused ones with their reason; raises `StoreError`.

        With another name of the ``dataset``, they are no items of one that was added.
        """
        metadata = metadata_at(path)
        metadata["dataset"] = dataset or metadata["dataset"]
        of_task = self._entries.setdefault((metadata["dataset"], metadata["task"]), {})
        if metadata.get("items") == "stories":
            self._of_stories.add((metadata["dataset"], metadata["task"]))
        for row in files.rows(path, schemas.ItemRow):
            of_task[row["item"]] = _add(
                self.entries,
                item=self._item(metadata["dataset"], row),
                task=self.texts.place(metadata["task"]),
                kind=self.texts.place(metadata["task_kind"]),
                protocol=self.texts.place(metadata["protocol"] or None),
                reason=self.texts.place(row["reason"]),
                refusal=self.texts.place(row["detail"]),
                candidates=self._candidates(row),
                faults=[],
            )

    def add_audit(self, path: Path) -> None:
        """Add the faults that an AUDITS file lists for added entries; raises `StoreError`."""
        for row in files.rows(path, schemas.AuditRow):
            of_task = self._entries.get((row["dataset"], row["task"]), {})
            for fault in row["faults"]:
                entry = of_task.get(fault["item"])
                if entry is None:
                    self.left_out.append(f"{path}: item {fault['item']!r} is in no items file; audit again")
                    continue
                self.entries["faults"][entry].append(
                    [self.texts.place(row["check"]), fault["members"], self.texts.place(fault["detail"])]
                )

    def add_answers(self, answers: Answers, prompts: Mapping[str, Prompt] = MappingProxyType({})) -> None:
        """Add a model's answers to added items, with known prompts by their requests' keys."""
        source, rows = answers.source, answers.rows
        of_task = self._entries.get((source.dataset, source.task), {})
        if answers.left_out is not None:
            self.left_out.append(answers.left_out)
        if unknown := set(rows["item"]) - of_task.keys():
            count = rows["item"].is_in(list(unknown)).sum()
            message = f"{count} answers are to items in no items file, such as {min(unknown)!r}"
            self.left_out.append(f"{source.name}: {message}; ask and judge again")
            rows = rows.filter(~rows["item"].is_in(list(unknown)))
        if rows.is_empty():
            return
        entries = [of_task[item] for item in rows["item"]]
        model = self.texts.place(source.model)
        if source.kind == "written":
            self._written[source.model] = model
        given = {name: rows[name].to_list() for name in rows.columns}
        none = [None] * rows.height
        worlds = zip(given["counter_model"], entries, strict=True)
        chains = zip(given.get("chain", none), entries, strict=True)
        # In this order, which is that of the texts.
        columns: dict[str, Iterable[Any]] = {
            "entry": entries,
            "model": [model] * rows.height,
            **{name: self.texts.column(given.get(name, none)) for name in _TEXTS},
            **{name: [self.texts.column(row or ()) for row in given.get(name, none)] for name in _LISTS},
            **{name: given.get(name, none) for name in _NUMBERS},
            "world": [self._world(text, entry) for text, entry in worlds],
            "chain": [[self._round(step, entry) for step in chain or ()] for chain, entry in chains],
            "prompts": [[self._prompt(turn) for turn in turns_of(sent, prompts)] for sent in given["requests"]],
        }
        before = len(self.answers["entry"])
        for name, kept in (("score", self.scores), ("tied", self.tied)):
            for metric in dict.fromkeys((*kept, *answers.metrics)):
                column: list[Any] = kept.setdefault(metric, [None] * before)
                column.extend(given.get(f"{name}:{metric}", none))
        for name, values_of in columns.items():
            self.answers[name].extend(values_of)

    def first_task(self) -> dict[str, str]:
        """Return the first task of each dataset: it has an entry for each usable sentence."""
        tasks: dict[str, str] = {}
        for dataset, task in sorted(self._entries, key=self._of_stories.__contains__):
            tasks.setdefault(dataset, task)
        return tasks

    def as_data(self) -> JsonDict:
        """Return everything as JSON values."""
        return {
            "texts": self.texts.every,
            "whole": {number: name for number, (name, _) in self.texts.whole.items()},
            "metrics": {kind: facts.shown_first for kind, facts in FACTS.items()},
            "forms": {kind: facts.form for kind, facts in FACTS.items()},
            # Models that were not asked: their answers were written as examples.
            "written": list(self._written.values()),
            "scores": self.scores,
            "tied": self.tied,
            "ontologies": [json.loads(text) for text in self.ontologies],
            "worlds": self._drawn,
            # Each a list of turns: role and text.
            "prompts": list(self.prompts),
            "items": self.items,
            "entries": self.entries,
            "answers": self.answers,
        }

    def _item(self, dataset: str, row: schemas.ItemRow) -> int:
        # A task may have another text for it: what a model said.
        key = (dataset, row["item"], row["text"])
        if key not in self._items:
            problem = None if row["problem"] is None else Problem.from_row(json.loads(row["problem"]))
            # Of formulas; neither a regular expression nor a problem has any of these.
            formula = None if row["language"] is None else LANGUAGES[row["language"]].parse(row["formula"])
            ontology = json.dumps(row["ontology"], ensure_ascii=False, sort_keys=True)
            if ontology not in self.ontologies:
                self.ontologies[ontology] = len(self.ontologies)
                self._ontologies.append(Ontology.from_row(row["ontology"]))
            self._items[key] = _add(
                self.items,
                **{name: self.texts.place(row[name]) for name in ("item", "story", "text", "formula")},
                dataset=self.texts.place(dataset),
                ontology=self.ontologies[ontology],
                program=self.texts.place(gold.program(problem) if problem and problem.language else None),
                statements=len(problem.statements) if problem else 0,
                sentences=[self.texts.column((sentence.text, sentence.line)) for sentence in problem.sentences]
                if problem
                else [],
                operators=count_operators(formula) if isinstance(formula, Formula) else None,
                quantifiers=count_quantifiers(formula) if isinstance(formula, Formula) else None,
            )
        return self._items[key]

    def _candidates(self, row: schemas.ItemRow) -> list[Any]:
        """Formula, English, role, edits, what changed and, of what differs from the gold formula, where it does."""
        ontology = Ontology.from_row(row["ontology"])
        candidates: list[Any] = []
        for member in row["candidates"]:
            world = next((c["counter_model"] for c in member["certificates"] or () if c["to"] == 0), None)
            words = None if world is None else describe_world(Structure.from_json(world), ontology)
            texts = self.texts.column((member["formula"], member["english"], member["role"]))
            candidates.append([*texts, member["edits"], self.texts.column(member["change"]), self.texts.place(words)])
        return candidates

    def _prompt(self, turns: Prompt) -> int:
        """Return the number of a prompt; requests share their equal parts, which keeps pages small."""
        key = tuple((self.texts.place(role), self.texts.place(text)) for role, text in turns)
        return self.prompts.setdefault(key, len(self.prompts))

    def _round(self, step: JsonObject, entry: int) -> list[int]:
        return [*self.texts.column(step[name] for name in ROUND), self._world(step["counter_model"], entry)]

    def _world(self, text: str | None, entry: int) -> int:
        """Return the number of a counter-model, -1 for none; add its board if it can be drawn."""
        if text is None:
            return -1
        key = (text, self.items["ontology"][self.entries["item"][entry]])
        if key not in self.worlds:
            self.worlds[key] = len(self._drawn)
            drawn: dict[str, object] = {"structure": json.loads(text)}
            if is_blocks_world(self._ontologies[key[1]].signature()):
                blocks = board(Structure.from_json(text))
                drawn["blocks"] = None if blocks is None else [block.as_data() for block in blocks]
            self._drawn.append(drawn)
        return self.worlds[key]


def _columns(*names: str) -> dict[str, list[Any]]:
    return {name: [] for name in names}


def _add(columns: dict[str, list[Any]], **values: Any) -> int:
    for name, column in columns.items():
        column.append(values[name])
    return len(next(iter(columns.values()))) - 1
