"""Responses and their scores as one row an answer: what the explorer of a report shows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from nlfol.facts import BLIND, COPIED, TRUTH, AnswerForm
from nlfol.models.journal.journal import records_of
from nlfol.models.journal.siblings import beside
from nlfol.results.analyses.faults import NO_RULE, NO_SINGLE_CHANGE
from nlfol.results.statistics.summary import Origin, load
from nlfol.store import schemas
from nlfol.store.files import read_frame
from nlfol.store.logs import LOGGER
from nlfol.store.problem_schemas import PROGRAMS

_KEY = ["item", "presentation", "seed"]

# Of a score, what is the same for each metric of an answer.
_JUDGED = (
    *("outcome", "verdict", "stop", "means", "relation", "fault", "distance", "edits", "rule", "witness", "detail"),
    "counter_model",
    *("formula", "dialect", "repairs", "ambiguities", "liberties", "position"),
)
_LAST = ("answer", "thinking", "order", "similarities")
_SUMMED = ("prompt_tokens", "completion_tokens", "seconds", "cost")
_RESPONDED = (*_LAST, *_SUMMED, "earlier", "requests")


ROUND = ("english", "copies", "written", "formula", "outcome", "verdict", "detail")
"""Fields of a round: the English; its signs of notation; the formula as written, and as read; how the round ended where
it has no formula; the verdict on the formula beside the one before it, with the evidence in words."""

Prompt = Sequence[tuple[str, str]]
"""The turns of a request in their order: the role and the text of each."""

Place = tuple[str, str, str, str]
"""Dataset, task, model and presentation."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one model to one task on one dataset; metrics in the order of the scores.

    A row is a dialogue, with its last answer and what it took as a whole: ``item``, ``story``, ``presentation``,
    ``seed``, the columns ``_JUDGED`` and ``_RESPONDED``, and ``score:METRIC`` and ``tied:METRIC`` for each metric.
    ``earlier`` are the answers before the last, each after its part of the plan; ``requests`` the keys of all, null
    where nothing was sent. Round trips have ``chain``, a list of rounds of columns ``ROUND`` with ``counter_model`` as
    JSON; programs ``cause``, ``wrong_line`` beside the gold line, and ``aligned``, each concept with its symbols.
    ``left_out`` says how many answers have no row, as responses and scores do not belong together.
    """

    source: Origin
    rows: pl.DataFrame
    metrics: tuple[str, ...]
    left_out: str | None = None

    def means(self, column: Literal["cost", "completion_tokens"]) -> dict[Place, float]:
        """Return the mean of what answers took; None unless it is known for each."""
        if self.rows.is_empty():
            return {}
        mean = pl.when(pl.col(column).is_not_null().all()).then(pl.col(column).mean())
        means = self.rows.group_by("presentation", maintain_order=True).agg(mean.alias(column))
        key = self.source.dataset, self.source.task, self.source.model
        return {(*key, shown): took for shown, took in means.iter_rows() if took is not None}


def read_answers(
    responses: Path, scores: Path, programs: Path | None = None, *, evidence: Mapping[str, Path] | None = None
) -> Answers:
    """Join the files RESPONSES, SCORES and, if there is one, PROGRAMS of a model, and EVIDENCE by "dataset/task"."""
    source, judged = load(scores, evidence)
    frame = read_frame(responses, schemas.RESPONSES)
    answered = _dialogues(frame.filter(~pl.col("presentation").str.starts_with(BLIND)))  # like what is loaded
    metrics = tuple(judged["metric"].unique(maintain_order=True))
    if not metrics:
        return Answers(source, judged.clear(), ())
    rows = judged.filter(pl.col("metric") == metrics[0]).select(*_KEY, "story", *_JUDGED)
    for metric in metrics:
        values = {"score": f"score:{metric}", "tied": f"tied:{metric}"}
        of_metric = judged.filter(pl.col("metric") == metric).select(*_KEY, *values).rename(values)
        rows = _joined(rows, of_metric)
    judgements = rows.height
    rows = _joined(rows, answered)
    left_out = None
    if not rows.height == judgements == answered.height:
        left_out = f"{scores}: {rows.height} of {judgements} judged answers are in {responses}; judge again"
    if source.asked.form is AnswerForm.CHAIN and COPIED in metrics:
        steps = answered.select(*_KEY, steps=pl.col("earlier").list.len().cast(pl.Int32) + 1)
        rows = rows.join(_chains(judged, steps), on=_KEY, how="left", nulls_equal=True, maintain_order="left")
    if programs is not None:
        # Programs are asked for in one way alone, so their files name no presentation.
        rows = rows.join(_aligned(programs), on=["item", "seed"], how="left", nulls_equal=True, maintain_order="left")
    return Answers(source, _named(rows) if source.asked.form is AnswerForm.FORMULA else rows, metrics, left_out)


def _aligned(programs: Path) -> pl.DataFrame:
    frame = read_frame(programs, PROGRAMS)
    symbols = [_symbols(aligned) for aligned in frame["aligned"].to_list()]
    wrong, right = (pl.col(name).list.join("; ").replace("", "nothing") for name in ("fault_lines", "fault_gold"))
    return frame.select(
        *("item", "seed", "cause"),
        pl.Series("aligned", symbols, dtype=pl.List(pl.String)),
        wrong_line=pl.format("{}: {} (right: {})", "fault_place", wrong, right),
    )


def _symbols(aligned: Iterable[Mapping[str, str]]) -> list[str]:
    by_concept: dict[str, dict[str, None]] = {}
    for pair in aligned:
        by_name = "" if pair["aligned_by"] == "structure" else " (by name)"
        by_concept.setdefault(pair["concept"], {})[f"{pair['symbol']}{by_name}"] = None
    return [f"{concept} → {', '.join(symbols)}" for concept, symbols in by_concept.items()]


def _dialogues(responses: pl.DataFrame) -> pl.DataFrame:
    spoken = pl.concat_str("part", pl.lit(": "), pl.col("answer").fill_null(pl.col("outcome")))
    steps = responses.with_columns(said=spoken).sort("step", maintain_order=True)
    sums = (pl.when(pl.col(name).is_not_null().all()).then(pl.col(name).sum()).alias(name) for name in _SUMMED)
    last = (pl.col(name).last() for name in _LAST)
    earlier = pl.col("said").slice(0, pl.len() - 1).alias("earlier")
    return steps.group_by(_KEY, maintain_order=True).agg(*last, *sums, earlier, requests=pl.col("request"))


def _joined(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    return left.join(right, on=_KEY, nulls_equal=True, maintain_order="left", validate="1:1")


def _named(rows: pl.DataFrame) -> pl.DataFrame:
    """Name missing relations, faults and rules as the table of faults does."""
    different = pl.col("verdict") == "not_equivalent"
    names: Mapping[str, str] = {"relation": "unknown", "fault": NO_SINGLE_CHANGE, "rule": NO_RULE}
    return rows.with_columns(
        pl.when(different).then(pl.col(column).fill_null(name)).otherwise(pl.col(column)).alias(column)
        for column, name in names.items()
    )


def _chains(judged: pl.DataFrame, steps: pl.DataFrame) -> pl.DataFrame:
    """Return the rounds of round trips that each dialogue reached, in order, as a column ``chain`` beside the key."""
    metric = pl.col("metric").str.split("@").list.first()
    key = [*_KEY, "round"]
    ended = pl.col("outcome") != "answered"
    english = judged.filter(metric == COPIED).select(
        *key,
        english="answer",
        copies=pl.when(pl.col("score") > 0).then("detail"),
        said=pl.when(ended).then("outcome"),
    )
    formulas = judged.filter(metric == TRUTH).select(
        *key,
        "formula",
        "verdict",
        "detail",
        "counter_model",
        written="answer",
        outcome=pl.when(ended).then("outcome"),
    )
    return (
        english.join(formulas, on=key, nulls_equal=True, maintain_order="left", validate="1:1")
        .join(steps, on=_KEY, nulls_equal=True, maintain_order="left")
        # Two steps a round, of which the second may be missing.
        .filter(pl.col("round") <= (pl.col("steps") + 1) // 2)
        .with_columns(outcome=pl.coalesce("said", "outcome"))
        .sort("round", maintain_order=True)
        .group_by(_KEY, maintain_order=True)
        .agg(pl.struct(*ROUND, "counter_model").alias("chain"))
    )


def prompts(answers: Answers, journals: Path) -> dict[str, Prompt]:
    """Return prompts behind answers, from the journals by key; warns of missing ones, raises `JournalError`."""
    sent = answers.rows["requests"].to_list() if answers.metrics else []
    keys = {key for requests in sent for key in requests if key is not None}
    if not keys:
        return {}
    source = answers.source
    path = journals / source.model / f"{source.dataset}.{source.task}.jsonl"
    known: dict[str, Prompt] = {}
    for _, _, (request, reply) in records_of(path, keys) if path.exists() or beside(path) else ():
        known[reply.key] = tuple((turn["role"], turn["content"]) for turn in request["messages"])
        if len(known) == len(keys):
            break  # others have nothing more to tell
    if len(known) < len(keys):
        LOGGER.warning(
            f"{path}: {len(keys) - len(known)} of {len(keys)} requests are not in it, so the report lacks their prompts"
        )
    return known


def turns_of(sent: Sequence[str | None], prompt_of: Mapping[str, Prompt]) -> list[Prompt]:
    """Return the known prompts of a dialogue, step by step."""
    return [prompt_of[key] for key in sent if key is not None and key in prompt_of]
