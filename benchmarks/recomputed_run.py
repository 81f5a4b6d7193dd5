"""Files of a finished run, and cells of tables as plain values, for ``recomputed_tables``.

Nothing of nlfol is imported.
"""

from __future__ import annotations

import csv
import json
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
from benchmarks.recomputed_statistics import Estimate, difference, mean

OUTCOMES = ("answered", "unparsable", "truncated", "empty", "blank", "refused", "failed", "internal_error")
COMPARED = ("chat", "embedding")
GUESSERS = ("chance", "reasoner")
UNREASONED = ("surface", "medoid", "words", "order", "learner")
"""Kinds of models that prove nothing, and stand below others."""

EXACT = (*GUESSERS, "constant", "reader")
"""Kinds of models whose scores have no interval: they follow from the items and the design."""

PRIMARY = {
    "logical_translation": "equivalence",
    "most_similar": "accuracy",
    "ranking": "both",
    "round_trip": "truth_uncopied",
    "verification": "right",
    "question_answering": "right",
    "program": "right",
    "ontology_extraction": "anchored",
}
"""The primary metric of each kind of task: its first (docs/configuration.md, docs/round-trip.md, docs/problems.md)."""

BESIDE = {"most_similar": "accuracy", "ranking": "equivalence"}
"""The metrics by which the two are held against one another, as in the paper's table 8."""

BLIND = "blind_"
"""Beginning of the names of presentations in which the sentence is withheld."""

NO_SEED = -1
"""Stands for the seed of models without randomness, so that joins find it."""

Shown = Mapping[str, str]
"""A row of a table."""

Cells = dict[str, Any]
"""Values of a row by the columns of its table."""


class NoSuchRowError(ValueError):
    """A row of a table of which the files of stages have nothing."""


@dataclass(frozen=True)
class Recomputed:
    """Recipe of a table: the columns that identify a row, its other cells, and families of p-values."""

    key: tuple[str, ...]
    cells: Callable[[Run, Shown], Cells]
    family: Callable[[Run, Shown], object] | None
    left_out: Mapping[str, str]
    without: tuple[str, ...]


TABLES: dict[str, Recomputed] = {}


def table(
    name: str, key: str, family: Callable[[Run, Shown], object] | None = None, without: str = "", **left_out: str
) -> Callable[[Callable[[Run, Shown], Cells]], Callable[[Run, Shown], Cells]]:
    """Enter a function from a row to its cells as the recomputation of a table.

    Args:
        name: of the table.
        key: columns that identify a row, which are not compared.
        family: from a row to its family, whose p-values are adjusted together; None for a row of no family.
        without: cells that the function has for other tables, and this one does not show.
        left_out: why columns are not recomputed; without a reason they are words.
    """

    def enter(cells: Callable[[Run, Shown], Cells]) -> Callable[[Run, Shown], Cells]:
        TABLES[name] = Recomputed(tuple(key.split()), cells, family, left_out, tuple(without.split()))
        return cells

    return enter


@dataclass(frozen=True)
class Stage:
    """An Arrow file of a stage: its metadata and rows."""

    about: Mapping[str, str]
    rows: pl.DataFrame


@cache
def _read(path: Path) -> Stage:
    with pa.ipc.open_file(pa.memory_map(str(path))) as source:
        found = source.read_all()
    about = {key.decode(): value.decode() for key, value in (found.schema.metadata or {}).items()}
    frame = pl.from_arrow(found)
    assert isinstance(frame, pl.DataFrame)
    seeds = [pl.col("seed").fill_null(NO_SEED)] if "seed" in frame.columns else []
    frame = frame.with_columns(seeds)
    return Stage(about, _explained(path, _served(frame)) if about.get("nlfol.schema") == "scores" else frame)


def _served(scores: pl.DataFrame) -> pl.DataFrame:
    """Scores of which requests that failed count as served by the model that served most."""
    names = [shown["served"] for shown in scores["shown"] if shown and shown["served"]]
    most = min(set(names), key=lambda name: (-names.count(name), name), default=None)
    return scores.with_columns(pl.col("shown").struct.with_fields(served=pl.field("served").fill_null(pl.lit(most))))


