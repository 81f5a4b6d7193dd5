"""Components of the variance of scores (``variance``) of dialogue models, as tables have them."""

from collections.abc import Callable, Iterable, Iterator
from math import ceil
from typing import NamedTuple, TypedDict

import polars as pl

from nlfol.facts import Strictly
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import FIRST, Chunked, Origin
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import row_schema
from nlfol_extras.analyses.readings import FORMS
from nlfol_extras.analyses.variance import DRAW, cells_of, components, merged

_MORE = ("dataset", "story", "item", "wording", DRAW)
"""Facets of which there can be more."""

_READ = "item story presentation seed score outcome position strictly shown"
_NAMES = ["item", "story", "presentation", "dataset", "task", "model", "wording"]

TARGET = 0.9
"""Reliability for which the table says how many items it takes."""


class Question(TypedDict):
    """Columns that name a question, or all tasks and presentations of several."""

    dataset: str | None  # null over several
    task: str
    presentation: str


class _Kind(TypedDict):
    task_kind: str
    metric: str  # the task's first metric


class FacetRow(_Kind, Question):
    """One row a question, or a kind of task over several, and component."""

    models: int
    wordings: int
    datasets: int
    stories: int
    items: int
    seeds: int
    component: str  # facets joined by " × "
    variance: float
    share: float | None  # of the variance of an answer; null where it is 0
    # Of the error of a model's mean, the share that one more level saves; of facets that can have more, if it errs.
    saved: float | None
    answers: int | None  # of each model that it takes
    # Of the row of models.
    reliability: float | None
    needed: int | None  # items for a reliability of ``TARGET``, in as many stories each, all else equal


FACETS = row_schema("facets", 1, FacetRow)


class _Answers(NamedTuple):
    """Answers as ``cells_of`` them, with their seeds, and the texts of wordings, as digests; all in data frames."""

    cells: pl.DataFrame
    seeds: pl.DataFrame
    asked: pl.DataFrame

    def added(self, *others: "_Answers") -> "_Answers":
        cells, seeds, asked = (pl.concat(parts) for parts in zip(self, *others, strict=True))
        return _Answers(merged(cells), seeds.unique(maintain_order=True), asked.unique(maintain_order=True))


def facet_rows(files: Callable[[], Chunked]) -> Iterator[FacetRow]:
    """Yield the rows of ``FACETS``: of each question asked of dialogue models, then of kinds of tasks over several."""
    kinds = dict.fromkeys(_kind(source) for source, _ in files())
    for of_kind in filter(None, kinds):
        chosen = ((source, chunks) for source, chunks in files() if _kind(source) == of_kind)
        answers = _Answers.added(*(_answers(source, chunks) for source, chunks in chosen))
        kind, _, metric = of_kind
        tolerant = answers.cells.filter(pl.col("policy") == "tolerant")
        questions = tolerant.group_by("dataset", "task", "presentation", maintain_order=True)
        for (dataset, task, presentation), of_question in questions:
            about: Question = {"dataset": str(dataset), "task": str(task), "presentation": str(presentation)}
            yield from _rows(kind, metric, about, of_question, answers.seeds, alone=True)
        for wordings in _alike(answers):
            of_several = answers.cells.filter(pl.col("wording").is_in(wordings))
            if of_several.n_unique(["dataset", "wording", "policy"]) > 1:
                datasets, tasks, presentations = (
                    ", ".join(of_several[name].unique(maintain_order=True))
                    for name in ("dataset", "task", "presentation")
                )
                is_one = of_several["dataset"].n_unique() == 1
                about = {"dataset": datasets if is_one else None, "task": tasks, "presentation": presentations}
                yield from _rows(kind, metric, about, of_several, answers.seeds)


def _kind(source: Origin) -> tuple[str, str | None, str] | None:
    """Return the kind of task, protocol and leading metric of a dialogue model; None of others, and without right."""
    metrics = source.asked.metrics if source.kind == "chat" else ()
    return (source.task_kind, source.protocol, metrics[0]) if metrics else None


def _answers(source: Origin, chunks: Iterable[pl.DataFrame]) -> _Answers:
    """Return the answers of a model, added up chunk by chunk."""
    found, has_strict = None, source.asked.form in FORMS  # other answers have one reader
    for chunk in chunks:
        has_strict &= not chunk.filter(pl.col("outcome") == "answered")["strictly"].null_count()
        part = _of_chunk(source, chunk)
        found = part.added() if found is None else found.added(part)
    assert found is not None  # of a file without rows there is a chunk without rows
    if has_strict:
        return found
    tolerant = found.cells.filter(pl.col("policy") == "tolerant")
    return found._replace(cells=tolerant.with_columns(shared=pl.lit(0.0), both=pl.lit(0, pl.UInt32)))


