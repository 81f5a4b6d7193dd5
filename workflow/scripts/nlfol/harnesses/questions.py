"""Questions of a harness: each item of a task under each presentation, as a row that ``nlfol.score`` takes.

Rows are built when a harness loads its tasks, from a dataset's name or a configuration, or read from a run's file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nlfol import __version__
from nlfol.asking.asking import Offered, sample
from nlfol.cli.named import datasets_of, known_datasets, shipped_values
from nlfol.config.reading import read_configuration
from nlfol.data.entry import read_entry
from nlfol.mappings import JsonDict, JsonObject
from nlfol.randomness import SEED
from nlfol.store.canonical import canonical, sha256
from nlfol.store.origins import metadata_at
from nlfol.tasks.building import item_rows, read_source
from nlfol.tasks.registry import TASKS, task_of
from nlfol.tasks.task import AnyTask
from nlfol.validation import nearest, read_yaml


@dataclass(frozen=True)
class Questions:
    """The rows of a task over a dataset; ``task`` is its entry's name, ``refused`` the reasons of items by name."""

    dataset: str
    task: str
    rows: list[JsonDict]
    refused: Mapping[str, str]

    @cached_property
    def version(self) -> str:
        """The version of nlfol and the beginning of the rows' SHA-256: other items are another version."""
        return f"{__version__}+{sha256(canonical(self.rows))[:12]}"


def questions(
    kind: str,
    dataset: str | None = None,
    *,
    config: str | None = None,
    entry: str | None = None,
    items: str | None = None,
    presentation: str | None = None,
    seed: int = 0,
    ontology: Path | None = None,
) -> Questions:
    """Return what a kind of task asks.

    Without a configuration the entry is the kind's with its defaults, and the dataset one that ``nlfol score`` knows,
    or a file, with its ``ontology``; by default the first of ``config.yaml`` that has the task. ``items`` is an ITEMS
    file of a run, whose configuration says the entry. Raises ``ValueError`` or ``OSError``, which names what cannot be
    used.
    """
    values = read_yaml(Path(config)) if config else {}
    about = metadata_at(Path(items)) if items else {}
    task, name = _task(kind, values, entry or about.get("task"))
    experiment_seed = values.get("seed", SEED)
    if items is not None:
        if about.get("task_kind") != kind:
            raise ValueError(f"{items}: items of {about.get('task_kind')}, not of {kind}; name another file or task")
        dataset, offered = about["dataset"], Offered.read(Path(items))
    else:
        known = values["datasets"] if config else known_datasets()
        entries = datasets_of(dataset or _first(task, values or shipped_values("config.yaml")), known, ontology)
        dataset = list(entries)[-1]
        source = read_source(entries, dataset, experiment_seed)
        rows_of_items = item_rows(source, task, experiment_seed)
        offered = Offered.of(rows_of_items, source.gold.refused, stories=task.joins_stories)
    shown_as = task.entry.shown_as
    if presentation is not None and presentation not in shown_as:
        raise ValueError(f"presentation: {presentation!r}; use one of {', '.join(shown_as)}")
    keys = {"task": task.entry.model_dump(mode="json"), "seed": seed, "experiment_seed": experiment_seed}
    rows = [
        {**item.to_row(), **keys, **({"presentation": shown} if shown else {})}
        for shown in (shown_as if presentation is None else (presentation,))
        for item in sample(offered.items, task.entry.items, experiment_seed)
        if shown not in item.unasked
    ]
    if not rows:
        reasons = "; ".join(dict.fromkeys(offered.refused.values()))
        raise ValueError(f"{dataset} has no item for {kind}: {reasons or 'it is empty'}; name another dataset")
    return Questions(dataset, name, rows, offered.refused)


def name_of(row: JsonObject) -> str:
    """Return a name of a row that no other one of a task has: item and presentation."""
    return ":".join(filter(None, (row["item"], row.get("presentation"))))


def _first(task: AnyTask, values: JsonObject) -> str:
    """Return the first dataset of a configuration that a task takes."""
    for name in task.entry.datasets or values["datasets"]:
        block = read_entry(json.dumps(values["datasets"][name]))
        if block.holds in task.takes and (block.original is not None or not task.of_rewritten):
            return str(name)
    raise ValueError(f"no dataset has the task {task.kind}; name one")


def _task(kind: str, values: JsonObject, name: str | None) -> tuple[AnyTask, str]:
    """Return a task and the name of its entry, in a configuration if there is one."""
    if kind not in TASKS:
        raise ValueError(f"no task {kind!r}{nearest(kind, TASKS)}; use one of {', '.join(TASKS)}")
    if not values:
        return task_of(TASKS[kind].entry_type.model_validate({"task": kind})), kind
    entries = read_configuration(values).tasks
    of_kind = [key for key, entry in entries.items() if entry.task == kind and name in (None, key)]
    if not of_kind:
        wanted = kind if name is None else f"{name} of kind {kind}"
        raise ValueError(f"the configuration has no task {wanted}; there is {', '.join(entries)}")
    return task_of(entries[of_kind[0]]), of_kind[0]
