"""Documents of lm-eval's tasks, and the scores of a reply.

The tasks of ``lm_eval/*.yaml`` give a kind; ``--metadata '{"dataset": "folio"}'`` the other options of ``questions``.
Those of likelihood ask what generation does, but for reasoning, and lm-eval chooses the likeliest of the options that
``answer: likelihood`` has (``nlfol.models.likelihood``).
"""

import json
from collections.abc import Sequence
from math import isnan
from typing import Any

import nlfol
from nlfol.harnesses.questions import Questions, name_of, questions
from nlfol.installed import needed_by
from nlfol.mappings import JsonDict, JsonObject
from nlfol.models.likelihood import options_of
from nlfol.tasks.item import Item
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.registry import build_task

OPTIONS = ("dataset", "config", "entry", "items", "presentation", "seed")


def dataset(kind: str, *, plain: bool = False, likelihood: bool = False, **metadata: Any) -> Any:
    """Return the documents of a kind of task, as a split ``test``.

    Raises ``ValueError`` as ``questions`` does, and if a dialogue may have several steps: lm-eval asks once; or if a
    choice by likelihood is to be plain. Raises ``ChatError`` if it is none among options.
    """
    if plain and likelihood:
        raise ValueError(f"nlfol_{kind}_likelihood compares JSON objects and reads none; leave plain out")
    from datasets import Dataset  # comes with lm-eval

    with needed_by(f"nlfol_{kind}"):
        asked = questions(kind, **{name: metadata[name] for name in OPTIONS if name in metadata})
    task = build_task(json.dumps(asked.rows[0]["task"]))
    plan = task.plan(Setting(asked.rows[0]["experiment_seed"], NoPrompts()))
    if any(plan.most_steps(Item.from_row(row)) > 1 for row in asked.rows):
        raise ValueError(
            f"{kind}: a later question depends on the reply to an earlier one, and lm-eval asks once; use "
            f"`inspect eval nlfol/{kind}` or nlfol run"
        )
    return {"test": Dataset.from_list([document(row, plain, asked, likelihood=likelihood) for row in asked.rows])}


def process_results(document: JsonObject, replies: Sequence[str]) -> dict[str, float]:
    """Return the scores of a reply, and ``read``: whether it had the form that was asked for."""
    judged = nlfol.score(json.loads(document["row"]), replies[0], plain=document["plain"])
    scores = {name: score for name, score in judged.scores.items() if not isnan(score)}
    return {**scores, "read": float(judged.outcome == "answered")}


def document(row: JsonObject, plain: bool, asked: Questions, *, likelihood: bool = False) -> JsonDict:
    """Return a row as a document: what is asked first, the gold answer, and the row itself as JSON text.

    For a choice by likelihood nothing is asked about reasoning, and there are the options and the place of the right
    one; raises ``ChatError`` if the task is none.
    """
    if likelihood:
        row = {**row, "task": {**row["task"], "reasoning": 0}}
    question = nlfol.dialogue(row, plain=plain)
    assert question is not None
    first, *others = (message["content"] for message in question.messages)
    options = options_of(question.schema) if likelihood else ()
    right = [place for place, option in enumerate(options) if next(iter(nlfol.score(row, option).scores.values()))]
    return {
        "name": name_of(row),
        **{name: row[name] for name in ("item", "story", "formula")},
        "system": first,
        "user": "\n\n".join(others),
        "plain": plain,
        "version": asked.version,
        "dataset": asked.dataset,
        "task": asked.task,
        "order": json.dumps(question.order),
        "row": json.dumps(row, ensure_ascii=False),
        **({"options": list(options), "right": right[0]} if likelihood else {}),
    }
