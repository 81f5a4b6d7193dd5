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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean, stdev
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import AMBIGUOUS, FACTS, GUESSERS, REFERENCES, UNREASONED, VERDICTS, Facts, learn
from nlfol.results.statistics.above_chance import AboveChance, above_chance
from nlfol.results.statistics.checks import SummaryError, check_complete, check_values
from nlfol.results.statistics.clusters import ClusteredMean, clustered_mean
from nlfol.store import schemas
from nlfol.store.columns import TaskColumns
from nlfol.store.evidence import BRIEF, comparable, files_of_evidence, served, with_evidence
from nlfol.store.files import read_chunks
from nlfol.store.origins import metadata_at

OF_TASK = tuple(TaskColumns.__annotations__)
KINDS = ("chat", "embedding", "written", "answers", *REFERENCES, *GUESSERS)
OUTCOMES = tuple(schemas.Outcomes.__annotations__)
COMPARED = ("chat", "embedding")
"""The kinds of models that are compared: guessers, references and written answers are marks, not competitors."""
_SCORED = ("item", "story", "presentation", "seed", "metric", "score", "outcome", "verdict", "fault", "detail", "pair")
OF_SERIES = (*_SCORED, "shown")
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


@dataclass(frozen=True)
class Series:
    """Scores of a model in one task, metric and presentation (""), a row an item and seed.

    Answers have ``item``, ``story``, ``seed``, ``score``, ``unread`` (there is none that could be read) and ``shown``,
    the digests of the components of the request.
    """

    source: Origin
    metric: str
    presentation: str
    answers: pl.DataFrame

    @property
    def question(self) -> tuple[str, str, str, str]:
        """Return dataset, task, metric and presentation; models are compared on equal ones."""
        return self.source.dataset, self.source.task, self.metric, self.presentation

    @cached_property
    def items(self) -> pl.DataFrame:
        """Return ``item``, ``story`` and ``score`` averaged over seeds, in the order in which items were asked."""
        return self.answers.group_by("item", maintain_order=True).agg(
            pl.col("story").first(), pl.col("score").mean(), pl.col("score").sum().alias("right")
        )

    def keyed(self, components: tuple[str, ...]) -> pl.DataFrame:
        """Return the answers with their ``row``, and a ``key`` that is equal where all of these components are."""
        if components not in self._keyed:
            shown = pl.struct(pl.lit(0), *(pl.col("shown").struct.field(name) for name in components))
            columns = "item", "story", "seed", "score", "unread", shown.hash().alias("key")
            self._keyed[components] = self.answers.select(*columns).with_row_index("row")
        return self._keyed[components]

    @cached_property
    def _keyed(self) -> dict[tuple[str, ...], pl.DataFrame]:
        return {}

    @property
    def about(self) -> QuestionColumns:
        """Return the columns that name the question."""
        return {**self.source.of_task, "metric": self.metric, "presentation": self.presentation}

    @property
    def seeds(self) -> int:
        """Return the number of seeds."""
        return self.answers["seed"].n_unique()


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


def cells(paths: Iterable[Path], evidence: Iterable[Path] = ()) -> list[schemas.CellRow]:
    """Return ``cells_of`` scores files and EVIDENCE files; raises as ``load``, or if two hold the same scores."""
    listed, explained = list(paths), files_of_evidence(evidence)
    files_of, asked, guesses, rows = dict[str, Path](), _Asked(), _Guesses(), dict[Path, list[schemas.CellRow]]()
    guessers = []  # have a row an item; of the others one file is in memory at a time
    for path in sorted(listed, key=lambda path: metadata_at(path).get("kind") not in GUESSERS):
        source, scores = load(path, explained, columns=(*_SCORED, "repairs", "liberties", "tied"))
        if source.name in files_of:
            raise SummaryError(f"{path}: {source.name} was already read from {files_of[source.name]}; name it once")
        files_of[source.name] = path
        if source.kind in GUESSERS:
            guesses[source.dataset, source.task, source.kind] = scores
            guessers.append((path, source, scores))
            continue
        _note(asked, source, scores)
        rows[path] = list(summarise(path, source, scores, _chance(source, guesses)))
    for path, source, scores in guessers:
        rows[path] = list(summarise(path, source, _over(asked, source, scores)))
    return [cell for path in listed for cell in rows[path]]


def series_of_files(paths: Iterable[Path], evidence: Files) -> list[Series]:
    """Return the series of scores files, guessers ``over_what_was_asked``; raises as ``load``."""
    listed, asked, found = list(paths), _Asked(), dict[Path, list[Series]]()
    for path in sorted(listed, key=lambda path: metadata_at(path).get("kind") in GUESSERS):
        source, scores = load(path, evidence, columns=OF_SERIES)
        _note(asked, source, scores)
        found[path] = list(series_of([(source, _over(asked, source, scores))]))
    return [one for path in listed for one in found[path]]


