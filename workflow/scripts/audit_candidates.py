"""Audit one task's candidate sets over a dataset: candidates -> audits."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from nlfol.logic import Formula, read_decided
from nlfol.logic.reading.strict import parse
from nlfol.sets.audit import any_rendered, audit, audit_rows, item_of, report
from nlfol.store import files, schemas
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from, metadata_at
from nlfol.store.parts import WHOLE, Part
from nlfol.store.schemas import AuditRow


def main(items_file: Path, *, dataset: str, task: str, output: Path, part: Part = WHOLE) -> None:
    """Write the AUDITS file of an ITEMS file, decided from the formulas alone: its certificates are not used."""
    origin = made_from(items_file)
    if part.made:
        rows = _added(part.gathered(AuditRow, origin))
    else:
        items = [item_of(row) for row in files.rows(items_file, schemas.ItemRow) if row["status"] == "usable"]
        # Released formulas are as their authors wrote them.
        as_released = metadata_at(items_file).get("protocol") == "released"
        reader = _tolerantly if as_released else partial(parse, propositions=True)
        counted = report(audit(part.rows(items), reader=reader, rendered=any_rendered(items)))
        LOGGER.info(f"{dataset}, {task}: {counted.sets_with_faults} of {counted.items} candidate sets with faults")
        rows = audit_rows(counted, dataset, task)
    files.write(output, schemas.AUDITS, rows, {"dataset": dataset, "task": task, **origin})


def _read_tolerantly(text: str) -> Formula:
    return read_decided(text).formula


def _tolerantly(text: str) -> Formula:
    return read_decided(text).formula


def _added(rows: Iterable[AuditRow]) -> list[AuditRow]:
    """Add up the parts' rows of each check."""
    checks: dict[str, AuditRow] = {}
    for row in rows:
        total = checks.setdefault(row["check"], row)
        if total is not row:
            total["sets"] += row["sets"]
            total["items"] += row["items"]
            total["pairs"] += row["pairs"]
            total["faults"] = total["faults"] + row["faults"]
    return list(checks.values())


if __name__ == "__main__":
    run_job(main)
