"""``nlfol diff RUN RUN … -o FOLDER``: several runs on one page of the report, and what changed from each to the next.

A model of a run is called ``MODEL (RUN)`` there. Scores are those of each run; differences are those of ``diff``, of
equal items alone, their p adjusted by Holm's method for all comparisons of the page.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import polars as pl

from nlfol.facts import FACTS
from nlfol.provenance.manifest import read
from nlfol.report.answers import read_answers
from nlfol.report.items import Collection
from nlfol.report.page import Contents, to_html
from nlfol.results.statistics.differences import holm
from nlfol.results.statistics.summary import COMPARED
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number
from nlfol.results.tables.rendering import RENDERERS
from nlfol.results.tables.table import Cell, Column, Kind, P, Score, Table
from nlfol.store.evidence import files_of_evidence
from nlfol.store.files import StoreError, read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import CELLS, ITEMS
from nlfol.validation import shortened
from nlfol_extras.commands.diff import Compared, diff

_KEY = ("dataset", "task", "presentation", "metric", "model")
_LEVEL = 0.05
_NOTES = (
    "Scores: over all items of the run, with the interval at 95 % (clusters: stories).",
    "Difference: over the items that both runs asked and that are equal in text and gold; bold if adjusted p < 0.05.",
    "Adjusted p: by flips of stories, adjusted by Holm's method for all differences of this table.",
)

Key = tuple[str, str, str, str, str]
Runs = Mapping[str, Path]
"""Folders of results by the name of the run."""


def named(folders: Sequence[Path]) -> Runs:
    """Return the folders by the name of the folder of each run, with their number where two have the same."""
    names = [[part for part in path.resolve().parts if part != "results"][-1] for path in folders]
    if len(set(names)) < len(names):
        names = [f"{name} {number}" for number, name in enumerate(names, 1)]
    return dict(zip(names, folders, strict=True))


def write_runs(runs: Runs, output: Path) -> Path:
    """Write the page and its tables as files of their own; return the page. Raises ``StoreError`` as ``diff``."""
    tables = [compared(runs), set_ups(runs)]
    collection = _items(runs)
    (output / "tables").mkdir(parents=True, exist_ok=True)
    for table in tables:
        for suffix in ("csv", "md", "tex"):
            path = output / f"tables/{table.name}.{suffix}"
            path.write_text(RENDERERS[suffix](table), encoding="utf-8", newline="\n")
    page = output / "report/index.html"
    page.parent.mkdir(exist_ok=True)
    items, task = collection.as_data(), collection.first_task()
    text = to_html(Contents(f"Runs: {', '.join(runs)}", tables, [], items, task, "", left_out=collection.left_out))
    page.write_text(text, encoding="utf-8", newline="\n")
    return page


def compared(runs: Runs) -> Table:
    """Return a row for each question and model, with the score of each run and the difference to the run before."""
    scores = {name: dict(_scores(folder)) for name, folder in runs.items()}
    keys = list(dict.fromkeys(key for of_run in scores.values() for key in of_run))
    changes: dict[str, dict[Key, Compared]] = {}
    for (_, before), (name, after) in pairwise(runs.items()):
        told = {_key(row): row for row in diff(before, after).questions if row["round"] == 1 and row["items"]}
        changes[name] = {key: told[key] for key in keys if key in told}
    every = [row for of_run in changes.values() for row in of_run.values()]
    for row, adjusted in zip(every, holm([row["p"] for row in every]), strict=True):
        row["adjusted"] = adjusted
    drawn: list[tuple[Column, list[Cell]]] = [
        (column, [key[place] or None for key in keys]) for place, column in enumerate(columns.texts(*_KEY))
    ]
    for name, of_run in scores.items():
        drawn.append((Column(f"score: {name}", f"{name}: score", Kind.SCORE), [of_run.get(key) for key in keys]))
        if name in changes:
            found = [changes[name].get(key) for key in keys]
            drawn += [
                (
                    columns.difference(f"difference: {name}", f"{name}: difference"),
                    [row and _difference(row) for row in found],
                ),
                (columns.p(f"adjusted: {name}", f"{name}: adjusted p"), [row and P(row["adjusted"]) for row in found]),
                (columns.count(f"items: {name}", f"{name}: equal items"), [row and row["items"] for row in found]),
            ]
    heads, cells = zip(*drawn, strict=True)
    title, caption = "Runs beside one another", "Score of each model in each run, and the difference to the run before."
    return Table(
        "runs", title, caption, heads, tuple(zip(*cells, strict=True)), _NOTES, opens=partial(_opened, list(runs))
    )


def _key(row: Compared) -> Key:
    return row["dataset"], row["task"], row["presentation"], row["metric"], row["model"]


def _difference(row: Compared) -> Score:
    return Score(row["difference"], None, row["low"], row["high"], row["adjusted"] < _LEVEL)


def _opened(names: Sequence[str], number: Number) -> Filter | None:
    """Choose the answers of a run, of a difference those of both runs to one item."""
    what, _, run = number.column.partition(": ")
    if run not in names:
        return None
    both = [f"{number.row['model']} ({name})" for name in names[: names.index(run) + 1][-2:]]
    return {**number.named(*_KEY), **({"model": both[-1]} if what == "score" else {"model": both, "common": "model"})}


def _scores(folder: Path) -> Iterator[tuple[Key, Score | None]]:
    path = folder / "tables/cells.arrow"
    if not path.is_file():
        raise StoreError(f"{path}: no such file; name the results of a finished run")
    for row in read_frame(path, CELLS).to_dicts():
        if row["kind"] in COMPARED and row["metric"] == FACTS[row["task_kind"]].shown_first and row["items"]:
            yield (row["dataset"], row["task"], row["presentation"], row["metric"], row["model"]), columns.score_of(row)


def set_ups(runs: Runs) -> Table:
    """Return what the manifests of runs say otherwise of experiment, software and code, a row each."""
    drawn = (columns.text("key", "What"), *(Column(f"run: {name}", name, Kind.PROSE) for name in runs))
    rows = tuple(_changed([_set_up(folder) for folder in runs.values()]))
    return Table(
        "set_up", "What changed in the set-up", "By the manifests of the runs.", drawn, rows, nothing="Nothing."
    )


def _set_up(folder: Path) -> dict[str, object]:
    manifest = read(folder / "manifest.json")
    environment = manifest["environment"]
    software = {name: environment.get(name) for name in ("packages", "python", "git", "engines")}
    return {**manifest["experiment"], "software": software}


def _changed(said: Sequence[object], place: str = "") -> Iterator[tuple[str | None, ...]]:
    """Yield the smallest parts in which values differ, as their place and a text for each."""
    mappings = [one for one in said if isinstance(one, Mapping)]
    if len(mappings) == len(said):
        for name in sorted({name for one in mappings for name in one}):
            yield from _changed([one.get(name) for one in mappings], f"{place} · {name}".removeprefix(" · "))
    elif any(one != said[0] for one in said):
        yield place, *(None if one is None else shortened(one) for one in said)


def _items(runs: Runs) -> Collection:
    """Return the answers of all runs; a dataset whose items are not those of a run before has a name of its own."""
    collection, known = Collection(), dict[tuple[str, str], pl.DataFrame]()
    for name, folder in runs.items():
        evidence = files_of_evidence((folder / "evidence").rglob("*.arrow"))
        for path in sorted((folder / "scores").rglob("*.arrow")):
            about, responses = metadata_at(path), folder / "responses" / path.relative_to(folder / "scores")
            if about["kind"] not in COMPARED or not responses.is_file():
                continue
            dataset, task = about["dataset"], about["task"]
            items = folder / "items" / dataset / f"{task}.arrow"
            frame = read_frame(items, ITEMS)
            if not known.get((dataset, task), frame).equals(frame):
                dataset = f"{dataset} ({name})"
            if (dataset, task) not in known:
                known[dataset, task] = frame
                collection.add_candidates(items, dataset)
            answers = read_answers(responses, path, evidence=evidence)
            told = replace(answers.source, model=f"{answers.source.model} ({name})", dataset=dataset)
            collection.add_answers(replace(answers, source=told))
    return collection
