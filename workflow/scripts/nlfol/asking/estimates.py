"""Estimates of requests, tokens and cost before a model is asked, of what journal and vectors do not hold yet.

Prompts are counted exactly if the model's tokenizer is here. Otherwise their characters are divided by characters a
token: those of the model's answers in the journal, or else 3. Of completions there is an upper bound, the limit of the
entry, and an expectation, the mean of what the journal holds: for the task if there is such, or else for any. Without
a journal it is what gold answers take. The highest cost is what a budget reserves: it relies on no count of a prompt.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import fsum
from pathlib import Path
from statistics import fmean
from typing import Final, TypedDict, cast

from nlfol.asking.asking import Asking, Offered, sample
from nlfol.asking.dialogue import Dialogue
from nlfol.asking.embedding import ALIKE
from nlfol.asking.questions import compared_texts, dialogues, identity_of
from nlfol.facts import AnswerForm
from nlfol.mappings import AnyRow, JsonObject
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry, Role, vectors_folder
from nlfol.models.entries.prices import Price
from nlfol.models.journal.reading import JournalReader, Record
from nlfol.models.likelihood import told_apart
from nlfol.models.local import loading, materialisation
from nlfol.models.providers.registry import price_of, read_entry
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message
from nlfol.models.vectors.store import Vectors
from nlfol.store.origins import metadata_at
from nlfol.tasks.answers import REASONING, reasoning_of
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.reference import answer_json
from nlfol.tasks.reference import dialogue as replay
from nlfol.tasks.task import AnyTask

CHARACTERS_A_TOKEN: Final = 3.0
"""SmolLM2's tokenizer has 2.4 (most similar, shown as formulas) to 3.5 (ranking, in English) on the tarski dataset."""

MEASURED: Final = 100
"""Items of a task that are measured for all of it, where a model has answered nothing yet."""

REPLAYED: Final = 20
"""Items whose gold answers say how long completions may be."""

COSTS: Final = ("cost", "cost_most", "perhaps")

Count = Callable[[ChatRequest], int]
"""Counts the tokens of a prompt."""

Sent = Callable[[ChatRequest], Sequence[ChatRequest]]
"""Gives what is sent for a request whose reply is a choice by likelihood, with the tokens that are written."""


class Estimate(TypedDict):
    """Figures of what one model's requests would take; of costs, null without a price."""

    # those known of; shared are left to other tasks
    requests: int
    answered: int
    shared: int
    left: int
    # those that may follow what is not answered, as often as dialogues went on in the journal, and at most
    following: int
    following_most: int
    # of all that are left
    prompt_tokens: int
    counted_by: str
    completion_tokens: int | None  # null if nothing is known
    completion_most: int
    cost: float | None  # likewise
    cost_most: float | None  # an upper bound
    perhaps: float | None  # what attempts without a reply may have cost so far
    currency: str | None


class EstimateRow(Estimate):
    """The figures of a model, dataset and task."""

    model: str
    dataset: str
    task: str