def _explained(path: Path, scores: pl.DataFrame) -> pl.DataFrame:
    """Rows of scores with those that are evidence."""
    evidence = path.parents[3] / f"evidence/{path.parent.parent.name}/{path.parent.name}.arrow"
    if not evidence.exists():
        return scores
    boards = (pl.col("on_boards") == "equivalent").cast(pl.Float64)
    of_pair = pl.read_ipc(evidence).select("pair", "bleu", "le", on_boards=boards)
    value = pl.coalesce(pl.when(pl.col("metric") == name).then(name) for name in ("bleu", "le", "on_boards"))
    joined = scores.join(of_pair, on="pair", how="left", maintain_order="left")
    return joined.with_columns(score=pl.coalesce("score", value)).select(scores.columns)


@cache
def _table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


class Run:
    """The folder of results of a finished run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def configuration(self) -> dict[str, Any]:
        """The configuration, as the manifest has it."""
        manifest = json.loads((self.folder / "manifest.json").read_text("utf-8"))
        found: dict[str, Any] = manifest["experiment"]["configuration"]
        return found

    def csv(self, name: str) -> list[dict[str, str]]:
        """Rows of a table."""
        return _table(self.folder / "tables" / f"{name}.csv")

    def stages(self, pattern: str) -> Iterator[Stage]:
        """Files of a stage."""
        yield from map(_read, sorted(self.folder.glob(pattern)))

    def stage(self, folder: str, row: Shown, *names: str) -> Stage:
        """The file of a dataset, task and model, as a row names them; raises `NoSuchRowError` if there is none."""
        path = self.folder / folder / ("/".join(row[name] for name in names) + ".arrow")
        if not path.exists():
            raise NoSuchRowError(f"there is no {path}")
        return _read(path)

    def of_dataset(self, dataset: str, name: str) -> pl.DataFrame:
        """A file of a dataset; without rows if there is none."""
        path = self.folder / "datasets" / dataset / f"{name}.arrow"
        return _read(path).rows if path.exists() else pl.DataFrame({"item": []}, {"item": pl.String})

    @cached_property
    def every(self) -> pl.DataFrame:
        """Rows of all files of scores but controls, with their metadata, in the order of the table of scores."""
        names = ("dataset", "task", "task_kind", "protocol", "model", "kind", "available")
        frames = {}
        for file in self.stages("scores/*/*/*.arrow"):
            said = {name: pl.lit(file.about.get(name)) for name in names}
            said["available"] = said["available"].cast(pl.Int64)
            said["unread"] = (pl.col("outcome") != "answered").cast(pl.Int64)
            rows = file.rows.drop("detail", "counter_model", "word", strict=False)
            frames[tuple(file.about[name] for name in ("dataset", "task", "model"))] = rows.with_columns(**said)
        order = dict.fromkeys((row["dataset"], row["task"], row["model"]) for row in self.csv("scores"))
        rows = pl.concat(frames[key] for key in (*order, *(frames.keys() - order)) if key in frames)
        return rows.filter(~pl.col("presentation").str.starts_with(BLIND))

    @cached_property
    def answers(self) -> pl.DataFrame:
        """All rows, those of guessers about the items that some compared model was asked in the task, if any was."""
        is_asked = pl.col("kind").is_in(COMPARED)
        asked = self.every.filter(is_asked).select("dataset", "task", "item").unique()
        left = self.every.filter(pl.col("kind").is_in(GUESSERS)).join(asked, on=["dataset", "task"], how="semi")
        out = left.join(asked, on=["dataset", "task", "item"], how="anti").select("dataset", "task", "item", "kind")
        return self.every.join(out, on=out.columns, how="anti", maintain_order="left")

    @cached_property
    def _parts(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        return self.answers.partition_by("dataset", "task", "model", as_dict=True)

    def of(self, row: Shown, names: str = "dataset task metric presentation model", **others: Any) -> pl.DataFrame:
        """Answers that have what a row has in some columns, and other values; raises `NoSuchRowError` without any."""
        wanted: dict[str, Any] = {**{name: row[name] for name in names.split()}, **others}
        place = tuple(wanted.get(name) for name in ("dataset", "task", "model"))
        found = chosen(self.answers if None in place else self._parts.get(place, self.answers), **wanted)
        if found.is_empty():
            raise NoSuchRowError(f"there are no answers with {wanted}")
        return found

    def nothing_asked(self, row: Shown) -> Cells | None:
        """The cells of a sample of no items, where a model was asked nothing; else None."""
        scores = self.stage("scores", row, "dataset", "task", "model")
        return {"items": 0, "items_available": int(scores.about["available"])} if scores.rows.is_empty() else None

    def chance(self, row: Shown, kind: str) -> dict[str, float]:
        """Score of each item by the guesser of a kind of model at the question of a row."""
        wanted = {name: row[name] for name in ("dataset", "task", "metric", "presentation")}
        return dict(by_item(guesser(chosen(self.every, **wanted), kind)).select("item", "score").iter_rows())


def chosen(rows: pl.DataFrame, **wanted: Any) -> pl.DataFrame:
    """Rows with these values."""
    return rows.filter(*(pl.col(name) == value for name, value in wanted.items()))


def guesser(rows: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Rows of the guesser that a kind of model has to exceed: of chance if it proves nothing, or there is no other."""
    wanted = "chance" if kind in ("embedding", *UNREASONED) else "reasoner"
    found = rows.filter(kind=wanted)
    return rows.filter(kind="chance") if found.is_empty() else found


