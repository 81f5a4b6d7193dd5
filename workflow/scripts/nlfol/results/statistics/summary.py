"""From judged answers to table cells.

For one dataset, task, model, metric and presentation let ``x[i, s]`` be the score of item ``i`` at seed ``s``, over the
``n`` items asked and the ``k`` seeds. An answer that cannot be read, was cut off, empty, refused or never came has the
score 0, so that ``n`` never depends on how the model behaves::

    m[s]      = (sum of x[i, s] over i) / n                      the mean at one seed
    mean      = (sum of m[s] over s) / k
    deviation = sqrt((sum of (m[s] - mean)² over s) / (k - 1))   none for k < 3 or n < 5

The interval of the mean is of the items, clustered in stories, each averaged over its seeds (``clusters``).

Sums are exactly rounded (``math.fsum`` and fractions), so a cell does not depend on the order of the rows.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from statistics import fmean, stdev
from typing import Self, TypedDict, overload

import polars as pl

from nlfol.facts import FACTS, GUESSERS, REFERENCES, UNREASONED, AnswerForm, Facts, learn
from nlfol.results.statistics.checks import SummaryError
from nlfol.results.statistics.clusters import ClusteredMean, clustered_mean
from nlfol.results.statistics.packed import Packed, by_question
from nlfol.store import schemas
from nlfol.store.columns import TaskColumns
from nlfol.store.evidence import explained, without_controls
from nlfol.store.files import frames
from nlfol.store.origins import metadata_at

OF_TASK = tuple(TaskColumns.__annotations__)
KINDS = ("chat", "embedding", "written", "answers", *REFERENCES, *GUESSERS)
OUTCOMES = tuple(schemas.Outcomes.__annotations__)
COMPARED = ("chat", "embedding")
"""The kinds of models that are compared: guessers, references and written answers are marks, not competitors."""
SCORED = ("item", "story", "presentation", "seed", "metric", "score", "outcome", "verdict", "fault", "detail", "pair")
OF_SERIES = (*SCORED, "shown")
"""Columns of SCORES that series need, and their evidence."""
REPAIRED = "repaired"
"""Answers that were read with a repair; those without a verdict because of their readings are ``AMBIGUOUS``."""
OPENED = "opened"
"""Answers that were read out of another envelope than the agreed one."""


def guessers_of(kind: str) -> tuple[str, ...]:
    """Return the guessers that a kind of model has to exceed, the best first; vectors and looks prove nothing."""
    return ("chance",) if kind in ("embedding", *UNREASONED) else ("reasoner", "chance")


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a scores file, as its metadata have it."""

    dataset: str
    task: str
    task_kind: str
    protocol: str | None
    model: str
    kind: str
    available: int
    thinking: bool | None = None
    """True if the model was to think; None where its entry does not say."""
    apart_from_thinking: str | None = None
    """The model's identity when it does not think; None where its entry does not say whether it does."""
    reasoning: int | None = None
    """Tokens of reasoning in an answer; None where it is not known whether the model thinks."""

    @property
    def of_task(self) -> TaskColumns:
        """Return the columns that name the task."""
        task, protocol = self.task, self.protocol
        return {"dataset": self.dataset, "task": task, "task_kind": self.task_kind, "protocol": protocol}

    @property
    def asked(self) -> Facts:
        """Return the kind of task."""
        return FACTS[self.task_kind]

    @property
    def name(self) -> str:
        """Return the file's name among others: "dataset/task/model"."""
        return f"{self.dataset}/{self.task}/{self.model}"


class QuestionColumns(TaskColumns):
    """Columns that name a question: what a task asks, by metric and presentation."""

    metric: str
    presentation: str


