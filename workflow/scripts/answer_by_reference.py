"""The responses of a reference, which is no language model: one row a step of the task's plan."""

from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking
from nlfol.asking.responses import response_row, write_responses
from nlfol.models.entries.baselines import (
    ConstantEntry,
    DriftingEntry,
    EchoEntry,
    MergingEntry,
    ReaderEntry,
    SurfaceEntry,
)
from nlfol.store.logs import LOGGER, job_log
from nlfol.tasks.item import Item
from nlfol.tasks.plan import NoPrompts, Plan, Setting
from nlfol.tasks.reference import Manner, Reference, dialogue

if TYPE_CHECKING:
    snakemake: Any

_SEED = 0
"""In whose order candidates are shown: the order changes nothing for a reference, which has no seeds."""


def main(asking: Asking) -> None:
    """Write the RESPONSES file of one dataset, task and reference: such as a reader."""
    entry = asking.entry
    if not isinstance(entry, ReaderEntry | SurfaceEntry | EchoEntry | ConstantEntry | DriftingEntry | MergingEntry):
        raise TypeError(f"model {asking.model!r} is no reference")
    items = asking.items(entry.items)
    manner = Manner(
        answer=entry.answer if isinstance(entry, ConstantEntry) else None,
        probability=entry.probability if isinstance(entry, DriftingEntry) else 0.0,
        labels=(asking.seed, asking.dataset),
    )
    reference = asking.task.reference(entry.kind, items, manner)
    plan = asking.task.plan(Setting(asking.dataset, asking.seed, (_SEED,), NoPrompts()))
    shown = asking.task.shown_to(entry.kind)
    rows = [row for presentation in shown for item in items for row in _rows(plan, reference, item, presentation)]
    failed = sum(row["outcome"] == "failed" for row in rows)
    LOGGER.info(f"{asking.label}: {len(rows)} answers, of which {failed} failed")
    write_responses(asking, entry.kind, entry.identity, rows)


def _rows(plan: Plan, reference: Reference, item: Item, presentation: str) -> list[dict[str, Any]]:
    return [
        response_row(
            item,
            presentation,
            step=number,
            part=step.part,
            order=list(step.order),
            outcome=reply.outcome,
            answer=reply.text,
            error=reply.error,
        )
        for number, (step, reply) in enumerate(dialogue(plan, reference, item, presentation, _SEED), start=1)
    ]


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(Asking.of_job(snakemake))
