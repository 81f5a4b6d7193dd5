"""An explanation as text for reading."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from nlfol.provenance.explanation import Explanation
from nlfol.statistics.summary import OUTCOMES


def to_text(explanation: Explanation) -> str:
    """Return an explanation as text, with unprintable characters of models' answers escaped."""
    return "".join(f"{_printable(line)}\n" for line in _lines(explanation))


def _printable(line: str) -> str:
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in line)


def _lines(explanation: Explanation) -> Iterator[str]:
    place = f"{explanation.table}, row {explanation.number}, column {explanation.column}"
    yield f"{place}: {explanation.value or '(empty)'}"
    if explanation.run:
        yield f"  run {explanation.run}"
    if explanation.cell:
        yield from _cell(explanation.cell)
    else:
        yield "  " + ", ".join(f"{name}={value}" for name, value in explanation.row.items() if value)
    yield ""
    yield "made from"
    for link in explanation.links:
        state = "BROKEN" if link.problem else "ok    "
        yield f"  {state} {link.file} <- {link.origin}{f' ({link.note})' if link.note else ''}"
        if link.problem:
            yield f"         {link.problem}"
    if explanation.broken:
        yield f"{len(explanation.broken)} of {len(explanation.links)} links do not hold; items are shown where all do"
    if explanation.item:
        yield ""
        yield from _item(explanation.item)


def _cell(cell: Mapping[str, Any]) -> Iterator[str]:
    yield f"  {cell['model']} ({cell['kind']}) in {cell['task']} ({cell['task_kind']}) on {cell['dataset']}"
    shown = f", shown as {cell['presentation']}" if cell["presentation"] else ""
    asked = f"{cell['items']} of {cell['available']} items"
    yield f"  metric {cell['metric'] or '(none)'}{shown}: mean {cell['mean']} over {asked}"
    counts = ", ".join(f"{cell[name]} {name}" for name in OUTCOMES if cell[name])
    yield f"  in {cell['stories']} stories, {cell['seeds']} seeds: {counts or 'no answers'}"


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
        which = "" if answer["seed"] is None else f"          seed {answer['seed']}"
        yield f"  answer{which}" + (f", step {answer['step']}: {answer['part']}" if answer["part"] else "")
        yield from (f"    {name:<13} {value}" for name, value in _answer(answer))


def _answer(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if answer["request"]:
        yield "request", answer["request"]
        yield "journal line", str(answer["journal_line"] or "none")
    if answer["order"]:
        yield "shown order", " ".join(map(str, answer["order"]))
    if answer["similarities"]:
        yield "similarities", " ".join(f"{value:.4f}" for value in answer["similarities"])
    if answer["answer"] is not None:
        yield "answer", json.dumps(answer["answer"], ensure_ascii=False)
    for name, value in (answer["judgement"] or {}).items():
        if value is not None and value != [] and value is not False:
            yield name, json.dumps(value, ensure_ascii=False) if isinstance(value, str | list) else str(value)