class _Answers:
    """The answers of a series: packed in it, a data frame whenever they are looked up."""

    @overload
    def __get__(self, series: None, owner: type) -> Self: ...
    @overload
    def __get__(self, series: "Series", owner: type) -> pl.DataFrame: ...
    def __get__(self, series: "Series | None", owner: type) -> "pl.DataFrame | Self":
        if series is None:
            raise AttributeError("answers")  # a field without a default
        return series.packed.frame()

    def __set__(self, series: "Series", answers: pl.DataFrame | Packed) -> None:
        series.__dict__["packed"] = answers if isinstance(answers, Packed) else Packed.of(answers)


@dataclass(frozen=True, eq=False)
class Series:
    """Scores of a model in one task, metric and presentation (""), a row an item and seed.

    Answers have ``item``, ``story``, ``seed``, ``score``, ``unread`` (there is none that could be read) and ``shown``,
    the digests of the components of the request. They are unpacked each time.
    """

    source: Origin
    metric: str
    presentation: str
    answers: _Answers = _Answers()
    packed: Packed = field(init=False, repr=False)

    @property
    def question(self) -> tuple[str, str, str, str]:
        """Return dataset, task, metric and presentation; models are compared on equal ones."""
        return self.source.dataset, self.source.task, self.metric, self.presentation

    @cached_property
    def items(self) -> pl.DataFrame:
        """Return ``item``, ``story`` and ``score`` averaged over seeds, in the order in which items were asked."""
        answers = self.packed.frame("item", "story", "score")
        return answers.group_by("item", maintain_order=True).agg(
            pl.col("story").first(), pl.col("score").mean(), pl.col("score").sum().alias("right")
        )

    def keyed(self, components: tuple[str, ...]) -> pl.DataFrame:
        """Return the answers with their ``row``, and a ``key`` that is equal where all of these components are."""
        return _keyed(self, components)

    @property
    def about(self) -> QuestionColumns:
        """Return the columns that name the question."""
        return {**self.source.of_task, "metric": self.metric, "presentation": self.presentation}

    @property
    def seeds(self) -> int:
        """Return the number of seeds."""
        return self.packed.frame("seed")["seed"].n_unique()

    @property
    def is_empty(self) -> bool:
        """Return whether there is no answer."""
        return not self.packed.height


AS_TEXTS = pl.col("item", "story").cast(pl.String)
"""Items and stories of ``keyed`` answers as texts; they are categories there, which take less memory."""


@lru_cache(maxsize=2)  # of two arms, one is often compared with many
def _keyed(series: Series, components: tuple[str, ...]) -> pl.DataFrame:
    shown = pl.struct(pl.lit(0), *(pl.col("shown").struct.field(name) for name in components))
    columns = pl.col("item", "story").cast(pl.Categorical), "seed", "score", "unread", shown.hash().alias("key")
    return pl.concat(part.select(*columns) for part in series.packed.frames()).with_row_index("row")


Files = Mapping[str, Path]
Guessed = Mapping[tuple[str, ...], Series]
"""Series of guessers, by question and kind."""


def guessed(series: Iterable[Series]) -> Guessed:
    """Return the series of guessers."""
    return {(*one.question, one.source.kind): one for one in series if one.source.kind in GUESSERS}


def guesser(one: Series, known: Guessed, presentation: str | None = None) -> Series | None:
    """Return the guesser that a series has to exceed, at its question or another presentation; None without one."""
    question = (*one.question[:3], one.presentation if presentation is None else presentation)
    guessers = (known.get((*question, kind)) for kind in guessers_of(one.source.kind))
    return next((candidate for candidate in guessers if candidate is not None), None)


