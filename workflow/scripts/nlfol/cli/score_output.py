"""Output of ``nlfol score``: tables for programs, text for people, and the page of the report."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import polars as pl
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from nlfol import __version__
from nlfol.cli.scored import JudgedAnswer, Made, Scored, Wanted
from nlfol.facts import FACTS
from nlfol.logic.boards import in_words
from nlfol.mappings import AnyRow
from nlfol.results.statistics.summary import Origin
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


class Ranking(NamedTuple):
    """Words of a page of ranked models beside figures: each model in words, and its costs in US dollars.

    ``date`` is of the last answer, empty if it is not known, ``digest`` of all answers; ``left_out`` says what else
    there was.
    """

    title: str
    digest: str
    date: str
    models: Mapping[str, str]
    dollars: Mapping[str, float]
    left_out: Sequence[str]


def page(judged: Sequence[tuple[Wanted, Scored]], folder: Path, ranking: Ranking | None = None) -> str:
    """Return the report of judged files of answers: every item, and the tables of figures that have rows.

    With a ``ranking``, models are ranked, and guessers stand beside them. The report reads files, which are written
    into ``folder``.
    """
    from nlfol.report.answers import read_answers
    from nlfol.report.items import Collection
    from nlfol.report.page import Contents, to_html
    from nlfol.report.summary import summary
    from nlfol.results.analyses.analysis import Given, run
    from nlfol.results.analyses.drawing import build
    from nlfol.results.analyses.registry import TOPICS
    from nlfol.results.tables.headlines import standings

    collection, explained = Collection(), _evidence(judged, folder)
    files_of = _files(judged, folder, guesses=ranking is not None)
    for path in files_of["items"]:
        collection.add_candidates(path)
    for responses, scores in zip(files_of["responses"], files_of["scores"], strict=False):  # guessers are the last
        collection.add_answers(read_answers(responses, scores, evidence=explained))
    given = Given({**files_of, "evidence": list(explained.values())})
    topics = ["scores", "faults"]
    if ranking is not None:
        topics += ["comparisons", *(["verification"] if files_of["verification_scores"] else [])]
    tables = {name: folder / f"{name}.arrow" for topic in topics for name in TOPICS[topic].files}
    for topic in topics:
        run(topic, given, {path.name: path for path in tables.values()})
    drawn = Given({name: [path] for name, path in tables.items()})
    names = ("logical_translation", "dialogue", "scores", "other_metrics", "faults")
    shown_items, count = len(collection.items["item"]), len(collection.answers["entry"])
    ranked = None
    title = f"{judged[0][0].file.name} on {judged[0][0].dataset}"
    if ranking is not None:
        title = ranking.title
        cells, ranks, verified = (drawn.frame(name).to_dicts() for name in ("cells", "ranks", "verifications"))
        unknown = dict.fromkeys(("requests", "prompt_tokens", "completion_tokens"))
        about = {
            "written": ranking.date,
            "answers": {name: {**unknown, "cost": cost} for name, cost in ranking.dollars.items()},
            "prices": {name: {"currency": "USD"} for name in ranking.dollars},
            "packages": {"nlfol": __version__},
            "git": None,
        }
        manifest = {"digest": ranking.digest, "experiment": {"models": ranking.models}, "environment": about}
        ranked = summary(cells, standings(cells, ranks, verified), {}, manifest, items=shown_items, answers=count)
    return to_html(
        Contents(
            title,
            [table for name in names if (table := build(name, drawn)).rows],
            [],
            collection.as_data(),
            collection.first_task(),
            f"{shown_items:,} items, {count:,} answers.",
            ranked,
            left_out=[*(ranking.left_out if ranking else ()), *collection.left_out],
        )
    )


def _evidence(judged: Sequence[tuple[Wanted, Scored]], folder: Path) -> dict[str, Path]:
    """Write the evidence of each dataset and task, once for each pair; return the files by "dataset/task"."""
    pairs: dict[tuple[str, str], dict[str, schemas.EvidenceRow]] = {}
    for _, scored in judged:
        for made in scored.made:
            of_task = pairs.setdefault((made.model.dataset, made.model.task), {})
            of_task.update((row["pair"], row) for row in made.evidence)
    paths = {}
    for (dataset, task), rows in pairs.items():
        paths[f"{dataset}/{task}"] = path = folder / dataset / f"{task}.evidence.arrow"
        files.write(path, schemas.EVIDENCE, list(rows.values()), {"dataset": dataset, "task": task})
    return paths


def _files(judged: Sequence[tuple[Wanted, Scored]], folder: Path, *, guesses: bool) -> dict[str, list[Path]]:
    """Write items once for each dataset and task, responses and scores of each model, and scores of ``guesses``."""
    paths: dict[str, list[Path]] = {name: [] for name in ("items", "responses", "scores")}
    paths |= {"verification_items": [], "verification_scores": []}
    guessed: dict[Path, tuple[Made, dict[str, list[schemas.ScoreRow]]]] = {}
    for made in (made for _, scored in judged for made in scored.made):
        about, task = _about(made.model), made.model.task
        items, responses, scores = (
            folder / made.model.dataset / f"{task}.{name}.arrow"
            for name in ("items", f"{made.model.model}.responses", f"{made.model.model}.scores")
        )
        if items not in paths["items"]:
            files.write(
                items, schemas.ITEMS, made.items, about | ({"items": "stories"} if made.task.joins_stories else {})
            )
            paths["items"].append(items)
            if made.task.weakest_counts:
                paths["verification_items"].append(items)
        files.write(responses, schemas.RESPONSES, made.responses, about)
        files.write(scores, schemas.SCORES, made.scores, about)
        paths["responses"].append(responses)
        paths["scores"].append(scores)
        if made.task.weakest_counts:
            paths["verification_scores"].append(scores)
        _, shown = guessed.setdefault(items.with_suffix(f".{made.guesser.model}.arrow"), (made, {}))
        for presentation, rows in groupby(made.guesses, lambda row: row["presentation"]):
            shown.setdefault(presentation, list(rows))
    for path, (made, shown) in guessed.items():
        if guesses and shown:
            files.write(path, schemas.SCORES, [row for rows in shown.values() for row in rows], _about(made.guesser))
            paths["scores"].append(path)
    return paths


def _about(source: Origin) -> dict[str, str]:
    return {name: str(getattr(source, name) or "") for name in _ABOUT}