def cells_of(loaded: Sequence[tuple[Origin, pl.DataFrame]], files_of: Files) -> list[schemas.CellRow]:
    """Return rows of ``schemas.CELLS``, guessers ``over_what_was_asked``; ``files_of`` has files for errors."""
    guesses = {(source.dataset, source.task, source.kind): scores for source, scores in loaded}
    return [
        cell
        for source, scores in over_what_was_asked(loaded)
        for cell in summarise(files_of[source.name], source, scores, _chance(source, guesses))
    ]


_Guesses = dict[tuple[str, str, str], pl.DataFrame]  # by dataset, task and kind
_Asked = dict[tuple[str, str], set[str]]  # items that some model was asked, by dataset and task


def _chance(source: Origin, guesses: _Guesses) -> pl.DataFrame | None:
    kinds = () if source.kind in GUESSERS else guessers_of(source.kind)
    keys = ((source.dataset, source.task, kind) for kind in kinds)
    return next((guesses[key] for key in keys if key in guesses), None)


def over_what_was_asked(loaded: Sequence[tuple[Origin, pl.DataFrame]]) -> list[tuple[Origin, pl.DataFrame]]:
    """Return scores files with those of guessers over the items that some model was asked, to stand beside its mean.

    Where no model was asked any in the same dataset and task, guessers are over all.
    """
    asked = _Asked()
    for source, scores in loaded:
        _note(asked, source, scores)
    return [(source, _over(asked, source, scores)) for source, scores in loaded]


def _note(asked: _Asked, source: Origin, scores: pl.DataFrame) -> None:
    if source.kind in COMPARED:
        asked.setdefault((source.dataset, source.task), set()).update(scores["item"].unique())


def _over(asked: _Asked, source: Origin, scores: pl.DataFrame) -> pl.DataFrame:
    chosen = asked.get((source.dataset, source.task)) if source.kind in GUESSERS else None
    return scores.filter(pl.col("item").is_in(chosen)) if chosen else scores


def load(
    path: Path, evidence: Files | None = None, *, controls: bool = False, columns: Sequence[str] = ()
) -> tuple[Origin, pl.DataFrame]:
    """Read a scores file, or some ``columns`` of it, with its evidence, without ``controls``, and its metadata.

    ``evidence`` are EVIDENCE files by "dataset/task"; scores that are evidence are left out without them. Where only
    some items are of blocks worlds, there is no score on boards. Raises ``SummaryError``, ``StoreError``.
    """
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
    source = Origin(
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
    of_task = (evidence or {}).get(f"{source.dataset}/{source.task}")
    scores = with_evidence(served(read_chunks(path, schemas.SCORES, columns)), of_task, BRIEF if columns else ())
    return source, comparable(scores, controls=controls)


def summarise(
    path: Path, source: Origin, scores: pl.DataFrame, chance: pl.DataFrame | None = None
) -> Iterator[schemas.CellRow]:
    """Yield the cells of one scores file: presentations and metrics in the order of their first row.

    ``chance`` has the rows of its guesser in the same dataset and task. Raises ``SummaryError`` if a score lies outside
    [0, 1]; an outcome or verdict is not declared; an item occurs twice or not at all at one seed, metric and
    presentation; or more items were asked than there are.
    """
    if scores.is_empty():
        yield _cell(source, "", "", scores, None)
        return
    check_values(path, source.asked.form, source.kind, scores)
    for (presentation,), asked in scores.group_by("presentation", maintain_order=True):
        check_complete(path, str(presentation), asked)
        items = asked["item"].n_unique()
        if items > source.available:
            raise SummaryError(
                f"{path}: {items} items were asked where {source.name} offers {source.available}; judge again"
            )
        for (metric,), answers in asked.group_by("metric", maintain_order=True):
            yield _cell(source, str(metric), str(presentation), answers, chance)


def _cell(
    source: Origin, metric: str, presentation: str, answers: pl.DataFrame, chance: pl.DataFrame | None
) -> schemas.CellRow:
    scored = answers.drop_nulls("score")
    means = seed_means(scored)
    mean = None if scored.is_empty() else clustered(_by_item(scored))
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
        "repaired": int((answers["repairs"].list.len() > 0).sum()) if translated else None,
        "ambiguous": int((answers["fault"] == AMBIGUOUS).sum()) if translated else None,
        "opened": int((answers["liberties"].list.len() > 0).sum()),
        "tied": int(answers["tied"].sum()),
    }


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
    figures = clustered(_by_item(answers, score), score)
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


def _by_item(answers: pl.DataFrame, score: str = "score") -> pl.DataFrame:
    return answers.group_by("item").agg(pl.col("story").first(), pl.col(score).mean()).sort("item")


def _above(answers: pl.DataFrame, metric: str, presentation: str, chance: pl.DataFrame | None) -> AboveChance | None:
    """Return the mean adjusted for chance; None where chance of an item is not known."""
    if chance is None or answers.is_empty():
        return None
    guessed = chance.filter(pl.col("metric") == metric, pl.col("presentation") == presentation)
    items = _by_item(answers)
    both = items.join(guessed.select("item", pl.col("score").alias("chance")), on="item", maintain_order="left")
    if both.height != items.height:
        return None
    return above_chance(*(both[name].to_list() for name in ("score", "chance", "story")))