class Estimator:
    """Estimates for the models of a configuration; ``weights`` are folders of those materialised already.

    With ``most``, models are asked about so many items at most.
    """

    def __init__(self, prompts: Path, journal: Path, weights: Mapping[str, Path], most: int | None = None) -> None:
        self._prompts = prompts
        self._journal = journal
        self._weights = weights
        self._most = most
        self._records: dict[str, dict[str, list[Record]]] = {}
        self._asked: dict[str, set[str]] = {}
        self._counts: dict[str, Count | None] = {}

    def of_task(self, asking: Asking) -> EstimateRow:
        """Return the row of a dialogue model, or an embedding model behind an interface, for a task.

        Raises ``TypeError`` if it is another model.
        """
        entry = asking.entry
        if self._most is not None:
            entry = entry.model_copy(update={"items": min(entry.items or self._most, self._most)})
        if isinstance(entry, ApiEmbeddingEntry):
            row = self._of_texts(compared_texts(asking, asking.items(entry.items), entry), entry)
        elif isinstance(entry, LocalChatEntry | ApiChatEntry):
            row = self._of_dialogues(asking, entry)
        else:
            raise TypeError(f"nothing is estimated of model {asking.model!r}")
        return {"model": asking.model, "dataset": asking.dataset, "task": asking.task_name, **row}

    def of_compared(self, dataset: str, task: str, model: str, entry_json: str, texts: Sequence[str]) -> EstimateRow:
        """Return the row of an embedding model behind an interface that compares rewritten problems, or glosses.

        ``texts`` are those known, and others as long. Raises ``TypeError`` if it is another model.
        """
        entry = read_entry(entry_json)
        if not isinstance(entry, ApiEmbeddingEntry):
            raise TypeError(f"nothing is estimated of model {model!r}")
        return {"model": model, "dataset": dataset, "task": task, **self._of_texts({ALIKE: texts}, entry)}

    def _of_dialogues(self, asking: Asking, entry: LocalChatEntry | ApiChatEntry) -> Estimate:
        model, folder = asking.model, self._weights.get(asking.model)
        if model not in self._records:
            paths = sorted((self._journal / model).glob("*.jsonl"))
            self._records[model] = {path.name: [*JournalReader(path).fresh()] for path in paths}
            self._counts[model] = _counter(entry, folder)
        records = self._records[model]
        items = asking.items(entry.items)
        if not any(records.values()) and len(items) > MEASURED:
            few = replace(asking.offered, items=tuple(sample(items, MEASURED, asking.seed)))
            row = self._of_dialogues(replace(asking, offered=few), entry)
            numbers = {name: value for name, value in row.items() if isinstance(value, int | float)}
            scaled = {name: value * (len(items) / MEASURED) for name, value in numbers.items()}
            rounded = {name: value if name in COSTS else round(value) for name, value in scaled.items()}
            return cast("Estimate", {**row, **rounded})
        return estimate(
            [*dialogues(asking, entry, self._prompts, identity_of(entry, folder))],
            records.get(f"{asking.dataset}.{asking.task_name}.jsonl", []),
            all_answers=[record for of_task in records.values() for record in of_task],
            elsewhere=self._asked.setdefault(model, set()),
            price=price_of(entry),
            batch=getattr(entry, "batch", None) is not None,
            count=self._counts[model],
            gold=partial(gold_completion, asking),
            sent=_sent_by(entry),
        )

    def _of_texts(self, by_role: Mapping[Role, Sequence[str]], entry: ApiEmbeddingEntry) -> Estimate:
        vectors = Vectors(vectors_folder(self._journal, entry, ""), entry.identity)
        texts: list[str] = []
        left: list[str] = []
        for role, needed in by_role.items():
            prompt = entry.prompt(role)
            texts += [prompt + text for text in dict.fromkeys(needed)]
            left += [prompt + text for text in vectors.missing(needed, role)]
        return estimate_texts(texts, left, price_of(entry))


def _sent_by(entry: LocalChatEntry | ApiChatEntry) -> Sent | None:
    if entry.answer == "generation":
        return None
    return told_apart if isinstance(entry, ApiChatEntry) else lambda request: [replace(request, max_tokens=0)]


def _counter(entry: LocalChatEntry | ApiChatEntry, folder: Path | None) -> Count | None:
    """Return the count by the model's tokenizer; None if that is not here."""
    if not isinstance(entry, LocalChatEntry) or folder is None:
        return None
    identity = materialisation.identity(entry, folder)
    tokenizer = loading.load_tokenizer(materialisation.weights(folder), identity)
    return lambda request: len(loading.prompt_tokens(tokenizer, request.messages, entry.variables, identity))


def offered_by(task: AnyTask, name: str, path: Path, seed: int, most: Iterable[int | None] = ()) -> Offered:
    """Return the items of a task; of a stand-in file while theirs does not exist, as many as are expected.

    These are made of a sample, if model and task that they depend on have ``most`` items.
    """
    offered = Offered.read(path)
    if metadata_at(path)["task"] == name:
        return offered
    earlier = sample(offered.items, min(filter(None, most), default=None), seed)
    return replace(offered, items=tuple(task.expected(earlier)))


