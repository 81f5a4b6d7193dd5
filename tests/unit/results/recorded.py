"""Small recorded responses, written for tests: four sentences in three stories, every outcome, every kind of model.

Two dialogue models under two seeds: alpha, which thinks, and beta, the same model without thinking; an embedding model,
the reader and the guessers. Under seed 3 candidates are shown in their order, under seed 12 in the reverse of it.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.stored import stored

from nlfol.asking.asking import Asking, Offered
from nlfol.asking.responses import response_row, write_responses
from nlfol.facts import GUESSERS
from nlfol.models.entries.prices import Price
from nlfol.store import files, schemas
from nlfol.store.schemas import ResponseRow
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask

ITEMS = {
    "a:0": ("Tom is a cat or sleeps.", "Cat(tom) ∨ Sleeps(tom)"),
    "a:1": ("Tom sleeps.", "Sleeps(tom)"),
    "b:0": ("Tom is a cat.", "Cat(tom)"),
    "c:0": ("Every cat sleeps.", "∀x (Cat(x) → Sleeps(x))"),
}

ONTOLOGY: dict[str, Any] = {
    "predicates": [
        {"name": "Cat", "arity": 1, "positive": "{} is a cat", "negative": "{} is not a cat"},
        {"name": "Sleeps", "arity": 1, "positive": "{} sleeps", "negative": "{} does not sleep"},
    ],
    "functions": [],
    "constants": [{"name": "tom", "meaning": "Tom"}],
    "derived": False,
    "alphabet": "",
    "noun": "thing",
}

CATEGORIES = {"a:0": (1, "S ∨ S"), "a:1": (0, "S"), "b:0": (0, "S"), "c:0": (1, "∀ (S → S)")}
"""Categories as if generated: number of operators, and tree without vocabulary."""

PERTURBATIONS = {"a:0": 2, "a:1": 1, "b:0": 1, "c:0": 3}
"""Perturbations of most similar."""

CORRECTION = {
    "kinds": ["symbol"],
    "reason": "He sleeps.",
    "evidence": "It says so.",
    "published": "Cat(tom)",
    "symbols": None,
}
"""Correction of the gold formula of a:1."""

FIGURES = """\
table,dataset,task,metric,presentation,model,second,mean,deviation,items
2,toy,logical_translation,equivalence,,alpha,,0.2,0.1,50
2,elsewhere,logical_translation,equivalence,,alpha,,0.2,0.1,50
3,toy,most_similar,accuracy,english,beta,,0.375,,50
4,toy,ranking,negation,english,embedding,,0.75,,
5,toy,logical_translation,correlation_le,,alpha,,0.5,,
8,toy,most_similar_and_ranking,both,english,alpha,,0.5,,
9,toy,most_similar,second_only,english,alpha,beta,0.5,,
9,toy,most_similar,second_only,formula,alpha,beta,0.5,,
9,toy,most_similar,second_only,english,beta,alpha,0.5,,
F,toy,,kinds,,,,2.5,,
9,toy,,items,,,,10000,,
9,toy,,trees,,,,8550,,
9,toy,,trees_share,,,,0.85,,
"""
"""Figures as if published; two of them are of a dataset and of a presentation that there is not."""

RANKED = ("gold", "equivalent", "perturbation", "negation", "negation_normal_form")
"""The members of the ranking sets, which a:0 and c:0 have; the others are refused."""

Said = object
"""An answer; or an outcome in angle brackets, where there is none; or text that is no answer, in bars."""

TRANSLATIONS: dict[str, dict[int, list[Said]]] = {
    # In the order of ITEMS.
    "alpha": {
        3: ["Cat(tom) ∨ Sleeps(tom)", "¬Sleeps(tom)", "Cat(tom)", "∀x (Cat(x) ∧ Sleeps(x))"],
        12: ["Cat(tom)", "|I do not know.|", "<truncated>", "∃x (Cat(x) → Sleeps(x))"],
    },
    "beta": {
        3: ["<empty>", "Dog(tom)", "Sleeps(tom)", "Cat(x) → Sleeps(x)"],
        12: ["<blank>", "Sleeps(tom, tom)", "<refused>", "<failed>"],
    },
}

CHOICES: dict[str, dict[int | None, list[Said]]] = {
    "alpha": {3: [1, 1, 2, 1], 12: [3, 1, 5, "<truncated>"]},
    "beta": {3: [2, 1, 1, 2], 12: [1, 2, "<refused>", "<failed>"]},
    "reader": {None: [1, 1, 1, 1]},
}

ORDERS: dict[str, dict[int | None, list[Said]]] = {
    "alpha": {3: [[1, 2, 3, 4, 5], [2, 1, 4, 3, 5]], 12: [[5, 4, 3, 2, 1], "<blank>"]},
    "beta": {3: [[3, 1, 2, 4, 5], [1, 2, 3, 4, 4]], 12: ["<empty>", [5, 4, 1, 2, 3]]},
    "reader": {None: [[1, 2, 3, 4, 5], [2, 1, 3, 5, 4]]},
}

SIMILARITIES = {
    "most_similar": [[0.5, 0.5, 0.1], [0.9, 0.1], [0.1, 0.9], [0.3, 0.3, 0.3, 0.3]],
    "ranking": [[0.9, 0.8, 0.5, 0.2, 0.1], [0.5, 0.5, 0.5, 0.1, 0.1]],
}

PRICE = Price(currency="EUR", prompt=1, cached=0.5, completion=2, batch=0.5)
"""Price of alpha; that of beta is unknown."""

ANSWERS: dict[str, dict[str, Any]] = {
    "logical_translation": TRANSLATIONS,
    "most_similar": CHOICES,
    "ranking": ORDERS,
}

MODELS = {
    "logical_translation": ("alpha", "beta", "chance"),
    "most_similar": ("alpha", "beta", "embedding", "reader", "chance", "reasoner"),
    "ranking": ("alpha", "beta", "embedding", "reader", "chance", "reasoner"),
}


def task_of(kind: str) -> AnyTask:
    """The task, which shows candidates in English alone."""
    shown = {} if kind == "logical_translation" else {"presentations": ["english"], "protocol": "audited"}
    return build_task(json.dumps({"task": kind, **shown}))


def write(folder: Path) -> list[tuple[str, str]]:
    """Write ``{task}.arrow`` (candidates) and ``{task}.{model}.arrow`` (responses); the task and model of each."""
    for task in MODELS:
        _write_candidates(folder / f"{task}.arrow", task)
    asked = [(task, model) for task, models in MODELS.items() for model in models]
    for task, model in asked:
        _write_responses(folder, task, model)
    return asked


def _write_candidates(path: Path, task: str) -> None:
    rows = []
    for item, (text, formula) in ITEMS.items():
        refused = task == "ranking" and item in ("a:1", "b:0")
        roles: Sequence[str] = ()
        if task == "most_similar":
            roles = ("gold", *["perturbation"] * PERTURBATIONS[item])
        elif task == "ranking" and not refused:
            roles = RANKED
        fate = {"status": "refused", "reason": "no_equivalent", "detail": f"{formula} has none"} if refused else {}
        about = {"text": text, "formula": formula, "ontology": ONTOLOGY}
        members = [_member(role, formula, text) for role in roles]
        rows.append(stored(schemas.ITEMS, item=item, candidates=members, **about, **fate))
    protocol = "" if task == "logical_translation" else "audited"
    files.write(path, schemas.ITEMS, rows, {"dataset": "toy", "task": task, "task_kind": task, "protocol": protocol})


def _member(role: str, formula: str, text: str) -> dict[str, Any]:
    made = {"perturbation": (1, ["connective"]), "equivalent": (0, ["de_morgan"])}.get(role, (0, []))
    row = {"formula": formula, "english": text, "role": role, "certificates": []}
    return row | {"edits": made[0], "change": made[1], "path": [""] * len(made[1])}


def _write_responses(folder: Path, task: str, model: str) -> None:
    shown = "" if task == "logical_translation" else "english"
    path = folder / f"{task}.{model}.arrow"
    offered = Offered.read(folder / f"{task}.arrow")
    asking = Asking(offered, "toy", task, task_of(task), model, "{}", 7, path)
    items = list(offered.items)
    if model in GUESSERS:
        write_responses(asking, model, model, [response_row(item, shown) for item in items])
    elif model == "embedding":
        compared = zip(items, SIMILARITIES[task], strict=True)
        rows = [response_row(item, shown, similarities=similarities) for item, similarities in compared]
        write_responses(asking, "embedding", "made up", rows)
    else:
        kind = "reader" if model == "reader" else "chat"
        thinking = {"alpha": "yes", "beta": "no"}.get(model)
        more = {"thinking": thinking, "apart_from_thinking": "made up"} if thinking else {}
        if kind == "chat":
            more["price"] = PRICE.model_dump_json() if model == "alpha" else "null"
        answered = _said(items, shown, task, ANSWERS[task][model], priced=model == "alpha")
        write_responses(asking, kind, f"{model}, made up", answered, more)


def _said(
    items: list[Item], shown: str, task: str, answers: dict[int | None, list[Said]], *, priced: bool
) -> Iterator[ResponseRow]:
    for seed, said in answers.items():
        for item, answer in zip(items, said, strict=True):
            order = list(range(len(item.members)))
            shown_order = order[::-1] if seed == 12 else order
            took = {} if seed is None or answer == "<failed>" else _took(seed, priced=priced)
            request = None if seed is None else f"{task} {item.item} {seed}"
            yield response_row(item, shown, seed=seed, order=shown_order, request=request, **took, **_answer(answer))


def _took(seed: int, *, priced: bool) -> dict[str, Any]:
    """A hundred tokens of prompt and ten of completion; at seed 12 in a batch, and nothing was in the cache."""
    cached, batch = (40, None) if seed == 3 else (0, "batch-1")
    tokens = {"prompt_tokens": 100, "cached_tokens": cached, "completion_tokens": 10, "reasoning_tokens": 4}
    cost = PRICE.of(100, cached, 10, batch=batch is not None) if priced else None
    return {**tokens, "seconds": 0.5, "batch": batch, "cost": cost}


def _answer(said: Said) -> dict[str, Any]:
    if isinstance(said, str) and said.startswith("<"):
        return {"outcome": said.strip("<>"), "answer": None}
    if isinstance(said, str) and said.startswith("|"):
        return {"answer": said.strip("|")}
    return {"answer": json.dumps({"reasoning": "It says so.", "answer": said}, ensure_ascii=False)}
