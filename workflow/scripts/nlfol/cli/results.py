"""``nlfol explain`` and ``nlfol verify``: where a cell of a table comes from, and whether a run's files are intact."""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from nlfol.cli.lines import write
from nlfol.cli.options import refusing
from nlfol.validation import printable

KEPT = ("journal", "results")
"""Default folders of an experiment."""


def explained(
    table: Path, rows: Sequence[str], column: str, journal: Path, item: str | None
) -> tuple[dict[str, Any], str]:
    """Return the explanation of a cell, as JSON values and as text; ``typer.BadParameter`` if there is none."""
    from nlfol.provenance.explanation import explain
    from nlfol.provenance.selection import SelectionError, select
    from nlfol.results.tables.table import TableError
    from nlfol.store.files import StoreError

    with refusing(SelectionError, StoreError, TableError):
        explanation = explain(select(table, rows, column), journal, item).as_json()
    # Models' answers hold characters that terminals would obey.
    return explanation, "".join(f"{printable(line)}\n" for line in _explanation(explanation))


def _explanation(said: Mapping[str, Any]) -> Iterator[str]:
    yield f"{said['table']}, row {said['number']}, column {said['column']}: {said['value'] or '(empty)'}"
    if said["run"]:
        yield f"  run {said['run']}"
    if cell := said["cell"]:
        from nlfol.results.statistics.summary import OUTCOMES

        yield f"  {cell['model']} ({cell['kind']}) in {cell['task']} ({cell['task_kind']}) on {cell['dataset']}"
        shown = f", shown as {cell['presentation']}" if cell["presentation"] else ""
        asked = f"{cell['items']} of {cell['available']} items"
        yield f"  metric {cell['metric'] or '(none)'}{shown}: mean {cell['mean']} over {asked}"
        counts = ", ".join(f"{cell[name]} {name}" for name in OUTCOMES if cell[name])
        yield f"  in {cell['stories']} stories, {cell['seeds']} seeds: {counts or 'no answers'}"
    else:
        yield "  " + ", ".join(f"{name}={value}" for name, value in said["row"].items() if value)
    yield from ("", "made from")
    for link in said["links"]:
        note = f" ({link['note']})" if link["note"] else ""
        yield f"  {'BROKEN' if link['problem'] else 'ok    '} {link['file']} <- {link['origin']}{note}"
        if link["problem"]:
            yield f"         {link['problem']}"
    if said["broken"]:
        yield f"{said['broken']} of {len(said['links'])} links do not hold; items are shown where all do"
    if said["item"]:
        yield ""
        yield from _item(said["item"])


def _item(item: Mapping[str, Any]) -> Iterator[str]:
    sentence = item["sentence"]
    yield f"item {item['item']}, row {sentence['source_row']} of the source"
    if "source_formula" in sentence:
        yield f"  sentence        {sentence['text']}"
        yield f"  source formula  {sentence['source_formula']}"
        yield f"  gold formula    {item['gold']}"
    else:
        yield from (f"  problem         {line}" for line in sentence["text"].split("\n"))
        yield f"  right answer    {item['gold']}"
    for place, member in enumerate(item["candidates"]):
        yield f"  candidate {place}     {member['role']}: {member['formula']}"
        yield f"                  {member['english']} ({member['certificates']} certificates)"
    for answer in item["answers"]:
        seed = "" if answer["seed"] is None else f"          seed {answer['seed']}"
        yield f"  answer{seed}" + (f", step {answer['step']}: {answer['part']}" if answer["part"] else "")
        yield from (f"    {name:<13} {value}" for name, value in _answer(answer))


def _answer(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if answer["request"]:
        yield "request", answer["request"]
        yield "journal line", f"{answer['journal_line']} of {answer['journal']}" if answer["journal"] else "none"
    if answer["order"]:
        yield "shown order", " ".join(map(str, answer["order"]))
    if answer["similarities"]:
        yield "similarities", " ".join(f"{value:.4f}" for value in answer["similarities"])
    if answer["answer"] is not None:
        yield "answer", json.dumps(answer["answer"], ensure_ascii=False)
    for name, value in (answer["judgement"] or {}).items():
        if value is not None and value != [] and value is not False:
            yield name, json.dumps(value, ensure_ascii=False) if isinstance(value, str | list) else str(value)


def verified(folders: Sequence[Path]) -> bool:
    """Write a line for each fault, and a count; return whether there is none. ``typer.BadParameter`` for no folder."""
    from nlfol.provenance.intactness import Looked, faults

    looked, found = Looked(), 0
    through = _looked_through(folders)
    beside = [folder.parent / "journal" for folder in through]
    journals = next((folder for folder in [*beside, Path("journal")] if folder.is_dir()), None)

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal found
        for folder in through:
            for fault in faults(folder, looked, journals):
                found += 1
                yield asdict(fault)

    write(rows())
    if not looked.files:
        raise typer.BadParameter("no journal, vectors or results there; name the folder that holds them")
    sys.stderr.write(f"{looked.files} files, {looked.lines} lines of journals: {found} faults\n")
    for place, count in Counter(path.parent for path in looked.others).items():
        sys.stderr.write(f"not checked: {place} ({count} file{'' if count == 1 else 's'})\n")
    if journals is None:
        sys.stderr.write("not checked: whether journals have the answers of results, as there is no folder journal\n")
    return not found


def _looked_through(folders: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise typer.BadParameter(f"no folder {folder}; name one that holds journals or results")
        found += [folder / name for name in KEPT if (folder / name).is_dir()] or [folder]
    return found
