"""Output of ``nlfol score``: tables for programs, text for people, and the page of the report."""

import json
from collections import Counter
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import polars as pl
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from nlfol.cli.scored import JudgedAnswer, Scored, Wanted
from nlfol.facts import FACTS
from nlfol.logic.boards import in_words
from nlfol.mappings import AnyRow
from nlfol.results.tables import columns
from nlfol.results.tables.headlines import own_errors
from nlfol.results.tables.rendering import defused
from nlfol.results.tables.table import shown
from nlfol.store import files, schemas

_ABOUT = ("dataset", "task", "task_kind", "protocol", "model", "kind", "available")


def write_tables(scored: Scored, folder: Path) -> None:
    """Write each table as CSV, texts defused; a metric is a column ``score:METRIC``, and a counter-model is JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in scored.tables.items():
        rows: Sequence[AnyRow] = table
        scores = [{f"score:{metric}": score for metric, score in row.get("scores", {}).items()} for row in rows]
        flat = [
            {
                name: json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else defused(value)
                for name, value in row.items()
                if name != "scores"
            }
            for row in rows
        ]
        joined = [row | own for row, own in zip(flat, scores, strict=True)]
        pl.DataFrame(joined, infer_schema_length=None).write_csv(folder / f"{name}.csv")


def text_of(scored: Scored, wrong: int) -> str:
    """Return figures, outcomes, faults and so many wrong answers of each task, for people."""
    parts = [_figures(scored.cells), *filter(None, [scored.located]), *own_errors(scored.cells, None)]
    for task in dict.fromkeys(answer["task"] for answer in scored.answers):
        answers = [answer for answer in scored.answers if answer["task"] == task]
        failed = [answer for answer in answers if (answer["scores"][FACTS[task].shown_first] or 0.0) < 1]
        lines = [f"{task}: {len(answers)} answers, {len(failed)} wrong"]
        for name in ("outcome", "verdict", "fault"):
            counts = Counter(str(answer[name]).replace("_", " ") for answer in answers if answer[name] is not None)
            if counts:
                lines.append(f"  {name:<9}{', '.join(f'{word} {count}' for word, count in counts.most_common())}")
        parts += ["\n".join(lines), *map(_told, failed[:wrong])]
    for reason, count in Counter(row["reason"] for row in scored.refused).items():
        first = next(row["detail"] for row in scored.refused if row["reason"] == reason)
        parts.append(f"not used: {count} ({reason.replace('_', ' ')}), the first: {first}")
    return "\n\n".join(parts)


def _figures(cells: Sequence[schemas.CellRow]) -> str:
    texts = columns.texts("task", "presentation", "metric")
    drawn = (*texts, columns.score(), columns.sample(), columns.share("chance"))
    rows = [[shown(column.of(cell)) for column in drawn] for cell in cells]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    kept = [index for index in range(len(drawn)) if any(row[index] != shown(None) for row in rows)]
    for index in kept:
        table.add_column(drawn[index].header, justify=drawn[index].alignment, no_wrap=True)
    for row in rows:
        table.add_row(*(row[index] for index in kept))
    written = StringIO()
    Console(file=written, width=120, highlight=False, markup=False, emoji=False).print(table)
    return "\n".join(line.rstrip() for line in written.getvalue().split("\n") if line.strip())


def _told(answer: JudgedAnswer) -> str:
    """Return a wrong answer beside the gold formula, with its counter-model in words and on a board."""
    given = str(answer["answer"] or answer["formula"] or "")
    if given.isdecimal() and answer["candidates"]:
        given = f"{given}: {answer['candidates'][int(given) - 1]}"
    kind = answer["relation"] or answer["verdict"] or answer["outcome"].replace("answered", "")
    lines = {
        "gold": answer["gold"],
        "answer": given,
        "wrong": ", ".join(word.replace("_", " ") for word in (kind, answer["fault"]) if word),
        "because": answer["detail"],
        "board": "; ".join(map(in_words, answer["board"] or ())),
    }
    text = [f"{answer['item']}  {answer['text']}"]
    text += [f"  {name:<9}{line}" for name, line in lines.items() if line]
    return "\n".join(part.replace("\n", "\n" + " " * 11) for part in text)


def page(wanted: Wanted, scored: Scored, folder: Path) -> str:
    """Return the report of the answers: every item, and the tables of figures that have rows.

    The report reads files, which are written into ``folder``.
    """
    from nlfol.report.answers import read_answers
    from nlfol.report.items import Collection
    from nlfol.report.page import Contents, to_html
    from nlfol.results.analyses.analysis import Given, run
    from nlfol.results.analyses.drawing import build

    collection, of_scores, explained = Collection(), list[Path](), dict[str, Path]()
    for made in scored.made:
        kind, source = made.task.kind, made.model
        parts = ("items", "responses", "scores", "evidence")
        items, responses, scores, evidence = (folder / f"{kind}.{part}.arrow" for part in parts)
        about = {name: str(getattr(source, name) or "") for name in _ABOUT}
        stories = {"items": "stories"} if made.task.joins_stories else {}
        files.write(items, schemas.ITEMS, made.items, about | stories)
        files.write(responses, schemas.RESPONSES, made.responses, about)
        files.write(scores, schemas.SCORES, made.scores, about)
        files.write(evidence, schemas.EVIDENCE, made.evidence, {name: about[name] for name in ("dataset", "task")})
        explained[f"{wanted.dataset}/{kind}"] = evidence
        collection.add_candidates(items)
        collection.add_answers(read_answers(responses, scores, evidence=explained))
        of_scores.append(scores)
    given = Given({"scores": of_scores, "evidence": list(explained.values())})
    tables = {name: folder / f"{name}.arrow" for name in ("cells", "correlations", "faults")}
    for topic in ("scores", "faults"):
        run(topic, given, {path.name: path for path in tables.values()})
    drawn = Given({name: [path] for name, path in tables.items()})
    names = ("logical_translation", "dialogue", "scores", "other_metrics", "faults")
    shown_items, count = len(collection.items["item"]), len(collection.answers["entry"])
    return to_html(
        Contents(
            f"{wanted.file.name} on {wanted.dataset}",
            [table for name in names if (table := build(name, drawn)).rows],
            [],
            collection.as_data(),
            collection.first_task(),
            f"{shown_items:,} items, {count:,} answers.",
            left_out=collection.left_out,
        )
    )
