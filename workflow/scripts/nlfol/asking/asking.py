"""What asking has in common for all kinds of models: which items are asked, and the form of their responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from nlfol.randomness import label_digest
from nlfol.store import files, schemas
from nlfol.store.origins import made_from
from nlfol.store.parameters import entry_of
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask


@dataclass(frozen=True, slots=True)
class Offered:
    """The items that a dataset offers for a task: an ITEMS file, read once.

    Attributes:
        items: those that are not refused.
        origin: what the file is, for the metadata of what is made from it.
    """

    items: tuple[Item, ...]
    origin: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read an ITEMS file.

        Raises:
            StoreError: if it is missing or of another schema.
        """
        return cls(tuple(usable_items(path)), made_from(path))


@dataclass(frozen=True, slots=True)
class Asking:
    """One model and one task over one dataset.

    Attributes:
        offered: the items.
        dataset: its name in the configuration.
        task_name: the name of the task's entry in the configuration.
        task: the task.
        model: the model's name in the configuration.
        entry_json: its entry there, as JSON.
        seed: the experiment's seed.
        output: where the RESPONSES file goes.
    """

    offered: Offered
    dataset: str
    task_name: str
    task: AnyTask
    model: str
    entry_json: str
    seed: int
    output: Path

    @classmethod
    def of_job(cls, job: Any) -> Asking:
        """From the ``snakemake`` object of a rule's job."""
        return cls(
            Offered.read(Path(job.input.items_file)),
            job.wildcards.dataset,
            job.wildcards.task,
            build_task(entry_of(job.params, "task")),
            job.wildcards.model,
            entry_of(job.params, "model"),
            job.params.seed,
            Path(job.output[0]),
        )

    @property
    def presentations(self) -> tuple[str, ...]:
        """What candidates are shown as; one empty text where none are shown."""
        shown: tuple[str, ...] = self.task.entry.shown_as
        return shown

    @property
    def label(self) -> str:
        """For messages on progress."""
        return f"{self.model} on {self.dataset}, {self.task_name}"

    def items(self, count: int | None) -> list[Item]:
        """The items to ask: all, or a sample of as many as the model's entry (``count``) and the task's allow."""
        if self.task.asks_all:
            return list(self.offered.items)
        counts = [most for most in (count, self.task.entry.items) if most is not None]
        return sample(self.offered.items, min(counts, default=None), self.seed, self.dataset)

    def seeds(self, seeds: tuple[int, ...]) -> tuple[int, ...]:
        """Those of a model's seeds that are asked under."""
        return seeds[:1] if self.task.asks_all else seeds

    def write(
        self, kind: str, identity: str, rows: Iterable[dict[str, Any]], more: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Write the RESPONSES file.

        Args:
            kind: of the model: chat, embedding, reader or chance.
            identity: the model with its revision.
            rows: made by ``response_row``.
            more: further metadata.
        """
        metadata = {
            "dataset": self.dataset,
            "task": self.task_name,
            "task_kind": self.task.kind,
            "protocol": self.task.entry.sets_protocol or "",
            "model": self.model,
            "kind": kind,
            "identity": identity,
            "available": str(len(self.offered.items)),
            **self.offered.origin,
            **more,
        }
        files.write(self.output, schemas.RESPONSES, rows, metadata)


def usable_items(path: Path) -> list[Item]:
    """The items of an ITEMS file that are not refused."""
    return [Item.from_row(row) for row in files.rows(path, schemas.ITEMS) if row["status"] == "usable"]


def sample(items: Sequence[Item], count: int | None, seed: int, dataset: str) -> list[Item]:
    """A sample of the items, in their order; all of them where ``count`` is None or no smaller than their number.

    The sample depends on the experiment's seed, the dataset and the items alone: models with the same ``count`` are
    asked the same items, a larger ``count`` keeps those of a smaller one, and tasks over the same items share them.
    """
    if count is None or count >= len(items):
        return list(items)
    chosen = sorted(items, key=lambda item: label_digest(seed, dataset, *item.labels, "sample"))[:count]
    kept = {item.item for item in chosen}
    return [item for item in items if item.item in kept]


def response_row(item: Item, presentation: str, **values: Any) -> dict[str, Any]:
    """A row of a RESPONSES file; what ``values`` does not give is null, empty, or of one step that was answered."""
    row = dict.fromkeys(schemas.RESPONSES.names)
    row |= {"item": item.item, "story": item.story, "presentation": presentation, "step": 1, "part": ""}
    return row | {"order": [], "similarities": [], "outcome": "answered"} | values