def _of_chunk(source: Origin, scores: pl.DataFrame) -> _Answers:
    shown = pl.col("shown").struct
    texts = pl.concat_str(shown.field("text"), shown.field("candidates"), separator=" ", ignore_nulls=True)
    answers = (
        scores.drop_nulls("score")
        .select(
            *("item", "story", "seed", "score", "presentation"),
            strict=(pl.col("strictly") == Strictly.RIGHT).fill_null(value=False).cast(pl.Float64),  # wrong if unread
            order="position",
            dataset=pl.lit(source.dataset),
            task=pl.lit(source.task),
            model=pl.lit(source.model),
            wording=pl.lit(f"{source.task} ") + pl.col("presentation"),
            asked=pl.struct(pl.lit(source.dataset), "item", texts).hash(),
        )
        .with_columns(pl.col(_NAMES).cast(pl.Categorical))
    )
    seeds, asked = answers.select("dataset", "model", "wording", "seed"), answers.select("wording", "asked")
    return _Answers(cells_of(answers.drop("asked")), seeds, asked)


def _alike(answers: _Answers) -> list[list[str]]:
    """Return the wordings that ask about the same texts."""
    groups: list[tuple[set[int], list[str]]] = []
    for (wording,), of_wording in answers.asked.group_by("wording", maintain_order=True):
        texts, wordings = set(of_wording["asked"]), [str(wording)]
        for other in [group for group in groups if group[0] & texts]:
            groups.remove(other)
            texts, wordings = texts | other[0], other[1] + wordings
        groups.append((texts, wordings))
    return [wordings for _, wordings in groups]


def _rows(
    kind: str, metric: str, question: Question, cells: pl.DataFrame, draws: pl.DataFrame, *, alone: bool = False
) -> Iterator[FacetRow]:
    """Yield a row a component; nothing of a single item, or where ``components`` are not told apart."""
    if cells.n_unique(["dataset", "item"]) < 2:
        return
    found = components(cells)
    if found is None:
        return
    cells = found.cells
    of_cells = draws.join(cells, on=["dataset", "model", "wording"], how="semi")
    seeds = max(1, *of_cells.group_by("model").agg(pl.col("seed").n_unique())["seed"])
    parts = dict(found.named())
    total, levels, of_models = sum(parts.values()), found.levels(), parts.get(("model",))
    error, items = found.error(levels), cells.n_unique(["dataset", "item"])
    for facets, variance in parts.items():
        saved = more = None
        if facets[-1] in _MORE and len(facets) == 1 and of_models is not None and error:
            added = found.with_more(facets[0], seeds)
            saved, more = 1 - found.error(added) / error, round(added[DRAW] - levels[DRAW])
        is_of_models = facets == ("model",) and of_models is not None and of_models + error > 0
        yield {
            "task_kind": kind,
            "metric": metric,
            **question,
            "models": cells["model"].n_unique(),
            "wordings": cells["wording"].n_unique(),
            "datasets": cells["dataset"].n_unique(),
            "stories": cells.n_unique(["dataset", "story"]),
            "items": items,
            "seeds": seeds,
            "component": " × ".join(facets),
            "variance": variance,
            "share": variance / total if total else None,
            "saved": saved,
            "answers": more,
            "reliability": of_models / (of_models + error) if is_of_models else None,  # type: ignore[operator]
            "needed": _needed(items, of_models, error) if is_of_models and alone else None,
        }


def _needed(items: int, of_models: float | None, error: float) -> int | None:
    return ceil(items * error / of_models * TARGET / (1 - TARGET) - 1e-9) if of_models else None


ANALYSIS = Analysis(
    rows=(Rows(FACETS, lambda given: facet_rows(given.loaded(_READ, metrics=[FIRST]).in_chunks)),),
    tables=(
        TableForm(
            "facets",
            "Where the variance of scores comes from",
            "Components of the variance of answers, what one more level of each saves, and how reliably scores tell "
            "models apart.",
            (
                *columns.texts("task_kind", "metric", "dataset", "task", "presentation"),
                *columns.counts("models", "items", "seeds"),
                columns.text("component"),
                columns.share("variance"),
                columns.share("share"),
                columns.share("saved", "One more saves"),
                columns.count("answers", "Answers it takes"),
                columns.share("reliability"),
                columns.count("needed", "Items for 0.9"),
            ),
            (
                "Of dialogue models, by each task's first metric; last, of kinds of tasks over datasets and wordings.",
                "Components of random effects by Koch (1968); what is estimated below 0 is 0. Of few models, datasets",
                "or wordings they are rough: k tell it by k - 1 degrees of freedom.",
                "A facet that no answers tell from others has no row: it is part of its finer ones. Interactions of 0",
                "are left out.",
                "Seed: draws of a model. Order: the position of the gold formula.",
                "Wording: tasks and presentations that ask about the same texts. Policy: strict or tolerant readers.",
                "Saves: share of the variance of a model's mean beside others', by one more with as much within it.",
                "Reliability: σ²(model) over itself and this variance; none of one model. Items for 0.9: in stories of",
                "the same size, under as many seeds.",
            ),
            ("facets",),
            lambda rows: rows.filter((pl.col("share") > 0) | ~pl.col("component").str.contains("×")).to_dicts(),
            opens=nothing,
            nothing="No dialogue model answered two items.",
        ),
    ),
)
