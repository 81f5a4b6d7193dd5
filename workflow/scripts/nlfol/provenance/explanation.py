"""Trace a table cell to its sources, checking every step."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nlfol.analyses.drawing import drawn_from
from nlfol.models.entries.baselines import GUESSERS
from nlfol.models.journal.journal import recorded
from nlfol.provenance import manifest
from nlfol.provenance.items import Files, item_story
from nlfol.provenance.links import Link, link, links
from nlfol.provenance.selection import SCORE_TABLES, Selection, SelectionError, source_of
from nlfol.statistics.summary import OUTCOMES, SummaryError, cells
from nlfol.store import files, schemas
from nlfol.store.files import StoreError
from nlfol.store.origins import metadata_at, origins, place_of
from nlfol.validation import printable


@dataclass(frozen=True, slots=True)
class Explanation:
    """Origin of a cell: links lead from the table back to the sources.

    ``number`` is the row's, from 1; ``run`` the digest of the experiment, None without a manifest; ``cell`` the row of
    CELLS that it shows, None for tables of other rows; ``item`` what became of the item asked for, if every link holds.
    """

    table: str
    number: int
    row: Mapping[str, str]
    column: str
    value: str
    run: str | None
    cell: Mapping[str, Any] | None
    links: list[Link] = field(default_factory=list)
    item: Mapping[str, Any] | None = None

    @property
    def broken(self) -> list[Link]:
        """Return the links that do not hold."""
        return [link for link in self.links if link.problem]

    def as_json(self) -> dict[str, Any]:
        """Return the explanation as JSON values."""
        return {**asdict(self), "broken": len(self.broken)}


def explain(selection: Selection, journal: Path, item: str | None = None) -> Explanation:
    """Explain a cell and one of its items; raises ``SelectionError`` if it holds no figure, or has no such item."""
    results = selection.table.parent.parent
    run, found = _run(selection, results)
    if selection.name in SCORE_TABLES:
        cell, item_said = _of_scores(selection, results, journal, item, found)
    elif item is not None:
        raise SelectionError(f"--item works for the tables {', '.join(SCORE_TABLES)}, not for {selection.name}")
    else:
        cell, item_said = None, None
        for path in _drawn_from(selection, results):
            found.append(Link(str(selection.table), str(path), note="drawn from it"))
            found.extend(_links(path, results))
    return Explanation(
        table=str(selection.table),
        number=selection.number,
        row=dict(selection.row),
        column=selection.column,
        value=selection.value,
        run=run,
        cell=cell,
        links=found,
        item=item_said,
    )


def _run(selection: Selection, results: Path) -> tuple[str | None, list[Link]]:
    """Return the digest of the experiment, and whether the Markdown table names the same one."""
    path, shown = results / "manifest.json", selection.table.with_suffix(".md")
    try:
        run, note = str(manifest.read(path)["digest"]), manifest.note(path)
        named = note in shown.read_text(encoding="utf-8")
    except (manifest.ManifestError, FileNotFoundError) as error:
        return None, [Link(str(shown), str(path), str(error))]
    problem = None if named else f"{shown} was written in another run; run again"
    return run, [Link(str(shown), str(path), problem, note="the run that it names")]


def _drawn_from(selection: Selection, results: Path) -> list[Path]:
    if selection.name == "audit":
        return [place_of(f"audits/{selection.row['dataset']}/{selection.row['task']}", results)]
    first, *others = (results / "tables" / f"{source}.arrow" for source in drawn_from(selection.name))
    # The others are there where the experiment is about what they hold.
    return [first, *(path for path in others if path.is_file())]


def _links(path: Path, results: Path) -> list[Link]:
    try:
        return links(path, results)
    except StoreError as error:
        return [Link(str(path), "?", str(error))]


def _of_scores(
    selection: Selection, results: Path, journal: Path, item: str | None, found: list[Link]
) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """Return the cell and, if wanted, the item; add their links to ``found``."""
    source = source_of(selection)
    path = results / "tables/cells.arrow"
    try:
        cell = source.find(files.rows(path, schemas.CELLS))
    except StoreError as error:
        found.append(Link(str(selection.table), str(path), str(error)))
        return None, None
    found.append(_shown(selection, path, cell, source.field))
    name = f"{cell['dataset']}/{cell['task']}/{cell['model']}"
    of_cell = Files.of(name, results, journal)
    said = origins(metadata_at(path)).get(f"scores/{name}")
    to_scores = link(path, of_cell.scores, said)
    found.append(to_scores)
    if to_scores.problem:
        return cell, None
    back = [_summarised(path, of_cell.scores, cell, results), *_links(of_cell.scores, results)]
    if of_cell.is_journalled and not any(each.problem for each in back):
        back.append(_journalled(of_cell))
    found.extend(back)
    # Files that do not belong together say nothing of an item.
    if item is None or any(each.problem for each in back):
        return cell, None
    return cell, item_story(of_cell, cell, item)


def _shown(selection: Selection, path: Path, cell: Mapping[str, Any], column: str) -> Link:
    """Return whether the table shows the row of CELLS; it leaves out counts of guessers."""
    said = "" if cell[column] is None else str(cell[column])
    same = selection.value == said or (cell["kind"] in GUESSERS and not selection.value)
    problem = None if same else f"{selection.table} shows {selection.value!r} where the cell holds {said!r}; run again"
    return Link(str(selection.table), str(path), problem, note=f"the row's {column}")


def _summarised(path: Path, scores: Path, cell: Mapping[str, Any], results: Path) -> Link:
    """Return whether the scores, with those of the other models and of guessers, sum up to the cell."""
    place = f"scores/{cell['dataset']}/{cell['task']}/"
    try:
        names = origins(metadata_at(path))
        beside = [place_of(name, results) for name in names if name.startswith(place)]
        of_task = f"evidence/{cell['dataset']}/{cell['task']}"
        again = cell in cells(beside, [place_of(name, results) for name in names if name == of_task])
    except (SummaryError, StoreError) as error:
        return Link(str(path), str(scores), str(error))
    problem = None if again else f"{path} holds another summary of these scores than is made of them now; run again"
    return Link(str(path), str(scores), problem, note="summarised again from its rows")


def _journalled(of_cell: Files) -> Link:
    """Return whether the model's journals hold every response as its file does."""
    try:
        rows = files.read(of_cell.responses, schemas.RESPONSES).select(["request", "answer"]).to_pylist()
        lines = recorded(of_cell.journal, {row["request"] for row in rows})
    except StoreError as error:
        return Link(
            str(of_cell.responses), str(of_cell.journal), f"{error}; name the folder of journals with --journal"
        )
    lost = [
        row["request"]
        for row in rows
        if not any(reply.text == row["answer"] for _, _, reply in lines.get(row["request"], ()))
    ]
    problem = None
    if lost:
        problem = f"{of_cell.journal} lacks {len(lost)} of {len(rows)} answers as they are here: {lost[0]} is the first"
        if not of_cell.journal.exists():
            problem += "; no such file; name the folder of journals with --journal"
    return Link(str(of_cell.responses), str(of_cell.journal), problem, note=f"{len(rows)} answers by their requests")


def to_text(explanation: Explanation) -> str:
    """Return an explanation as text, with unprintable characters of models' answers escaped."""
    return "".join(f"{printable(line)}\n" for line in _text(explanation))


def _text(explanation: Explanation) -> Iterator[str]:
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
    for each in explanation.links:
        state = "BROKEN" if each.problem else "ok    "
        yield f"  {state} {each.file} <- {each.origin}{f' ({each.note})' if each.note else ''}"
        if each.problem:
            yield f"         {each.problem}"
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
        place = f"{answer['journal_line']} of {answer['journal']}" if answer["journal"] else "none"
        yield "journal line", place
    if answer["order"]:
        yield "shown order", " ".join(map(str, answer["order"]))
    if answer["similarities"]:
        yield "similarities", " ".join(f"{value:.4f}" for value in answer["similarities"])
    if answer["answer"] is not None:
        yield "answer", json.dumps(answer["answer"], ensure_ascii=False)
    for name, value in (answer["judgement"] or {}).items():
        if value is not None and value != [] and value is not False:
            yield name, json.dumps(value, ensure_ascii=False) if isinstance(value, str | list) else str(value)
