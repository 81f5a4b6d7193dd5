"""Estimate what asking the models would take: candidates and journals -> a table. No model is asked."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking
from nlfol.asking.estimated_texts import glosses_of, texts_of
from nlfol.asking.estimates import MEASURED, Estimator, offered_by, total
from nlfol.mappings import AnyRow
from nlfol.results.tables import columns
from nlfol.results.tables.rendering import RENDERERS
from nlfol.results.tables.table import MISSING, TableForm, shown
from nlfol.store.logs import job_log
from nlfol.tasks.registry import build_task

if TYPE_CHECKING:
    snakemake: Any

Rows = Sequence[AnyRow]
"""Made by ``asking.estimates.Estimator``: one a model, dataset and task."""

_ERROR = "where nothing else is known by 3, for 2.4 to 3.5 that one tokenizer has on prompts of these tasks"


def _sums(_: object, rows: Rows) -> Iterator[str]:
    for currency in sorted({row["currency"] for row in rows if row["currency"]}):
        expected, unknown, most = total(rows, currency)
        without = f" without {', '.join(unknown)}" if unknown and expected is not None else ""
        yield f"Together: {shown(expected)} {currency} expected{without}, {shown(most)} {currency} at most."


def _unpriced(_: object, rows: Rows) -> Iterator[str]:
    if names := sorted({row["model"] for row in rows if row["currency"] is None}):
        yield f"No price is known ({MISSING}) of {', '.join(names)}: state it under price in the model's entry."


FEW = 20
"""Items of the second estimate, of what a first look takes."""

ESTIMATES = TableForm(
    "estimate",
    "What asking would take",
    "Requests of dialogue models, texts for embedding models behind interfaces, and what is left of them.",
    (
        *columns.texts("model", "dataset", "task"),
        *columns.counts("requests", "answered", "shared", "left", "following", "following_most", "prompt_tokens"),
        columns.text("counted_by"),
        columns.count("completion_tokens"),
        columns.count("completion_most", "At most"),
        columns.share("cost"),
        columns.share("cost_most", "At most"),
        columns.share("perhaps"),
        columns.text("currency"),
    ),
    (
        _sums,
        _unpriced,
        "Shared: requests that another task of the model, above, asks; they are answered once, for both.",
        "Following: later steps of dialogues that are left, as many as the journal lets expect, and at most.",
        "Tokens and cost are of what is left: what journal and stores of vectors do not hold yet.",
        "Of a choice by likelihood behind an interface a request is an option: all are answered, or none.",
        "Of an embedding model a request is a text: paid for once, and counted in each task that needs it.",
        "Glosses of answers that are to come are taken to be as many as the concepts of gold formulas, and as long.",
        "English and formulas that are to come, and are asked about, are taken to be as long as those of the items.",
        "Completions are expected to be as long as those in the journal, and at most as long as the limits allow.",
        "Without any there: as gold answers and half of the reasoning are; models that think first write more.",
        "The highest cost is what a budget reserves: a token for each byte of prompt and schema, and the limit.",
        f"Of more than {MEASURED} items of a model without any, {MEASURED} are measured, and stand for the others.",
        f"Prompts are counted by the model's tokenizer where it is here, else by characters a token: {_ERROR}.",
        "Prompt tokens that a provider finds in its cache cost less.",
        "Perhaps: the most that attempts without a reply cost so far, if the provider charges them; more may follow.",
    ),
    (),
    list,
)


def main(rows: Rows, outputs: Mapping[str, Path], few: Rows = ()) -> None:
    """Write the estimates, to the file for each suffix ("csv", "md"); ``few`` are those of few items."""
    table = ESTIMATES.table(rows)
    notes = [f"With items: {FEW} for each model. {line}" for line in _sums(None, few)]
    table = replace(table, notes=(*notes, *table.notes))
    for suffix, path in outputs.items():
        path.write_text(RENDERERS[suffix](table), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        params, output = snakemake.params, Path(snakemake.output[0])
        entries, tasks = params.entries, {name: build_task(entry) for name, entry in params.tasks.items()}
        offered = {
            (dataset, task): offered_by(tasks[task], task, Path(path), params.seed, most)
            for dataset, task, path, most in json.loads(params.pairs)
        }
        weights = {name: Path(path) for name, path in params.weights.items()}
        estimator = Estimator(Path(params.prompts), Path(params.journal), weights)
        asked = [
            Asking(offered[dataset, task], dataset, task, tasks[task], model, entries[model], params.seed, output)
            for dataset, task, model in json.loads(params.jobs)
        ]
        rows = [estimator.of_task(asking) for asking in asked]
        few = []
        if any(len(asking.items(asking.entry.items)) > FEW for asking in asked if not asking.task.asks_all):
            # An estimator takes the requests of earlier tasks for asked: another one must not know them.
            fewer = Estimator(Path(params.prompts), Path(params.journal), weights, most=FEW)
            few = [fewer.of_task(asking) for asking in asked]
        rows += [
            estimator.of_compared(of["dataset"], "rewrites", of["model"], entries[of["model"]], texts_of(of))
            for of in json.loads(params.compared)
        ]
        for of in json.loads(params.glosses):
            texts = glosses_of(tasks[of["task"]], Path(of["items_file"]), params.seed, of["answers"])
            rows.append(estimator.of_compared(of["dataset"], of["task"], of["model"], entries[of["model"]], texts))
        more = rows[len(asked) :] if few else []
        main(rows, {Path(path).suffix.removeprefix("."): Path(path) for path in snakemake.output}, [*few, *more])