def by_item(answers: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Scores of items, averaged over seeds."""
    means = [pl.col(name).mean() for name in names or ("score",)]
    return answers.group_by("item", maintain_order=True).agg(pl.col("story").first(), *means)


def mean_of(items: pl.DataFrame, name: str = "score") -> Estimate:
    """The mean over items."""
    return mean(items[name].to_list(), items["story"].to_list())


def kind_of(answers: pl.DataFrame) -> str:
    """The kind of model; "" without answers."""
    return "" if answers.is_empty() else str(answers["kind"][0])


def spread(name: str, value: float | None, deviation: float | None = None, *ends: float | None) -> Cells:
    """A mean with its deviation and interval."""
    low, high = ends or (None, None)
    return {f"{name}_mean": value, f"{name}_deviation": deviation, f"{name}_low": low, f"{name}_high": high}


def estimated(name: str, found: Estimate | None, kind: str = "") -> Cells:
    """An estimate; that of a guesser, of the reader, or of who always says the same, is exact and has no interval."""
    if found is None or kind in EXACT:
        return spread(name, None if found is None else found.value)
    return spread(name, found.value, None, *found.ends)


def scored(name: str, answers: pl.DataFrame, of: str = "score") -> Cells:
    """The mean of answers, its deviation over three seeds or more of five items or more, and its interval."""
    if answers.is_empty():
        return spread(name, None)
    cells = estimated(name, mean_of(by_item(answers, of), of), kind_of(answers))
    means = answers.group_by("seed").agg(pl.col(of).mean())[of].to_list()
    if len(means) >= 3 and answers["item"].n_unique() >= 5 and kind_of(answers) not in GUESSERS:
        cells[f"{name}_deviation"] = statistics.stdev(means)
    return cells


def available(*answers: pl.DataFrame) -> int:
    """Items that the dataset offers for all of some tasks."""
    return min(int(of_task["available"][0]) for of_task in answers)


def sample(answers: pl.DataFrame) -> Cells:
    """The items asked, of those available."""
    return {"items": answers["item"].n_unique(), "items_available": available(answers)}


def seeds(answers: pl.DataFrame) -> int | None:
    """The number of seeds; guessers are asked nothing."""
    return None if kind_of(answers) in GUESSERS else answers["seed"].n_unique()


def paired(sides: Iterable[pl.DataFrame], free: str) -> tuple[pl.DataFrame, pl.DataFrame, Cells]:
    """The answers of both sides to one item under one seed, shown the same but for the ``free`` components."""
    first, second = sides
    on = ["item"] if "seed" in free.split() else ["item", "seed"]
    both = first.join(second, on=on, suffix="_second", nulls_equal=True, maintain_order="left")
    names = [name for name in first["shown"].struct.fields if name not in free.split()]
    alike = [pl.col("shown").struct.field(n).eq_missing(pl.col("shown_second").struct.field(n)) for n in names]
    kept = both.filter(pl.all_horizontal(alike))
    lost = {"unread_first": kept["unread"].sum(), "unread_second": kept["unread_second"].sum()}
    key = kept.select(on)
    one, other = (side.join(key, on=on, how="semi", nulls_equal=True) for side in (first, second))
    return one, other, {"pairs": kept.height, **lost}


def shared(answers: pl.DataFrame, otherwise: str) -> pl.Expr:
    """The digests that several answers share, component by component; where they differ, a word that is no digest."""
    parts = [pl.col("shown").struct.field(name) for name in answers["shown"].struct.fields]
    alike = [pl.when(each.n_unique() == 1).then(each.first()).otherwise(pl.lit(otherwise)) for each in parts]
    return pl.struct(alike).alias("shown")


def is_whole(kind: str, presentation: str) -> bool:
    """Return True if all parts of a question are meant; those of verification are its classes."""
    return kind != "verification" or not presentation


def together(answers: pl.DataFrame) -> pl.DataFrame:
    """Answers about both classes of certified pairs as one for each item and seed: their mean; others as they are."""
    parts = answers["presentation"].n_unique()
    if parts == 1:
        return answers
    names = answers["shown"].struct.fields
    shown = pl.struct(pl.col("shown").struct.field(name).fill_null("").str.join(" ") for name in names)
    merged = pl.col("score").mean(), pl.col("unread").max(), shown.alias("shown"), pl.len().alias("parts")
    first = pl.exclude("score", "unread", "shown").first()
    by_answer = answers.sort("presentation", maintain_order=True).group_by("item", "seed", maintain_order=True)
    return by_answer.agg(first, *merged).filter(parts=parts)


OF_A_MODEL = "model served thinking sampling limits"
"""Settings that two models may share."""


def are_enough(kept: pl.DataFrame, *sides: pl.DataFrame) -> bool:
    """Tell if at least half of the items that both sides could share make pairs."""
    items, least = kept["item"].n_unique(), min(side["item"].n_unique() for side in sides) / 2
    return items > 0 and items >= least


def contrast(
    sides: Iterable[pl.DataFrame], name: str = "difference", means: Sequence[str] = (), free: str | None = None
) -> Cells:
    """A paired difference over the common items of two sides, and its own p; see ``paired`` for ``free``."""
    counts: Cells = {}
    first, second = sides
    if free is not None:
        one, other, counts = paired((first, second), free)
        if not are_enough(one, first, second):
            counts |= {"items": one["item"].n_unique(), "items_available": available(first)}
            nothing = {**dict.fromkeys(("p", "detectable", "freedom")), **spread(name, None)}
            return counts | {"stories": one["story"].n_unique(), **nothing}
        first, second = one, other
    return _contrast(first, second, name, means) | counts


def _contrast(first: pl.DataFrame, second: pl.DataFrame, name: str, means: Sequence[str]) -> Cells:
    common = by_item(first).join(by_item(second).select("item", other="score"), on="item", maintain_order="left")
    one, other = common["score"].to_list(), common["other"].to_list()
    found = difference(one, other, common["story"].to_list())
    return {
        "items": common.height,
        "items_available": available(first),
        "stories": common["story"].n_unique(),
        **dict(zip(means, (common["score"].mean(), common["other"].mean()), strict=bool(means))),
        **spread(name, found["value"], None, found["low"], found["high"]),
        "p": found["p"],
        "detectable": found["detectable"],
        "freedom": found["freedom"],
    }
