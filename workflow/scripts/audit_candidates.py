"""Audit one task's candidate sets over a dataset: candidates -> audits."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.candidates.audit import any_rendered, audit, audit_rows, item_of, report
from nlfol.logic.reading import parse
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log
from nlfol.store.origins import made_from
from nlfol.store.parts import WHOLE, Part, gather, part_of

if TYPE_CHECKING:
    snakemake: Any


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

    The certificates of the file are not used: all is decided from the formulas.

    Args:
        candidates: the ITEMS file.
        dataset: its name in the configuration.
        task: the task's name.
        output: the AUDITS file.
        part: of the sets.
        parts: the files of all parts, if these are to be gathered.
    """
    origin = made_from(candidates)
    if parts:
        rows = _added(gather(parts, schemas.AUDITS, origin))
    else:
        items = [item_of(row) for row in files.rows(candidates, schemas.ITEMS) if row["status"] == "usable"]
        reader = partial(parse, propositions=True)
        counted = report(audit(part.rows(items), reader=reader, rendered=any_rendered(items)))
        LOGGER.info(f"{dataset}, {task}: {counted.sets_with_faults} of {counted.items} candidate sets with faults")
        rows = audit_rows(counted, dataset, task)
    files.write(output, schemas.AUDITS, rows, {"dataset": dataset, "task": task, **origin})


def _added(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the parts' rows up, one for each check."""
    checks: dict[str, dict[str, Any]] = {}
    for row in rows:
        total = checks.setdefault(row["check"], row)
        if total is not row:
            total |= {name: total[name] + row[name] for name in ("sets", "items", "pairs", "faults")}
    return list(checks.values())


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
