"""What asking has in common for all kinds of models: which items are asked, and the form of their responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from nlfol.candidates.randomness import label_digest
from nlfol.store import files, schemas
from nlfol.store.origins import made_from
from nlfol.tasks.specification import Protocol, TaskKind
from nlfol.tasks.task import Item


@dataclass(frozen=True, slots=True)
class Asking:
    """One model and one task over one dataset.

    Attributes:
        candidates: the ITEMS file.
        dataset: its name in the configuration.
        task: the name of the task's entry in the configuration.
        presentations: what candidates are shown as; one empty text where none are shown.
        model: the model's name in the configuration.
        entry_json: its entry there, as JSON.
        seed: the experiment's seed.
        output: where the RESPONSES file goes.
    """

    candidates: Path
    dataset: str
    task: str
    presentations: tuple[str, ...]
    model: str
    entry_json: str
    seed: int
    output: Path

    @classmethod
    def of_job(cls, job: Any) -> Asking:
        """From the ``snakemake`` object of a rule's job."""
        return cls(
            Path(job.input.items_file),
            job.wildcards.dataset,
            job.wildcards.task,
            tuple(job.params.presentations),
            job.wildcards.model,
            job.params.entry,
            job.params.seed,
            Path(job.output[0]),
        )

    @property
    def task_kind(self) -> TaskKind:
        """The kind of the task, as the candidates' file gives it."""
        said = self._about["task_kind"]
        return next(kind for kind in get_args(TaskKind) if kind == said)

    @property
    def protocol(self) -> Protocol | None:
        """The protocol of the candidate sets; None where there are none."""
        said = self._about["protocol"]
        return next((protocol for protocol in get_args(Protocol) if protocol == said), None)

    @property
    def _about(self) -> dict[str, str]:
        return files.metadata_of(files.read(self.candidates, schemas.ITEMS))

    @property
    def label(self) -> str:
        """For messages on progress."""
        return f"{self.model} on {self.dataset}, {self.task}"

    def items(self, count: int | None) -> list[Item]:
        """The items to ask: all usable ones, or a sample of ``count`` of them."""
        return sample(self._available(), count, self.seed, self.dataset)

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
        about = self._about
        metadata = {
            "dataset": self.dataset,
            **{name: about[name] for name in ("task", "task_kind", "protocol")},
            "model": self.model,
            "kind": kind,
            "identity": identity,
            "available": str(len(self._available())),
            **made_from(self.candidates),
            **more,
        }
        files.write(self.output, schemas.RESPONSES, rows, metadata)

    def _available(self) -> list[Item]:
        return usable_items(self.candidates)


def usable_items(candidates: Path) -> list[Item]:
    """The items of a ITEMS file that are not refused."""
    return [Item.from_row(row) for row in files.rows(candidates, schemas.ITEMS) if row["status"] == "usable"]


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
    """A row of a RESPONSES file; what ``values`` does not give is null, empty, or the outcome ``answered``."""
    row = dict.fromkeys(schemas.RESPONSES.names)
    row |= {"item": item.item, "story": item.story, "presentation": presentation}
    return row | {"order": [], "similarities": [], "outcome": "answered"} | values
