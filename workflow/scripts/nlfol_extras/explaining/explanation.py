"""Trace a table cell to its sources by the origins that files record, and show one of its items."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl
import pyarrow.compute as pc

from nlfol.mappings import JsonDict, JsonObject
from nlfol.models.journal.journal import recorded
from nlfol.provenance.links import Link, links
from nlfol.provenance.manifest import ManifestError, note, read
from nlfol.store import files, schemas
from nlfol.store.evidence import with_evidence
from nlfol.store.origins import place_of
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.schemas import CellRow
from nlfol_extras.explaining.selection import SCORE_TABLES, Selection, SelectionError, cell_of

_JUDGED = (
    *("score", "outcome", "verdict", "means", "relation", "fault", "detail", "formula", "repairs", "ambiguities"),
    *("position", "tied"),
)
_SENTENCE = ("story", "index", "text", "source_formula", "repairs")
_ANSWER = ("seed", "step", "part", "order", "request", "served_model", "answer", "similarities")


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
    cell: JsonObject | None
    links: list[Link]
    item: JsonObject | None

    @property
    def broken(self) -> list[Link]:
        """Return the links that do not hold."""
        return [link for link in self.links if link.problem]

    def as_json(self) -> JsonDict:
        """Return the explanation as JSON values."""
        return {**asdict(self), "broken": len(self.broken)}


def explain(selection: Selection, journals: Path, item: str | None = None) -> Explanation:
    """Explain a cell and one of its items; raises ``SelectionError`` if it holds no figure, or has no such item.

    Raises ``StoreError`` for unreadable files of rows.
    """
    table = selection.table
    results = table.parent.parent
    shown = table.with_suffix(".md")
    path = results / "manifest.json"
    try:
        run = str(read(path)["digest"])
        problem = (
            None
            if note(path) in shown.read_text(encoding="utf-8")
            else f"{shown} was written in another run; run again"
        )
        all_links = [Link(str(shown), str(path), problem, note="the run that it names")]
    except (ManifestError, FileNotFoundError) as error:
        run, all_links = None, [Link(str(shown), str(path), str(error))]
    cell: JsonObject | None = None
    history: JsonObject | None = None
    if selection.name in SCORE_TABLES:
        rows = results / "tables/cells.arrow"
        cell, column = cell_of(selection, files.rows(rows, CellRow))
        held = "" if cell[column] is None else str(cell[column])
        # Tables leave out counts of guessers.
        differs = selection.value not in ("", held)
        problem = f"{table} shows {selection.value!r} where the cell holds {held!r}; run again" if differs else None
        pair = f"{cell['dataset']}/{cell['task']}"
        name = f"{pair}/{cell['model']}"
        all_links.append(Link(str(table), str(rows), problem, note=f"the row's {column}"))
        all_links += links(rows, results, only=(f"scores/{name}", f"evidence/{pair}"), journals=journals)
        # Files that do not belong together say nothing of an item.
        if item is not None and not any(link.problem for link in all_links):
            history = item_history(name, cell, item, results, journals)
    elif item is not None:
        raise SelectionError(f"--item works for the tables {', '.join(SCORE_TABLES)}, not for {selection.name}")
    else:
        for rows in selection.drawn_from:
            all_links += [Link(str(table), str(rows), note="drawn from it"), *links(rows, results)]
    row, number = dict(selection.row), selection.number
    return Explanation(str(table), number, row, selection.column, selection.value, run, cell, all_links, history)


def item_history(name: str, cell: JsonObject, item: str, results: Path, journals: Path) -> JsonDict:
    """Return an item from its row of the dataset to its scores in one cell of a ``dataset/task/model``, as JSON values.

    Raises ``SelectionError`` with the reason if it is none of the cell's, ``StoreError`` for unreadable files.
    """
    dataset, task, model = name.split("/")
    stages = (f"problems/{dataset}", f"sentences/{dataset}", f"items/{dataset}/{task}", f"evidence/{dataset}/{task}")
    answered = (f"responses/{name}", f"scores/{name}")
    problems, sentences, items, evidence, *others = (place_of(stage, results) for stage in (*stages, *answered))
    source, schema = (problems, PROBLEMS) if problems.is_file() else (sentences, schemas.SENTENCES)
    wanted = (schema, schemas.ITEMS, schemas.RESPONSES, schemas.SCORES)
    rows, candidates, responses, scores = map(files.read, (source, items, *others), wanted)
    listed = rows.to_pylist()
    known_by = "story" if files.metadata_of(candidates).get("items") == "stories" else "item"
    index = next((number for number, row in enumerate(listed) if row[known_by] == item), None)
    if index is None:
        raise SelectionError(f"{source}: no item {item!r}; an example of one is {listed[0][known_by]}")
    is_of_item = pc.field("item") == item
    is_of_cell = is_of_item & (pc.field("presentation") == cell["presentation"])
    offered = next(iter(candidates.filter(is_of_item).to_pylist()), None)
    asked = sorted(responses.filter(is_of_cell).to_pylist(), key=lambda row: int(row["step"]))
    if offered is None or not asked:
        why = "it has no ontology" if offered is None else "it is not of the sample that was asked"
        for row in (listed[index], offered or {}):
            if row.get("status") == "refused":
                why = f"it was refused ({row['reason']}): {row['detail']}"
                break
        raise SelectionError(f"item {item!r} is not one of the {cell['items']} of this cell: {why}")
    of_metric = pl.DataFrame(scores.filter(is_of_cell & (pc.field("metric") == cell["metric"])))
    metric = with_evidence(of_metric, evidence if evidence.is_file() else None).to_dicts()
    judged = {row["seed"]: {name: row[name] for name in _JUDGED} for row in metric}
    keys = {row["request"] for row in asked if row["request"] is not None}
    lines = recorded(journals / model / f"{dataset}.{task}.jsonl", keys) if keys else {}
    answers = []
    for seed in dict.fromkeys(row["seed"] for row in asked):
        of_seed = [row for row in asked if row["seed"] == seed]
        for row in of_seed:
            kept = (line for line in lines.get(row["request"], ()) if line[2].text == row["answer"])
            journal, line, _ = next(kept, (None, None, None))
            answer = {name: row[name] for name in _ANSWER} | {"journal": journal and journal.name, "journal_line": line}
            # A dialogue is judged as a whole, after its last step.
            answers.append(answer | {"judgement": judged.get(seed) if row is of_seed[-1] else None})
    sentence = {name: listed[index][name] for name in _SENTENCE if name in listed[index]}
    if schema is PROBLEMS or known_by == "story":
        sentence["text"] = offered["text"]
    return {
        "item": item,
        "sentence": {"source_row": index + 1, **sentence},
        "gold": offered["formula"],
        "candidates": [
            {name: member[name] for name in ("role", "formula", "english")}
            | {"certificates": len(member["certificates"] or ())}
            for member in offered["candidates"]
        ],
        "answers": answers,
    }
