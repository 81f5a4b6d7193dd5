"""Audit one task's candidate sets over a dataset: candidates -> audits."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.candidates.audit.auditing import any_rendered, audit
from nlfol.candidates.audit.items import Item, PublishedRole
from nlfol.candidates.audit.reports import Tally, report
from nlfol.logic.reading import parse
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.parts import WHOLE, Part, gather, part_of

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


def main(
    candidates: Path,
    *,
    dataset: str,
    task: str,
    output: Path,
    part: Part = WHOLE,
    parts: Sequence[Path] = (),
) -> None:
    """Write ``schemas.AUDITS`` for the candidate sets of one dataset and task.

    What the file says of its members' certificates is not used: all is decided from the formulas.

    Args:
        candidates: the ITEMS file.
        dataset: its name in the configuration.
        task: the task's name.
        output: where the file goes.
        part: of which sets.
        parts: the files of all parts, where they are made and only to be gathered.
    """
    origin = made_from(candidates)
    if parts:
        rows = _added(gather(parts, schemas.AUDITS, origin))
    else:
        usable = [row for row in files.rows(candidates, schemas.ITEMS) if row["status"] == "usable"]
        rows = _rows(list(map(_item, usable)), part, dataset, task)
    files.write(output, schemas.AUDITS, rows, {"dataset": dataset, "task": task, **origin})


def _rows(items: Sequence[Item], part: Part, dataset: str, task: str) -> list[dict[str, Any]]:
    found = report(audit(part.rows(items), reader=partial(parse, propositions=True), rendered=any_rendered(items)))
    tallies = {**{check.value: tally for check, tally in found.checks.items()}, "unknown": found.unknown}
    LOGGER.info(f"{dataset}, {task}: {found.sets_with_faults} of {found.items} candidate sets with faults")
    return [
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


def _added(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row a check, of the parts' rows."""
    checks: dict[str, dict[str, Any]] = {}
    for row in rows:
        found = checks.setdefault(row["check"], row)
        if found is not row:
            found |= {name: found[name] + row[name] for name in ("sets", "items", "pairs", "faults")}
    return list(checks.values())


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
            Path(snakemake.input.items_file),
            dataset=snakemake.wildcards.dataset,
            task=snakemake.wildcards.task,
            output=Path(snakemake.output[0]),
            part=part_of(snakemake.wildcards),
            parts=[Path(part) for part in snakemake.input.get("parts", [])],
        )