def gold_completion(asking: Asking) -> float | None:
    """Return the mean tokens of gold answers to some items, each with half of its reasoning; None if there are none."""
    task, items = asking.task, sample(asking.offered.items, REPLAYED, asking.seed)
    if task.form is AnswerForm.FORMULA:
        return fmean(_tokens({"answer": item.formula}, task.agreed(item, "")) for item in items) if items else None
    if not task.is_done_by("reader"):
        return None
    plan, reference = task.plan(Setting(asking.seed, NoPrompts())), task.reference("reader", items)
    tokens = []
    for presentation, item in asking.asked(task.shown_to("reader"), items):
        for step, reply in replay(plan, reference, item, presentation, 0):
            if reply.text is not None:
                answer = {name: part for name, part in json.loads(reply.text).items() if name != REASONING}
                tokens.append(_tokens(answer, step.schema))
    return fmean(tokens) if tokens else None


def _tokens(answer: JsonObject, schema: JsonObject) -> float:
    return len(answer_json(answer)) / CHARACTERS_A_TOKEN + reasoning_of(schema) / 2


def measured(records: Iterable[Record], sent: Sent) -> tuple[float | None, float | None]:
    """Return a model's mean characters a token of prompts and tokens of completions; None without such answers."""
    characters = prompts = completions = answers = 0
    for request, reply in records:
        if reply.prompt_tokens and reply.completion_tokens is not None:
            messages = tuple(Message(**message) for message in request["messages"])
            characters += _characters(sent(ChatRequest(**{**request, "messages": messages})))
            prompts += reply.prompt_tokens
            completions += reply.completion_tokens
            answers += 1
    return (characters / prompts, completions / answers) if answers else (None, None)


def estimate(
    asked: Sequence[Dialogue],
    answers: Iterable[Record],
    *,
    all_answers: Iterable[Record],
    elsewhere: set[str],
    price: Price | None,
    batch: bool,
    count: Count | None,
    gold: Callable[[], float | None] = lambda: None,
    sent: Sent | None = None,
) -> Estimate:
    """Return what one model's requests for one task and dataset would take.

    Args:
        asked: all dialogues, not begun.
        answers: the records of their journal.
        all_answers: the records of all of the model's journals, in order of name.
        elsewhere: the keys of what other tasks ask, to which those that are left here are added.
        price: None if unknown.
        batch: whether what is left would go in batches.
        count: by the model's own tokenizer; None if it is not here.
        gold: gives the mean tokens of a completion where no journal does.
        sent: of choices by likelihood; None of answers that are written.
    """
    parts: Sent = sent or (lambda request: (request,))
    records, everything = list(answers), list(all_answers)
    done: dict[str, ChatReply] = {}
    for _, reply in (*records, *everything):
        if reply.outcome is not Ending.FAILED:
            done.setdefault(reply.key, reply)
    open_ends = [(dialogue, request) for dialogue in asked if (request := dialogue.replay(done.get)) is not None]
    known = {each.request.key: each.request for dialogue in asked for each in dialogue.exchanged}
    unanswered = {request.key: request for _, request in open_ends}
    left = {key: request for key, request in unanswered.items() if key not in elsewhere}
    elsewhere.update(left)
    shares = went_on(asked)
    after = {
        request.key: (_most_steps(dialogue) - len(dialogue.exchanged) - 1, _expected(dialogue, shares))
        for dialogue, request in open_ends
    }
    following, following_most = sum(share for _, share in after.values()), sum(most for most, _ in after.values())
    here = known.keys() | {reply.key for _, reply in records}
    # A model that only chooses may have written answers before.
    alike = [record for record in everything if sent is None or "answer=likelihood" in record[0]["model"]]
    _, mean_of_task = measured((record for record in alike if record[1].key in here), parts)
    characters, mean_of_all = measured(alike, parts)
    sent_for = {key: parts(request) for key, request in (known | unanswered).items()}
    prompt, counted_by = _prompts([part for key in left for part in sent_for[key]], characters, count)
    # What follows is taken to be as long as what it follows.
    every = [part for key in unanswered for part in sent_for[key]]
    mean_prompt = _prompts(every, characters, count)[0] / max(1, len(unanswered))
    prompt = round(prompt + mean_prompt * following)
    limits = {key: sum(part.max_tokens for part in sent_for[key]) for key in unanswered}
    most = sum(limit * ((key in left) + after[key][0]) for key, limit in limits.items())
    mean = mean_of_task if mean_of_task is not None else mean_of_all
    mean = gold() if mean is None and unanswered else mean
    expected = None if mean is None else round(mean * (len(left) + following))
    if not unanswered or sent is not None:
        expected = most  # none, or as many as are asked for

    def bound(request: ChatRequest) -> float:
        if price is None:
            return 0.0
        canonical, steps = json.loads(request.canonical), after[request.key][0]
        now = [json.loads(part.canonical) for part in sent_for[request.key]] if request.key in left else []
        first = fsum(price.bound(part, batch=batch) for part in now)
        return first + price.bound_of_following(canonical, steps, batch=batch)

    numbers = {key: len(of) for key, of in sent_for.items()}
    return {
        "requests": sum(numbers.values()),
        "answered": sum(numbers[key] for key in known),
        "shared": sum(numbers[key] for key in unanswered if key not in left),
        "left": sum(numbers[key] for key in left),
        "following": round(following),
        "following_most": following_most,
        "prompt_tokens": prompt,
        "counted_by": counted_by,
        "completion_tokens": expected,
        "completion_most": most,
        "cost": None if price is None or expected is None else price.of(prompt, 0, expected, batch=batch),
        "cost_most": None if price is None else fsum(map(bound, unanswered.values())),
        "perhaps": None if price is None else fsum(price.perhaps(*record) for record in records),
        "currency": None if price is None else price.currency,
    }


