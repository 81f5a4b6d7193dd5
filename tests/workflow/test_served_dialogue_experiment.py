"""A real dialogue model here and behind an interface: SmolLM2 over the loopback writes what it writes here."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import yaml
from tests.unit.models.chat_server import ChatServer
from tests.unit.models.served_chat import Served
from tests.workflow.checkout import ROOT, Checkout, configuration, interface

from nlfol.asking.asking import usable_items
from nlfol.models.api.probing import QUESTION
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.local.chat import LocalChat
from nlfol.store import files, schemas
from nlfol.tasks.entry import FormulaLimits
from nlfol.tasks.registry import build_task

LIMITS = FormulaLimits(formula=24)
REASONING = 4
"""Length of the strings of answers."""

ASKED: dict[str, Any] = {
    "sampling": {"temperature": 0.0, "top_p": 1.0},
    "limits": {"tokens": 60},
    "seeds": [3],
    "items": 1,
}
SMOLLM2 = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"]["smollm2-135m"] | ASKED
TASKS = ("logical_translation",)


def written(checkout: Checkout, task: str, model: str) -> list[tuple[Any, ...]]:
    rows = files.rows(checkout.folder / f"results/responses/mine/{task}/{model}.arrow", schemas.RESPONSES)
    names = ("item", "presentation", "order", "outcome", "answer", "prompt_tokens", "completion_tokens")
    return [tuple(row[name] for name in names) for row in rows]


def test_served_model_writes_same_answers_as_local(checkout: Checkout) -> None:
    values = configuration(here=SMOLLM2)
    values["tasks"]["logical_translation"] |= {"limits": {"formula": LIMITS.formula}, "reasoning": REASONING}
    checkout.configure(values)
    checkout.run(*[f"results/responses/mine/{task}/here.arrow" for task in TASKS])

    model = LocalChat(LocalChatEntry.model_validate(SMOLLM2), Path(checkout.folder, "results/weights/here"))
    with ChatServer(every=Served(model, LIMITS, REASONING)) as server:
        values["models"]["served"] = interface(server.url, model="smollm2", timeout=3600.0, **ASKED)
        checkout.configure(values)
        run = checkout.run(*[f"results/responses/mine/{task}/served.arrow" for task in TASKS])
    # The job asked first whether answers are held to their schema.
    assert (Counter(text == QUESTION for text in server.asked), run.jobs["ask_api"]) == ({True: 1, False: 1}, 1)

    for task in TASKS:
        here = written(checkout, task, "here")
        assert written(checkout, task, "served") == here
        assert [outcome for _, _, _, outcome, *_ in here] == ["answered"]
        built = build_task(json.dumps({"task": task}))
        items = {item.item: item for item in usable_items(checkout.folder / f"results/items/mine/{task}.arrow")}
        for item, _, _, _, answer, *_ in here:
            built.check(items[item], "", answer)
