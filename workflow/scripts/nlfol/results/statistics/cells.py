"""Cells of tables: means of scores with their intervals and outcomes, of one scores file after another."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import cast

import polars as pl

from nlfol.facts import AMBIGUOUS, GUESSERS, VERDICTS
from nlfol.results.statistics.above_chance import AboveChance, above_chance
from nlfol.results.statistics.checks import SummaryError, check_complete, check_values
from nlfol.results.statistics.packed import by_question
from nlfol.results.statistics.summary import (
    OUTCOMES,
    SCORED,
    Asked,
    Files,
    Origin,
    by_item,
    clustered,
    deviation,
    guessers_of,
    note,
    over,
    seed_means,
    stream,
)
from nlfol.store import schemas
from nlfol.store.evidence import files_of_evidence
from nlfol.store.origins import metadata_at

_Guesses = dict[tuple[str, str, str], pl.DataFrame]  # by dataset, task and kind


def cells(paths: Iterable[Path], evidence: Iterable[Path] = ()) -> list[schemas.CellRow]:
    """Return ``cells_of`` scores files and EVIDENCE files; raises as ``stream``, or if two hold the same scores."""
    listed, explained = list(paths), files_of_evidence(evidence)
    files_of, asked, guesses, rows = dict[str, Path](), Asked(), _Guesses(), dict[Path, list[schemas.CellRow]]()
    guessers = []  # have a row an item; of the others one file is in memory at a time
    for path in sorted(listed, key=lambda path: metadata_at(path).get("kind") not in GUESSERS):
        source, chunks = stream(path, explained, columns=(*SCORED, "repairs", "liberties", "tied"))
        if source.name in files_of:
            raise SummaryError(f"{path}: {source.name} was already read from {files_of[source.name]}; name it once")
        files_of[source.name] = path
        if source.kind in GUESSERS:
            scores = guesses[source.dataset, source.task, source.kind] = pl.concat(chunks)
            guessers.append((path, source, scores))
            continue
        rows[path] = list(summarise(path, *over(asked, source, chunks), _chance(source, guesses)))
    for path, source, scores in guessers:
        rows[path] = list(summarise(path, *over(asked, source, [scores])))
    return [cell for path in listed for cell in rows[path]]


def cells_of(loaded: Sequence[tuple[Origin, pl.DataFrame]], files_of: Files) -> list[schemas.CellRow]:
    """Return rows of ``schemas.CELLS``, guessers ``over_what_was_asked``; ``files_of`` has files for errors."""
    guesses = {(source.dataset, source.task, source.kind): scores for source, scores in loaded}
    return [
        cell
        for source, scores in over_what_was_asked(loaded)
        for cell in summarise(files_of[source.name], source, [scores], _chance(source, guesses))
    ]


def _chance(source: Origin, guesses: _Guesses) -> pl.DataFrame | None:
    kinds = () if source.kind in GUESSERS else guessers_of(source.kind)
    keys = ((source.dataset, source.task, kind) for kind in kinds)
    return next((guesses[key] for key in keys if key in guesses), None)


def summarise(
    path: Path, source: Origin, chunks: Iterable[pl.DataFrame], chance: pl.DataFrame | None = None
) -> Iterator[schemas.CellRow]:
    """Yield the cells of one scores file: presentations and metrics in the order of their first row.

    ``chunks`` are its rows, some at a time, and ``chance`` those of its guesser in the same dataset and task. Raises
    ``SummaryError`` if a score lies outside [0, 1]; an outcome or verdict is not declared; an item occurs twice or not
    at all at one seed, metric and presentation; or more items were asked than there are.
    """
    last = pl.DataFrame()

    def checked() -> Iterator[pl.DataFrame]:
        nonlocal last
        for last in chunks:
            check_values(path, source.asked.form, source.kind, last)
            yield last

    questions = by_question(checked(), made=_counted)
    if not questions:
        yield _cell(source, "", "", _counted(last), None)
    for presentation in dict.fromkeys(presentation for presentation, _ in questions):
        asked = {metric: rows for (shown, metric), rows in questions.items() if shown == presentation}
        keys = {metric: rows.frame("item", "seed") for metric, rows in asked.items()}
        items = check_complete(path, presentation, keys)
        if items > source.available:
            raise SummaryError(
                f"{path}: {items} items were asked where {source.name} offers {source.available}; judge again"
            )
        for metric, rows in asked.items():
            yield _cell(source, metric, presentation, rows.frame(), chance)


def _counted(rows: pl.DataFrame) -> pl.DataFrame:
    used = "item", "story", "seed", "score", "outcome", "verdict", "fault", "tied"
    return rows.select(*used, repaired=pl.col("repairs").list.len() > 0, opened=pl.col("liberties").list.len() > 0)


def _cell(
    source: Origin, metric: str, presentation: str, answers: pl.DataFrame, chance: pl.DataFrame | None
) -> schemas.CellRow:
    scored = answers.drop_nulls("score")
    means = seed_means(scored)
    mean = None if scored.is_empty() else clustered(by_item(scored))
    above = _above(scored, metric, presentation, chance)
    translated = source.asked.has_verdicts(metric)
    return {
        **source.of_task,
        "model": source.model,
        "kind": source.kind,
        "available": source.available,
        "metric": metric,
        "presentation": presentation,
        "items": scored["item"].n_unique(),
        "stories": scored["story"].n_unique(),
        "seeds": len(means),
        "mean": fmean(means) if means else None,
        "deviation": deviation(means, scored["item"].n_unique()),
        "error": None if mean is None else mean.error,
        "low": None if mean is None else mean.low,
        "high": None if mean is None else mean.high,
        "effective": None if mean is None else mean.effective,
        "chance": None if above is None else above.chance,
        "above": None if above is None else above.mean,
        "above_low": None if above is None else above.low,
        "above_high": None if above is None else above.high,
        **cast("schemas.Outcomes", {name: int((answers["outcome"] == name).sum()) for name in OUTCOMES}),
        **cast("schemas.Verdicts", {v: int((answers["verdict"] == v).sum()) if translated else None for v in VERDICTS}),
        "repaired": int(answers["repaired"].sum()) if translated else None,
        "ambiguous": int((answers["fault"] == AMBIGUOUS).sum()) if translated else None,
        "opened": int(answers["opened"].sum()),
        "tied": int(answers["tied"].sum()),
    }


def _above(answers: pl.DataFrame, metric: str, presentation: str, chance: pl.DataFrame | None) -> AboveChance | None:
    """Return the mean adjusted for chance; None where chance of an item is not known."""
    if chance is None or answers.is_empty():
        return None
    guessed = chance.filter(pl.col("metric") == metric, pl.col("presentation") == presentation)
    items = by_item(answers)
    both = items.join(guessed.select("item", pl.col("score").alias("chance")), on="item", maintain_order="left")
    if both.height != items.height:
        return None
    return above_chance(*(both[name].to_list() for name in ("score", "chance", "story")))


def over_what_was_asked(loaded: Sequence[tuple[Origin, pl.DataFrame]]) -> list[tuple[Origin, pl.DataFrame]]:
    """Return scores files with those of guessers over the items that some model was asked, to stand beside its mean.

    Where no model was asked any in the same dataset and task, guessers are over all.
    """
    asked = Asked()
    for source, scores in loaded:
        note(asked, source, scores)
    return [(source, next(over(asked, source, [scores])[1])) for source, scores in loaded]
