"""Audit one task's candidate sets over a dataset: candidates -> audits."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.candidates.audit.auditing import audit
from nlfol.candidates.audit.items import Item, PublishedRole
from nlfol.candidates.audit.reports import Tally, report
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from

if TYPE_CHECKING:
    snakemake: Any

_ROLES = {
    "gold": PublishedRole.PHI,
    "perturbation": PublishedRole.PERTURBATION,
    "equivalent": PublishedRole.EQUIVALENT,
    "negation": PublishedRole.NEGATION,
    "negation_normal_form": PublishedRole.NEGATION_NNF,
    "negation_equivalent": PublishedRole.NEGATION_EQUIVALENT,
}


def main(candidates: Path, *, dataset: str, task: str, output: Path) -> None:
    """Write ``schemas.AUDITS`` for the candidate sets of one dataset and task.

    What the file says of its members' certificates is not used: all is decided anew from the formulas.

    Args:
        candidates: the CANDIDATES file.
        dataset: its name in the configuration.
        task: the task's name.
        output: where the file goes.
    """
    usable = [row for row in files.rows(candidates, schemas.CANDIDATES) if row["status"] == "usable"]
    found = report(audit(map(_item, usable)))
    tallies = {**{check.value: tally for check, tally in found.checks.items()}, "unknown": found.unknown}
    LOGGER.info(f"{dataset}, {task}: {found.sets_with_faults} of {found.items} candidate sets with faults")
    rows = [
        {
            "dataset": dataset,
            "task": task,
            "sets": found.items,
            "check": name,
            "items": tally.items,
            "pairs": tally.pairs,
            "faults": _faults(tally),
        }
        for name, tally in tallies.items()
    ]
    files.write(output, schemas.AUDITS, rows, {"dataset": dataset, "task": task, **made_from(candidates)})


def _item(row: Mapping[str, Any]) -> Item:
    members = row["candidates"]
    return Item(
        row["item"],
        tuple(member["formula"] for member in members),
        tuple(map(_role, members)),
        tuple(member["english"] for member in members),
    )


def _role(member: Mapping[str, Any]) -> PublishedRole:
    if member["role"] == "perturbation" and member["edits"] == 2:
        return PublishedRole.PERTURBATION_TWO_EDITS
    return _ROLES[member["role"]]


def _faults(tally: Tally) -> list[dict[str, Any]]:
    return [
        {
            "item": found["id"],
            "members": found["members"],
            "formulas": found["formulas"],
            "detail": detail if isinstance(detail := found["detail"], str) else json.dumps(detail),
        }
        for found in tally.examples()
    ]


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            Path(snakemake.input.candidates),
            dataset=snakemake.wildcards.dataset,
            task=snakemake.wildcards.task,
            output=Path(snakemake.output[0]),
        )
