"""Answers from a file, in place of a model's: from the items to the RESPONSES file.

The task's plan runs as with a model, with the file's rows for replies, so that every item, seed and presentation has
its answer or counts as failed. Rows beyond that are listed with their reason in the metadata of the responses, under
``unused``, and in the table of refused rows.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from nlfol.asking import answer_items
from nlfol.asking.answer_files import AnswerFile, AnswerFileError, AnswerRow, as_written
from nlfol.asking.asking import Asking
from nlfol.asking.dialogue import Dialogue
from nlfol.asking.responses import responses, write_responses
from nlfol.facts import UNASKED
from nlfol.models.entries.baselines import AnswersEntry
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message
from nlfol.store import files
from nlfol.store.canonical import canonical
from nlfol.store.logs import LOGGER
from nlfol.store.schemas import ResponseRow
from nlfol.tasks.item import Item
from nlfol.tasks.plan import NoPrompts, Setting, Step
from nlfol.validation import nearest

_NAMED = 5
"""Rows and items that a message names; it counts the others."""

_THINKING = ("thinking", "apart_from_thinking", "reasoning")

Steps = dict[int, AnswerRow]
"""The rows of a dialogue by step."""


@dataclass(slots=True)
class AnswerImport:
    """One file of answers for one dataset and task.

    ``unused`` are refusals of rows that are used nowhere, ``dialogues`` the rows by item, presentation and seed;
    ``jobs`` the model's datasets and tasks, in the order of the configuration; ``located`` says how items were found
    that the file names in another way.
    """

    asking: Asking
    entry: AnswersEntry
    file: AnswerFile
    jobs: Sequence[tuple[str, str]]
    dialogues: dict[tuple[str, str, int], Steps] = field(default_factory=dict)
    unused: list[dict[str, str]] = field(default_factory=list)
    located: str = ""

    def rows(self) -> list[ResponseRow]:
        """Return the rows of RESPONSES.

        Raises ``AnswerFileError`` if rows contradict one another, or none is about an item, naming file, rows and
        remedy.
        """
        self._sort()
        rows = self._responses()
        for steps in self.dialogues.values():
            self._refuse_all(steps, "not_asked", "the experiment asks a sample of the items, or fewer seeds")
        self._log(rows)
        return rows

    def write(self) -> None:
        """Write the RESPONSES file; raises as ``rows``."""
        rows = self.rows()
        asking, recorded = self.asking, self.file.recorded or {}
        about = {
            **{key: recorded[key] for key in _THINKING if key in recorded},
            "price": self._price(rows),
            "unused": canonical(self.unused),
            f"made_from.answers/{asking.dataset}/{asking.task_name}/{asking.model}": files.digest(self.file.path),
        }
        write_responses(asking, self.entry.shown_kind, self.entry.identity, rows, about)

    def _sort(self) -> None:
        """Sort the file's rows into dialogues and those that are used nowhere."""
        here = self.asking.dataset, self.asking.task_name
        usable, refused = {item.item: item for item in self.asking.offered.items}, self.asking.offered.refused
        twice: list[str] = []
        last = None
        placed = [(row, (self._named(row, "dataset", 0), self._named(row, "task", 1))) for row in self.file.rows]
        ours = [row for row, job in placed if job == here]
        located = answer_items.found(ours, usable.values(), refused)
        self.located, number = located.told, 0
        if edited := located.edited:
            differ = (
                f"{len(edited)} of {len(ours)} rows differ from their items' texts in a few letters: {_some(edited)}"
            )
            LOGGER.warning(f"warning: {self.file.path}: {differ}")
            self.located = "; ".join(filter(None, (self.located, differ)))
        for row, job in placed:
            if job not in self.jobs:
                pairs = zip(job, map(set, zip(*self.jobs, strict=True)), strict=True)
                near = "".join(nearest(name, sorted(names)) for name, names in pairs if name not in names)
                self._refuse(row, "not_configured", f"the model has no such dataset and task{near}", job)
            if job != here:
                continue
            last, reason = row, located.refused.get(number)
            row = row.model_copy(update={"item": located.items[number]})  # noqa: PLW2901
            number += 1
            presentation = self._presentation(row)
            if reason is not None:
                self._refuse(row, "unknown_item", reason)
            elif row.item in refused:
                self._refuse(row, "refused_item", refused[row.item])
            elif row.item not in usable:
                meant = located.hint or nearest(row.item, sorted(usable))
                self._refuse(row, "unknown_item", f"the dataset has no such item{meant}")
            elif presentation in usable[row.item].unasked:
                self._refuse(row, "refused_item", f"{UNASKED[presentation][1]}, as {presentation} needs")
            elif presentation not in self.asking.presentations:
                known = ", ".join(self.asking.presentations)
                self._refuse(row, "unknown_presentation", f"{presentation!r} is not one of {known}")
            else:
                steps = self.dialogues.setdefault((row.item, presentation, row.seed), {})
                if (first := steps.setdefault(row.step, row)) is not row:
                    twice.append(f"{first.place} and {row.place} (item {row.item!r}, seed {row.seed}, step {row.step})")
        if twice:
            raise AnswerFileError(
                f"{self.file.path}: two answers to one question: {_some(twice)}; keep one of each, or give them "
                "different seeds in the column 'seed'"
            )
        if last is not None and not self.dialogues:
            raise AnswerFileError(
                f"{self.file.path}: no row for {self.asking.task_name} on {self.asking.dataset} can be used: item "
                f"{last.item!r}, {self.unused[-1]['detail']}"
                + (f"; name items as in {', '.join(sorted(usable)[:3])}" if usable else "")
            )

    def _named(self, row: AnswerRow, column: str, part: int) -> str:
        """Return the dataset or task that a row is about."""
        if named := getattr(row, column):
            return str(named)
        if self.file.recorded is not None:
            return self.file.recorded[column]
        names = list(dict.fromkeys(job[part] for job in self.jobs))
        if len(names) > 1 and f"{{{column}}}" not in self.entry.path:
            raise AnswerFileError(
                f"{self.file.path}: {row.place} does not say which {column} it is about, and the model has several: "
                f"{', '.join(names)}; add the column {column!r}"
            )
        return (self.asking.dataset, self.asking.task_name)[part]

    def _presentation(self, row: AnswerRow) -> str:
        shown = self.asking.presentations
        if row.presentation is None and len(shown) > 1:
            raise AnswerFileError(
                f"{self.file.path}: {row.place} does not say what item {row.item!r} was shown as; add the column "
                f"'presentation' with one of {', '.join(shown)}"
            )
        return shown[0] if row.presentation is None else row.presentation

    def _responses(self) -> list[ResponseRow]:
        """Return the rows of all dialogues; none if nothing in the file is about an item that is asked."""
        asking = self.asking
        listed = {item for item, _, _ in self.dialogues}
        items = asking.items(self.entry.items)
        among = [item for item in items if item.item in listed]
        if self.entry.only_listed or not among:
            items = among
        seeds = asking.seeds(tuple(dict.fromkeys(seed for _, _, seed in self.dialogues)))
        given = {presentation for _, presentation, _ in self.dialogues}
        shown = [name for name in asking.presentations if name in given or asking.task.weakest_counts]
        plan = asking.task.plan(Setting(asking.seed, NoPrompts()))
        return [
            row
            for name in shown
            for seed, (presentation, item) in product(seeds, asking.asked([name], items))
            for row in self._of_dialogue(Dialogue(plan, _to_request, item, presentation, seed, asking.task.opened))
        ]

    def _of_dialogue(self, dialogue: Dialogue) -> list[ResponseRow]:
        """Return the rows of a dialogue, replayed from the file; without requests, as none was sent."""
        steps = self.dialogues.pop((dialogue.item.item, dialogue.presentation, dialogue.seed), {})
        while (request := dialogue.advance()) is not None:
            dialogue.take(self._reply(request, dialogue, steps.get(len(dialogue.exchanged) + 1)))
        rows = responses(dialogue, None)
        self._refuse_all(
            {step: row for step, row in steps.items() if step > len(rows)}, "not_reached", "nothing asks it"
        )
        for row in rows:
            given = steps.get(row["step"])
            if given is not None and given.order:
                row["order"] = list(given.order)
            elif self.asking.task.facts.has_candidates:
                row["order"] = []
            row |= {"request": None, "cost": given.cost if given is not None else None}
        return rows

    def _reply(self, request: ChatRequest, dialogue: Dialogue, row: AnswerRow | None) -> ChatReply:
        """Return the file's reply to a dialogue's request."""
        if row is None:
            return ChatReply(request.key, Ending.FAILED, error=self._missing)
        step, _ = dialogue.pending
        self._check(row, step, dialogue.item)
        verbatim = self.entry.verbatim or self.file.recorded is not None
        tolerant = self.asking.task.entry.envelope == "tolerant"
        answer = row.answer
        if isinstance(answer, str) and not verbatim:
            answer = self.asking.task.from_text(dialogue.item, step.part, answer) or answer
        text = as_written(answer, step.schema, verbatim=verbatim, tolerant=tolerant)
        outcome = _outcome(row, text)
        return ChatReply(
            request.key,
            outcome,
            text,
            thinking=row.thinking,
            finish_reason=row.finish_reason,
            prompt_tokens=row.prompt_tokens,
            cached_tokens=row.cached_tokens,
            completion_tokens=row.completion_tokens,
            reasoning_tokens=row.reasoning_tokens,
            seconds=row.seconds,
            served_model=row.served_model,
            error=row.error or ("the row has no answer" if outcome is Ending.FAILED else None),
        )

    def _check(self, row: AnswerRow, step: Step, item: Item) -> None:
        """Refuse a row that answers another step, or an order that is not one of the candidates."""
        if row.part is not None and row.part != step.part:
            raise AnswerFileError(
                f"{self.file.path}: {row.place} answers part {row.part!r} of item {item.item!r}, where the task asks "
                f"for {step.part!r}; correct 'part' and 'step', or the task's entry"
            )
        count = len(item.members)
        indices = sorted(row.order or ())
        full = list(range(count)) if self.asking.task.facts.has_candidates else sorted(step.order)
        if indices and indices != full:
            raise AnswerFileError(
                f"{self.file.path}: {row.place}: order {list(row.order or ())} is not one of the candidates {full} of "
                f"item {item.item!r}; correct it, or leave it out and number candidates as the file of items does"
            )

    @property
    def _missing(self) -> str:
        return f"{self.file.path.name} has no answer"

    def _price(self, rows: Sequence[ResponseRow]) -> str:
        if self.file.recorded is not None:
            return self.file.recorded.get("price", "null")
        costs = any(row["cost"] is not None for row in rows)
        return json.dumps({"currency": self.entry.currency, "read": None} if costs else None)

    def _refuse(self, row: AnswerRow, reason: str, detail: str, job: tuple[str, str] | None = None) -> None:
        dataset, task = job or (self.asking.dataset, self.asking.task_name)
        detail = f"{self.file.path.name}, {row.place}: {detail}"
        self.unused.append({"dataset": dataset, "task": task, "item": row.item, "reason": reason, "detail": detail})

    def _refuse_all(self, steps: Steps, reason: str, detail: str) -> None:
        for row in steps.values():
            self._refuse(row, reason, detail)

    def _log(self, rows: Sequence[ResponseRow]) -> None:
        """Log what became of the file's rows."""
        label, path = self.asking.label, self.file.path
        if self.located:
            LOGGER.info(f"{path}: {self.located}")
        LOGGER.info(f"{label}: {len(rows)} responses from {path}, which has {len(self.file.rows)} rows for all tasks")
        if not rows:
            LOGGER.warning(f"warning: {path} answers nothing of {label}: no item counts as asked")
        if missing := list(dict.fromkeys(row["item"] for row in rows if row["error"] == self._missing)):
            LOGGER.warning(
                f"warning: {label}: no answer to {len(missing)} items, which count as failed: {_some(missing)}"
            )
        for reason, count in Counter(row["reason"] for row in self.unused).items():
            first = next(row for row in self.unused if row["reason"] == reason)
            listed = f"{count} ({reason.replace('_', ' ')}), the first: item {first['item']!r}: {first['detail']}"
            LOGGER.warning(f"warning: {label}: not used: {listed}")
        if self.file.unused:
            LOGGER.info(f"{path}: columns that are not used: {', '.join(self.file.unused)}")


def _to_request(step: Step, seed: int) -> ChatRequest:
    """Return a request that is never sent."""
    return ChatRequest("", (Message("user", step.user),), step.schema, None, None, 1, seed)


def _outcome(row: AnswerRow, text: str | None) -> Ending:
    if row.outcome is not None:
        # Where a plan failed on an answer, it does so again.
        return Ending.ANSWERED if row.outcome == "internal_error" else Ending(row.outcome)
    if text is None:
        return Ending.FAILED
    return Ending.ANSWERED if text.strip() else Ending.BLANK if text else Ending.EMPTY


def _some(named: Sequence[str]) -> str:
    left = len(named) - _NAMED
    return ", ".join(named[:_NAMED]) + (f" and {left} more" if left > 0 else "")
