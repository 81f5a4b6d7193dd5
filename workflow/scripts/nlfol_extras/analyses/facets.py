"""Components of the variance of scores: models, what they were asked, and how.

An answer has the facets model, wording (the entry and presentation that asked for one text), policy (tolerant, strict),
and the chain of dataset, story, item and order (the position of the gold formula), each within the one before. Effects
of all facets and of their interactions are random and uncorrelated, and each seed adds a draw of its own::

    score = μ + Σ effects + draw

Of two draws the mean product is μ² and the variances of all effects that the two share. So the means of products over
pairs of answers, by which facets are equal, tell each component without bias: with two models and two items::

    model × item = (same model, same item) - (same model, two items) - (two models, same item) + (two models, two items)

and the variance of a draw is the mean square less the mean product of two draws that share everything. These are the
symmetric sums of Koch ("Some Further Remarks Concerning 'A General Approach to the Estimation of Variance Components'",
1968), which need no balance; where there is some they are those of the analysis of variance. The two policies of a draw
are no pair. Under one seed no draws share everything: theirs is part of the finest interaction. What is estimated below
0 is 0.

A model's mean errs, beside other models', by its interactions, each over the number of its levels (of those of unequal
size, as many equal ones as tell as much), and by its draws. With the variance ``v`` of this error the reliability is
the squared correlation of such means with the models' own levels (Brennan, "Generalizability Theory", 2001)::

    reliability = σ²(model) / (σ²(model) + v)
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, prod
from typing import TypedDict

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.facts import Strictly
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.clusters import effective_number
from nlfol.results.statistics.summary import FIRST, Origin
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import row_schema
from nlfol_extras.analyses.readings import FORMS

Array = npt.NDArray[np.float64]

CROSSED = ("model", "wording", "policy")
CHAIN = ("dataset", "story", "item", "order")
DRAW = "seed"
_FORGONE = ("order", "policy", "wording", "story")
"""Facets in the order in which they are given up where no pairs of answers tell them from others."""

_MORE = ("dataset", "story", "item", "wording", DRAW)
"""Facets of which there can be more."""

_READ = "item story presentation seed metric score outcome position strictly shown"

_NAMES = ["item", "story", "presentation", "dataset", "task", "model", "wording", "policy", "asked"]

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


@dataclass(frozen=True, slots=True)
class Components:
    """Components by the facets that they belong to; the draw's is None under one seed."""

    crossed: tuple[str, ...]
    chain: tuple[str, ...]
    effects: Array
    """Float64 (2,) * crossed and chain + 1: by which facets an effect belongs to; the first is μ²."""
    draw: float | None
    answers: pl.DataFrame

    def named(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Yield the facets of each component with its variance, which is not below 0; the draw last."""
        effects = [(self._facets(at), float(self.effects[at])) for at in np.ndindex(self.effects.shape)]
        for facets, variance in sorted(effects[1:], key=lambda effect: len(effect[0])):
            yield facets, max(0.0, variance)
        if self.draw is not None:
            yield (DRAW,), max(0.0, self.draw)

    def _facets(self, at: Sequence[int]) -> tuple[str, ...]:
        crossed = tuple(name for name, belongs in zip(self.crossed, at, strict=False) if belongs)
        return (*crossed, self.chain[at[-1] - 1]) if at[-1] else crossed

    def levels(self) -> dict[str, float]:
        """Return the number of levels of each facet, and of draws of a model."""
        found = {name: float(self.answers[name].n_unique()) for name in self.crossed}
        for name in self.chain:
            sizes = self.answers.group_by(_within(name), maintain_order=True).len()["len"]
            found[name] = effective_number(sizes.to_numpy().astype(float))
        kinds = found.get("model", 1.0) * found.get("policy", 1.0)
        return {**found, DRAW: self.answers.height / kinds}

    def error(self, levels: dict[str, float]) -> float:
        """Return the variance of a model's mean beside others', with so many levels."""
        of_model = ((facets[1:], value) for facets, value in self.named() if facets[0] == "model" and facets[1:])
        draws = 0.0 if self.draw is None else max(0.0, self.draw) / levels[DRAW]
        return draws + sum(value / prod(levels[name] for name in facets) for facets, value in of_model)

    def with_more(self, name: str, seeds: int) -> dict[str, float]:
        """Return the levels with one more of a facet or seed, and as many as before within it."""
        levels = self.levels()
        known = seeds if name == DRAW else levels[name]
        within = self.chain[self.chain.index(name) :] if name in self.chain else (name,)
        more = (known + 1) / known
        return {other: value * (more if other in (*within, DRAW) else 1) for other, value in levels.items()}


def components(answers: pl.DataFrame) -> Components | None:
    """Estimate the components of answers with the columns ``CROSSED``, ``CHAIN``, ``seed`` and ``score``.

    Facets of one level are left out, and those of ``_FORGONE`` that no pairs tell from others, of which the first
    wording or policy counts; the order counts where half of the items come back to one. None where no pairs tell models
    from datasets or items, since no two models were asked the same.
    """
    crossed = tuple(name for name in CROSSED if answers[name].n_unique() > 1)
    chain: tuple[str, ...] = ()
    known, items = 1, answers.n_unique(_within("item"))
    for name in CHAIN:
        count = answers.n_unique(_within(name))
        # Stories of one item each are items.
        if count > known and (name, count) != ("story", items) and (name != "order" or _comes_back(answers)):
            chain, known = (*chain, name), count
    found = _estimated(answers, crossed, chain)
    for name in _FORGONE:
        if found is not None:
            return found
        crossed, chain = (tuple(other for other in facets if other != name) for facets in (crossed, chain))
        if name in ("policy", "wording"):
            answers = answers.filter(pl.col(name) == pl.col(name).first())
        found = _estimated(answers, crossed, chain)
    return found


def _comes_back(answers: pl.DataFrame) -> bool:
    """Return whether half of the items are shown in several orders, and in one of them again."""
    orders, draws = pl.col("order").n_unique(), pl.col("seed").n_unique()
    of_items = answers.group_by("model", "wording", *_within("item")).agg(again=(orders > 1) & (orders < draws))
    return bool(of_items.select(pl.col("again").mean() >= 0.5).item())


def _estimated(answers: pl.DataFrame, crossed: tuple[str, ...], chain: tuple[str, ...]) -> Components | None:
    """Return the components; None where a mean product has no pairs."""
    shape = (*(2,) * len(crossed), len(chain) + 1)
    draws = ["model", "wording", *CHAIN, "seed"]
    own = {same: _sums(answers, [*draws, "policy"] if same else draws) for same in (False, True)}
    cells = ["model", "wording", "policy", *_within("order" if "order" in chain else "item")]
    several = _sums(answers, cells)[1] > own[True][1]
    sums, pairs = np.zeros(shape), np.zeros(shape)
    for at in np.ndindex(*shape):
        keys = [name for name, same in zip(crossed, at, strict=False) if same]
        sums[at], pairs[at] = _sums(answers, [*keys, *(_within(chain[at[-1] - 1]) if at[-1] else ())])
        if several:
            square, count = own["policy" in keys or "policy" not in crossed]
            sums[at], pairs[at] = sums[at] - square, pairs[at] - count
    for axis in range(len(shape)):
        # Pairs that share a facet and no finer one are those that share it without those that share the next.
        sums, pairs = (-np.diff(values, axis=axis, append=0) for values in (sums, pairs))
    if (pairs <= 0).any():
        return None
    effects = sums / pairs
    draw = float(np.square(answers["score"].to_numpy()).mean() - effects[(-1,) * len(shape)]) if several else None
    for axis in range(len(shape)):
        effects = np.diff(effects, axis=axis, prepend=0)
    return Components(crossed, chain, effects, draw, answers)


def _within(name: str) -> list[str]:
    """Return the facets of the chain down to one, whose names are unique within those before it alone."""
    return list(CHAIN[: CHAIN.index(name) + 1])


def _sums(answers: pl.DataFrame, keys: Sequence[str]) -> tuple[float, float]:
    """Return the sum of products of answers that share the keys, each with itself as well, and their number."""
    if not keys:
        return float(answers["score"].sum()) ** 2, float(answers.height) ** 2
    grouped = answers.group_by(keys, maintain_order=True).agg(pl.col("score").sum(), pl.len())
    return float(grouped["score"].pow(2).sum()), float(grouped["len"].cast(pl.Float64).pow(2).sum())


def facet_rows(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> Iterator[FacetRow]:
    """Yield the rows of ``FACETS``: of each question asked of dialogue models, then of kinds of tasks over several."""
    kinds: dict[tuple[str, str | None, str], list[pl.DataFrame]] = {}
    for source, scores in loaded:
        first = source.asked.metrics[:1]
        if source.kind == "chat" and first:
            found = _answers(source, scores.filter(pl.col("metric") == first[0]))
            kinds.setdefault((source.task_kind, source.protocol, first[0]), []).append(found)
    for (kind, _, metric), frames in kinds.items():
        answers = pl.concat(frames)
        questions = answers.group_by("dataset", "task", "presentation", maintain_order=True)
        for (dataset, task, presentation), of_question in questions:
            about: Question = {"dataset": str(dataset), "task": str(task), "presentation": str(presentation)}
            yield from _rows(kind, metric, about, of_question.filter(pl.col("policy") == "tolerant"), alone=True)
        for of_several in _alike(answers):
            if of_several.n_unique(["dataset", "wording", "policy"]) > 1:
                datasets, tasks, presentations = (
                    ", ".join(of_several[name].unique(maintain_order=True))
                    for name in ("dataset", "task", "presentation")
                )
                named = datasets if of_several["dataset"].n_unique() == 1 else None
                yield from _rows(
                    kind, metric, {"dataset": named, "task": tasks, "presentation": presentations}, of_several
                )


def _answers(source: Origin, scores: pl.DataFrame) -> pl.DataFrame:
    """Return the answers of a model in the columns of ``components``, and ``asked``, the digest of what about."""
    shown = pl.col("shown").struct
    answers = (
        scores.drop_nulls("score")
        .select(
            "item",
            "story",
            "seed",
            "score",
            "presentation",
            "strictly",
            order="position",
            dataset=pl.lit(source.dataset),
            task=pl.lit(source.task),
            model=pl.lit(source.model),
            wording=pl.lit(f"{source.task} ") + pl.col("presentation"),
            policy=pl.lit("tolerant"),
            asked=pl.concat_str(shown.field("text"), shown.field("candidates"), separator=" ", ignore_nulls=True),
        )
        .with_columns(pl.col(_NAMES).cast(pl.Categorical))
    )
    is_read = pl.col("outcome") == "answered"
    # Other answers have one reader.
    if source.asked.form not in FORMS or scores.filter(is_read)["strictly"].null_count():
        return answers.drop("strictly")
    strict = answers.with_columns(
        policy=pl.lit("strict", pl.Categorical), score=(pl.col("strictly") == Strictly.RIGHT).cast(pl.Float64)
    )
    return pl.concat([answers, strict]).drop("strictly")


def _alike(answers: pl.DataFrame) -> list[pl.DataFrame]:
    """Return the answers by wordings that ask about the same texts."""
    groups: list[tuple[set[tuple[str, ...]], list[str]]] = []
    for (wording,), of_wording in answers.group_by("wording", maintain_order=True):
        texts, wordings = set(of_wording.select("dataset", "item", "asked").unique().iter_rows()), [str(wording)]
        for other in [group for group in groups if group[0] & texts]:
            groups.remove(other)
            texts, wordings = texts | other[0], other[1] + wordings
        groups.append((texts, wordings))
    return [answers.filter(pl.col("wording").is_in(wordings)) for _, wordings in groups]


def _rows(
    kind: str, metric: str, question: Question, answers: pl.DataFrame, *, alone: bool = False
) -> Iterator[FacetRow]:
    """Yield a row a component; nothing of a single item, or where ``components`` are not told apart."""
    if answers.n_unique(["dataset", "item"]) < 2:
        return
    found = components(answers)
    if found is None:
        return
    answers = found.answers
    seeds = max(1, *answers.group_by("model").agg(pl.col("seed").n_unique())["seed"])
    parts = dict(found.named())
    total, levels, of_models = sum(parts.values()), found.levels(), parts.get(("model",))
    error, items = found.error(levels), answers.n_unique(["dataset", "item"])
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
            "models": answers["model"].n_unique(),
            "wordings": answers["wording"].n_unique(),
            "datasets": answers["dataset"].n_unique(),
            "stories": answers.n_unique(["dataset", "story"]),
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
    rows=(Rows(FACETS, lambda given: facet_rows(given.loaded(_READ, metrics=[FIRST]))),),
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
