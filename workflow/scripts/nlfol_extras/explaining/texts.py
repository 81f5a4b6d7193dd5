"""Origins of a cell of a table, as JSON values and as text."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from nlfol.cli.options import refusing
from nlfol.mappings import JsonDict, JsonObject
from nlfol.validation import printable


def explained(table: Path, rows: Sequence[str], column: str, journal: Path, item: str | None) -> tuple[JsonDict, str]:
    """Return the explanation of a cell, as JSON values and as text; ``typer.BadParameter`` if there is none."""
    from nlfol.results.tables.table import TableError
    from nlfol.store.files import StoreError
    from nlfol_extras.explaining.explanation import explain
    from nlfol_extras.explaining.selection import SelectionError, select

    with refusing(SelectionError, StoreError, TableError):
        explanation = explain(select(table, rows, column), journal, item).as_json()
    # Models' answers hold characters that terminals would obey.
    return explanation, "".join(f"{printable(line)}\n" for line in _explanation(explanation))


def _explanation(report: JsonObject) -> Iterator[str]:
    yield f"{report['table']}, row {report['number']}, column {report['column']}: {report['value'] or '(empty)'}"
    if report["run"]:
        yield f"  run {report['run']}"
    if cell := report["cell"]:
        from nlfol.results.statistics.summary import OUTCOMES

        yield f"  {cell['model']} ({cell['kind']}) in {cell['task']} ({cell['task_kind']}) on {cell['dataset']}"
        shown = f", shown as {cell['presentation']}" if cell["presentation"] else ""
        asked = f"{cell['items']} of {cell['available']} items"
        yield f"  metric {cell['metric'] or '(none)'}{shown}: mean {cell['mean']} over {asked}"
        counts = ", ".join(f"{cell[name]} {name}" for name in OUTCOMES if cell[name])
        yield f"  in {cell['stories']} stories, {cell['seeds']} seeds: {counts or 'no answers'}"
    else:
        yield "  " + ", ".join(f"{name}={value}" for name, value in report["row"].items() if value)
    yield from ("", "made from")
    for link in report["links"]:
        note = f" ({link['note']})" if link["note"] else ""
        yield f"  {'BROKEN' if link['problem'] else 'ok    '} {link['file']} <- {link['origin']}{note}"
        if link["problem"]:
            yield f"         {link['problem']}"
    if report["broken"]:
        yield f"{report['broken']} of {len(report['links'])} links do not hold; items are shown where all do"
    if report["item"]:
        yield ""
        yield from _item(report["item"])


def _item(item: JsonObject) -> Iterator[str]:
    sentence = item["sentence"]
    yield f"item {item['item']}, row {sentence['source_row']} of the source"
    if "source_formula" in sentence:
        yield f"  sentence        {sentence['text']}"
        yield f"  source formula  {sentence['source_formula']}"
        yield f"  gold formula    {item['gold']}"
    else:
        yield from (f"  problem         {line}" for line in sentence["text"].split("\n"))
        yield f"  right answer    {item['gold']}"
    for number, member in enumerate(item["candidates"]):
        yield f"  candidate {number}     {member['role']}: {member['formula']}"
        yield f"                  {member['english']} ({member['certificates']} certificates)"
    for answer in item["answers"]:
        seed = "" if answer["seed"] is None else f"          seed {answer['seed']}"
        yield f"  answer{seed}" + (f", step {answer['step']}: {answer['part']}" if answer["part"] else "")
        yield from (f"    {name:<13} {value}" for name, value in _answer(answer))


def _answer(answer: JsonObject) -> Iterator[tuple[str, str]]:
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