def series_of(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> Iterator[Series]:
    """Yield the series of scores files, of the metrics that rate answers, in the files' order."""
    for source, scores in loaded:
        for (presentation, metric), answers in scores.group_by(["presentation", "metric"], maintain_order=True):
            if source.asked.rates(str(metric)):
                yield Series(source, str(metric), str(presentation), answers_of(answers))


def answers_of(scores: pl.DataFrame) -> pl.DataFrame:
    """Return the answers of a series, of rows of one metric, without those that have no score."""
    unread = (pl.col("outcome") != "answered").alias("unread")
    return scores.drop_nulls("score").select("item", "story", "seed", "score", unread, "shown")


def series_of_files(paths: Iterable[Path], evidence: Files) -> list[Series]:
    """Return the series of scores files, guessers ``over_what_was_asked``; raises as ``stream``."""
    listed, asked, found = list(paths), Asked(), dict[Path, list[Series]]()
    for path in sorted(listed, key=lambda path: metadata_at(path).get("kind") in GUESSERS):
        found[path] = list(series_in(*over(asked, *stream(path, evidence, columns=OF_SERIES))))
    return [one for path in listed for one in found[path]]


def series_in(source: Origin, chunks: Iterable[pl.DataFrame]) -> Iterator[Series]:
    """Yield the series of a scores file that is read in chunks, of the metrics that rate answers, in its order."""
    for (presentation, metric), answers in by_question(chunks, source.asked.rates, answers_of).items():
        yield Series(source, metric, presentation, answers)


Asked = dict[tuple[str, str], set[str]]
"""Items that some model was asked, by dataset and task."""


def over(asked: Asked, source: Origin, chunks: Iterable[pl.DataFrame]) -> tuple[Origin, Iterator[pl.DataFrame]]:
    """Return a scores file that is read in chunks as one ``over_what_was_asked``; notes the items of models."""
    return source, (_over(asked, source, chunk) for chunk in chunks)


def note(asked: Asked, source: Origin, scores: pl.DataFrame) -> None:
    """Note the items that a model was asked."""
    if source.kind in COMPARED:
        asked.setdefault((source.dataset, source.task), set()).update(scores["item"].unique())


def _over(asked: Asked, source: Origin, scores: pl.DataFrame) -> pl.DataFrame:
    note(asked, source, scores)
    chosen = asked.get((source.dataset, source.task)) if source.kind in GUESSERS else None
    return scores.filter(pl.col("item").is_in(chosen)) if chosen else scores


Chunked = Iterator[tuple[Origin, Iterator[pl.DataFrame]]]

FIRST = "first"
"""Each task's first metric, where metrics are named."""


@dataclass(frozen=True)
class Loaded:
    """Scores files as ``over_what_was_asked``, read one by one each time that they are gone through.

    All ``columns`` or some, of all ``forms`` of answers or some, in all ``metrics`` or some.
    """

    paths: Sequence[Path]
    evidence: Files
    columns: Sequence[str] = ()
    forms: Collection[AnswerForm] = ()
    metrics: Collection[str] = ()

    def __iter__(self) -> Iterator[tuple[Origin, pl.DataFrame]]:
        """Yield the files; raises as ``load``."""
        return ((source, pl.concat(chunks)) for source, chunks in self.in_chunks())

    def in_chunks(self) -> Chunked:
        """Yield the files a chunk of rows at a time; raises as ``load``."""
        for path in self.paths:
            source, chunks = over(self._asked, *stream(path, self.evidence, columns=self.columns))
            if not self.forms or source.asked.form in self.forms:
                yield source, map(partial(self._of, source), chunks)

    def _of(self, source: Origin, rows: pl.DataFrame) -> pl.DataFrame:
        metrics = [*self.metrics, *(source.asked.metrics[:1] if FIRST in self.metrics else ())]
        kept = rows.filter(pl.col("metric").is_in(metrics)) if metrics else rows
        return kept.select(name for name in rows.columns if name in self.columns) if self.columns else kept

    @cached_property
    def _asked(self) -> Asked:
        asked, sources = Asked(), [origin_of(path) for path in self.paths]
        guessed = {(source.dataset, source.task) for source in sources if source.kind in GUESSERS}
        for source, path in zip(sources, self.paths, strict=True):
            if (source.dataset, source.task) in guessed and source.kind in COMPARED:
                for chunk in frames(path, schemas.SCORES, ("item", "presentation")):
                    note(asked, source, without_controls(chunk))
        return asked


def load(
    path: Path, evidence: Files | None = None, *, controls: bool = False, columns: Sequence[str] = ()
) -> tuple[Origin, pl.DataFrame]:
    """Read a scores file as ``stream`` does, in one data frame."""
    source, chunks = stream(path, evidence, controls=controls, columns=columns)
    return source, pl.concat(chunks)


def stream(
    path: Path, evidence: Files | None = None, *, controls: bool = False, columns: Sequence[str] = ()
) -> tuple[Origin, Iterator[pl.DataFrame]]:
    """Read a scores file, or some ``columns`` of it, with its evidence, without ``controls``, and its metadata.

    ``evidence`` are EVIDENCE files by "dataset/task"; scores that are evidence are left out without them. Where only
    some items are of blocks worlds, there is no score on boards. Raises ``SummaryError``, ``StoreError``.
    """
    source = origin_of(path)
    of_task = (evidence or {}).get(f"{source.dataset}/{source.task}")
    return source, explained(path, of_task, columns, controls=controls)


def origin_of(path: Path) -> Origin:
    """Return the origin of a scores file; raises ``SummaryError`` if its metadata do not tell it."""
    metadata = metadata_at(path)
    texts = ("dataset", "task", "task_kind", "protocol", "model", "kind")
    missing = [key for key in (*texts, "available") if key not in metadata]
    if missing:
        raise SummaryError(f"{path}: the schema metadata lacks {', '.join(missing)}; judge again")
    learn(metadata)
    for key, known in (("kind", KINDS), ("task_kind", FACTS)):
        if (value := metadata[key]) not in known:
            raise SummaryError(f"{path}: {key} {value!r} where one of {', '.join(known)} is needed; judge again")
    if not metadata["available"].isdecimal():
        raise SummaryError(f"{path}: available {metadata['available']!r} is not a number of items; judge again")
    return Origin(
        dataset=metadata["dataset"],
        task=metadata["task"],
        task_kind=metadata["task_kind"],
        protocol=metadata["protocol"] or None,
        model=metadata["model"],
        kind=metadata["kind"],
        available=int(metadata["available"]),
        thinking={"yes": True, "no": False}.get(metadata.get("thinking", "")),
        apart_from_thinking=metadata.get("apart_from_thinking"),
        reasoning=int(metadata["reasoning"]) if "reasoning" in metadata else None,
    )


def seed_means(answers: pl.DataFrame, score: str = "score") -> list[float]:
    """Return the mean score at each seed."""
    return [fmean(scores) for scores in answers.group_by("seed", maintain_order=True).agg(score)[score].to_list()]


LEAST_SEEDS, LEAST_ITEMS = 3, 5
"""Seeds and items from which a deviation over seeds says something."""


def deviation(means: Sequence[float], items: int) -> float | None:
    """Return the sample standard deviation of means of items; None for few seeds or items."""
    return stdev(means) if len(means) >= LEAST_SEEDS and items >= LEAST_ITEMS else None


class Mean(TypedDict):
    """Columns of a mean of items."""

    items: int
    mean: float
    deviation: float | None  # over seeds; null for one
    low: float | None  # over stories; null for one
    high: float | None


def mean_of(answers: pl.DataFrame, score: str = "score") -> Mean:
    """Return items, mean, deviation over seeds and interval of answers (item, story, seed, score)."""
    means = [fmean(scores) for scores in answers.group_by("seed").agg(score)[score].to_list()]
    figures = clustered(by_item(answers, score), score)
    return {
        "items": figures.items,
        "mean": fmean(means),
        "deviation": deviation(means, figures.items),
        "low": figures.low,
        "high": figures.high,
    }


def clustered(items: pl.DataFrame, score: str = "score") -> ClusteredMean:
    """Return the mean of items' scores, clustered by their stories."""
    return clustered_mean(items[score].to_list(), items["story"].to_list())


def by_item(answers: pl.DataFrame, score: str = "score") -> pl.DataFrame:
    """Return ``item``, ``story`` and the mean score of items."""
    return answers.group_by("item").agg(pl.col("story").first(), pl.col(score).mean()).sort("item")