def went_on(dialogues: Iterable[Dialogue]) -> dict[int, float]:
    """Return the share of dialogues that asked for another reply, by the number of replies."""
    reached: Counter[int] = Counter()
    further: Counter[int] = Counter()
    for dialogue in dialogues:
        replies = len(dialogue.exchanged)
        reached.update(range(1, replies + 1))
        further.update(range(1, replies + (dialogue.asked is not None)))
    return {replies: further[replies] / count for replies, count in reached.items()}


def _expected(dialogue: Dialogue, shares: Mapping[int, float]) -> float:
    """Return how many steps follow the pending one; if the journal has no such dialogue, each is taken to follow."""
    expected, chance = 0.0, 1.0
    for replies in range(len(dialogue.exchanged) + 1, _most_steps(dialogue)):
        chance *= shares.get(replies, 1.0)
        expected += chance
    return expected


def _most_steps(dialogue: Dialogue) -> int:
    return dialogue.plan.most_steps(dialogue.item)


def estimate_texts(texts: Sequence[str], left: Sequence[str], price: Price | None) -> Estimate:
    """Return what encoding texts, with their prompts, by a model behind an interface would take; see ``estimate``.

    ``left`` are those that have no vector yet.
    """
    tokens = round(sum(map(len, left)) / CHARACTERS_A_TOKEN)
    return {
        "requests": len(texts),
        "answered": len(texts) - len(left),
        "shared": 0,
        "left": len(left),
        "following": 0,
        "following_most": 0,
        "prompt_tokens": tokens,
        "completion_tokens": 0,
        "completion_most": 0,
        "counted_by": f"characters / {CHARACTERS_A_TOKEN:.2f}",
        "cost": None if price is None else price.of(tokens, 0, 0, batch=False),
        "cost_most": None if price is None else price.bound_of_texts(left),
        "perhaps": None if price is None else 0.0,
        "currency": None if price is None else price.currency,
    }


def _characters(requests: Iterable[ChatRequest]) -> int:
    return sum(len(message.content) for request in requests for message in request.messages)


def _prompts(left: Sequence[ChatRequest], known: float | None, count: Count | None) -> tuple[int, str]:
    if count is not None:
        return sum(map(count, left)), "tokenizer"
    characters = _characters(left)
    per_token = known or CHARACTERS_A_TOKEN
    return round(characters / per_token), f"{'journal' if known else 'characters'} / {per_token:.2f}"


def total(rows: Sequence[AnyRow], currency: str) -> tuple[float | None, list[str], float]:
    """Return the expected cost in a currency of what is left, tasks that it lacks as unknown, and the highest cost."""
    chosen = [row for row in rows if row["currency"] == currency]
    expected = [row["cost"] for row in chosen if row["cost"] is not None]
    unknown = sorted({row["task"] for row in chosen if row["cost"] is None})
    return fsum(expected) if expected else None, unknown, fsum(row["cost_most"] for row in chosen)
