"""Answer by a baseline, which is no language model: a guesser, or a reference that follows the task's plan."""

from collections.abc import Iterator

from nlfol.asking.asking import Asking
from nlfol.asking.responses import response_row, write_responses
from nlfol.facts import GUESSERS
from nlfol.models.entries.baselines import BaselineEntry, CoderEntry, ConstantEntry, DriftingEntry
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.schemas import ResponseRow
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.reference import Manner, dialogue

_SEED = 0
"""The order in which candidates are shown has a seed; it changes nothing for a reference."""


def main(asking: Asking) -> None:
    """Write the RESPONSES file of one dataset, task and baseline; guessers give an empty answer to each question."""
    entry = asking.entry
    if not isinstance(entry, BaselineEntry):
        raise TypeError(f"model {asking.model!r} is no baseline")
    if entry.kind in GUESSERS:
        asked = asking.asked(asking.presentations, asking.items(entry.items))
        rows = [response_row(item, presentation) for presentation, item in asked]
    else:
        rows = list(_reference_rows(asking, entry))
        failed = sum(row["outcome"] == "failed" for row in rows)
        LOGGER.info(f"{asking.label}: {len(rows)} answers, of which {failed} failed")
    write_responses(asking, entry.kind, entry.identity, rows)


def _reference_rows(asking: Asking, entry: BaselineEntry) -> Iterator[ResponseRow]:
    items = asking.items(entry.items)
    manner = Manner(
        answer=entry.answer if isinstance(entry, ConstantEntry) else None,
        probability=entry.probability if isinstance(entry, DriftingEntry) else 0.0,
        labels=(asking.seed,),
        **({"coding": entry.coding} if isinstance(entry, CoderEntry) else {}),
    )
    reference = asking.task.reference(entry.kind, items, manner)
    plan = asking.task.plan(Setting(asking.seed, NoPrompts()))
    for presentation, item in asking.asked(asking.task.shown_to(entry.kind), items):
        for number, (step, reply) in enumerate(dialogue(plan, reference, item, presentation, _SEED), start=1):
            yield response_row(
                item,
                presentation,
                step=number,
                part=step.part,
                order=list(step.order),
                outcome=reply.outcome,
                answer=reply.text,
                error=reply.error,
            )


if __name__ == "__main__":
    run_job(main)
