"""The items that a model is asked about, of one task over one dataset."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from nlfol.data.gold import gold_in, refusal
from nlfol.data.reason import Fate
from nlfol.models.providers.registry import ModelEntry, read_entry
from nlfol.randomness import label_digest
from nlfol.store import files, schemas
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.parameters import entry_of
from nlfol.store.parts import WHOLE, Part
from nlfol.store.schemas import ItemRow
from nlfol.tasks.item import Item, Member
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask


@dataclass(frozen=True, slots=True)
class Offered:
    """The items that a dataset offers for a task, and why it refuses others, by item: an ITEMS file, read once."""

    items: tuple[Item, ...]
    origin: Mapping[str, str]
    refused: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read an ITEMS file; raises ``StoreError`` if it is missing or of another schema."""
        about = metadata_at(path)
        stories = about.get("items") == "stories"
        return cls.of(files.rows(path, ItemRow), gold_in(about), made_from(path), stories=stories)

    @classmethod
    def of(
        cls,
        rows: Sequence[ItemRow],
        gold: Iterable[Fate],
        origin: Mapping[str, str] = MappingProxyType({}),
        *,
        stories: bool = False,
    ) -> Self:
        """Return the items of rows of ITEMS, and those that the dataset refuses, by ``stories`` if these are items."""
        of_task = {row["item"]: row["reason"] for row in rows if row["status"] == "refused"}
        known = {row["item"] for row in rows}
        refused = {item: f"the task refuses the item: {reason}" for item, reason in of_task.items()}
        for fate in gold:
            item = fate.story if stories else fate.item
            if item not in known:
                refused.setdefault(item, f"the dataset refuses its gold row: {refusal(fate)}")
        usable = tuple(Item.from_row(row) for row in rows if row["status"] == "usable")
        return cls(usable, origin, refused)

    @property
    def available(self) -> int:
        """The number of items that the dataset's source has, refused ones included."""
        return len(self.items) + len(self.refused)


@dataclass(frozen=True, slots=True)
class Asking:
    """One model and one task over one dataset: their names, and the model's entry, as the configuration has them.

    ``output`` is where the RESPONSES file goes; ``part`` the part of the items that is asked about, by their names.
    """

    offered: Offered
    dataset: str
    task_name: str
    task: AnyTask
    model: str
    entry_json: str
    seed: int
    output: Path
    part: Part = WHOLE

    @classmethod
    def of_job(cls, job: Any) -> Self:
        """Read what a Snakemake job asks from its inputs, wildcards and parameters."""
        return cls(
            Offered.read(Path(job.input.items_file)),
            job.wildcards.dataset,
            job.wildcards.task,
            build_task(entry_of(job.params, "task")),
            job.wildcards.model,
            entry_of(job.params, "model"),
            job.params.seed,
            Path(job.output[0]),
            Part.of_job(job),
        )

    @property
    def entry(self) -> ModelEntry:
        """The model's entry."""
        return read_entry(self.entry_json)

    @property
    def presentations(self) -> tuple[str, ...]:
        """The forms in which candidates are shown; one empty text if none are shown."""
        shown: tuple[str, ...] = self.task.entry.shown_as
        return shown

    def asked(self, presentations: Iterable[str], items: Iterable[Item]) -> list[tuple[str, Item]]:
        """Return what is asked: presentations, each with those of the items that it can be asked about."""
        return [(shown, item) for shown, item in product(presentations, items) if shown not in item.unasked]

    @property
    def label(self) -> str:
        """Model, dataset and task, for messages on progress."""
        return f"{self.model} on {self.dataset}, {self.task_name}"

    def items(self, count: int | None) -> list[Item]:
        """Return the items to ask: its part of all, or of a sample of as many as model (``count``) and task allow."""
        counts = [most for most in (count, self.task.entry.items) if most is not None]
        most = None if self.task.asks_all else min(counts, default=None)
        return [item for item in sample(self.offered.items, most, self.seed) if self.part.has(item.item)]

    def seeds(self, seeds: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of a model's seeds that are asked under."""
        return seeds[:1] if self.task.asks_all else seeds[: self.task.entry.runs]


def usable_items(path: Path) -> list[Item]:
    """Read the items of an ITEMS file that are not refused."""
    table = files.read(path, schemas.ITEMS)
    # Candidates are most of a file: by columns they are read in half of the time that they take as rows.
    candidates: Any = table["candidates"].combine_chunks()
    columns = [candidates.flatten().field(name).to_pylist() for name in ("formula", "english", "role", "change")]
    members = map(Member, *columns[:3], map(tuple, columns[3]))
    rows, counts = table.drop_columns(["candidates"]).to_pylist(), candidates.value_lengths().to_pylist()
    listed = [(row, [*islice(members, count)]) for row, count in zip(rows, counts, strict=True)]
    return [Item.from_row(row, own) for row, own in listed if row["status"] == "usable"]


def sample(items: Sequence[Item], count: int | None, seed: int) -> list[Item]:
    """Return a sample of the items, in their order; all if ``count`` is None or no smaller than their number.

    The sample depends on the experiment's seed and the items' sources alone: published and corrected gold have the same
    one, as have problems and their rewordings. Models with the same ``count`` are asked the same items, a larger
    ``count`` keeps those of a smaller one, and tasks over the same items share them.
    """
    if count is None or count >= len(items):
        return list(items)
    kept = {item.item for item in nested(items, seed)[:count]}
    return [item for item in items if item.item in kept]


def nested(items: Iterable[Item], seed: int) -> list[Item]:
    """Return items in the order in which samples take them."""
    return sorted(items, key=lambda item: label_digest(seed, item.source, "sample"))
