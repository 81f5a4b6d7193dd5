"""``nlfol diff``: what changed between two runs, question by question and answer by answer.

Only items whose text and gold formula are equal in both are compared, each by its mean over seeds. The difference, its
interval and p are those of the table ``differences`` (``statistics.differences``), adjusted by Holm's method for all
questions. References are left out: they answer no better than their definition.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import polars as pl

from nlfol.facts import FACTS, GUESSERS, REFERENCES
from nlfol.logic.boards import board, in_words
from nlfol.logic.structures import Structure
from nlfol.results.statistics.differences import difference, holm
from nlfol.store.evidence import with_evidence
from nlfol.store.files import StoreError, read_frame
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import ITEMS, SCORES

_KEY = ("dataset", "task", "presentation", "round", "metric", "model")
_TOLD = ("answer", "outcome", "relation", "fault", "counter_model")


class Change(TypedDict):
    """An item whose score changed, with an answer of each run; ``board`` is in words, else the counter-model's sets."""

    item: str
    text: str
    gold: str
    before: float
    after: float
    answer_before: str | None
    answer_after: str | None
    wrong: str | None
    board: str | None


class Compared(TypedDict):
    """Question in both runs: ``items`` compared, those of one run alone, and those whose content is another."""

    dataset: str
    task: str
    presentation: str
    round: int
    metric: str
    model: str
    items: int
    only_before: int
    only_after: int
    other_content: int
    before: float
    after: float
    difference: float
    low: float | None
    high: float | None
    p: float
    adjusted: float
    better: int
    worse: int
    changes: list[Change]


class Diff(NamedTuple):
    """The questions of both runs, and those that only one has."""

    questions: list[Compared]
    only_before: list[str]
    only_after: list[str]


def diff(before: Path, after: Path, renamed: Mapping[str, str] | None = None, *, every: bool = False) -> Diff:
    """Compare two folders of results; raises ``StoreError`` if one has no scores, or no question is in both.

    Args:
        before: the folder of the first run, such as ``results``.
        after: that of the other.
        renamed: names of models of the other run by those of the first that they are compared with.
        every: compare all metrics, not the leading one of each task.
    """
    first, second = (_scores(folder, every=every) for folder in (before, after))
    if renamed:
        back = {new: old for old, new in renamed.items()}
        second = second.filter(~pl.col("model").is_in(list(renamed))).with_columns(pl.col("model").replace(back))
    groups = [dict(run.group_by(_KEY, maintain_order=True)) for run in (first, second)]
    both = [key for key in groups[0] if key in groups[1]]
    if not both:
        raise StoreError(f"{before} and {after} have no question in common; name models that are one as OLD=NEW")
    questions = [_compare(key, groups[0][key], groups[1][key]) for key in both]
    for question, adjusted in zip(questions, holm([question["p"] for question in questions]), strict=True):
        question["adjusted"] = adjusted
    alone = [[_named(key) for key in mine if key not in other] for mine, other in (groups, reversed(groups))]
    return Diff(questions, *alone)


def _named(key: Sequence[object]) -> str:
    return ", ".join(str(part) for part in key if part)


def _scores(folder: Path, *, every: bool) -> pl.DataFrame:
    """Return a row for each item of a question: its mean score, and the first seed's answer of the lowest score."""
    frames = []
    for path in sorted((folder / "scores").rglob("*.arrow")):
        about = metadata_at(path)
        if about["kind"] in (*REFERENCES, *GUESSERS):
            continue
        dataset, task = about["dataset"], about["task"]
        evidence = folder / "evidence" / dataset / f"{task}.arrow"
        scores = with_evidence(read_frame(path, SCORES), evidence if evidence.is_file() else None)
        if not every:
            scores = scores.filter(pl.col("metric") == FACTS[about["task_kind"]].shown_first)
        items = read_frame(folder / "items" / dataset / f"{task}.arrow", ITEMS).select("item", "text", gold="formula")
        named = scores.with_columns(dataset=pl.lit(dataset), task=pl.lit(task), model=pl.lit(about["model"]))
        frames.append(named.join(items, on="item", how="left"))
    if not frames:
        raise StoreError(f"{folder}: no scores of models; name a folder of results of a finished run")
    lowest = pl.col("score").arg_min()
    return (
        pl.concat(frames, how="diagonal_relaxed")
        .with_columns(pl.col("score").fill_nan(None))
        .drop_nulls("score")
        .sort(*_KEY, "item", "seed", maintain_order=True)
        .group_by(*_KEY, "item", maintain_order=True)
        .agg(
            pl.col("story", "text", "gold").first(),
            pl.col("score").mean(),
            *(pl.col(name).get(lowest) for name in _TOLD),
        )
    )


def _compare(key: tuple[Any, ...], first: pl.DataFrame, second: pl.DataFrame) -> Compared:
    common = first.join(second, on="item", how="inner", suffix="_after", maintain_order="left")
    equal = common.filter(
        pl.col("text").eq_missing(pl.col("text_after")), pl.col("gold").eq_missing(pl.col("gold_after"))
    )
    scores = equal["score_after"].to_list(), equal["score"].to_list()
    found = difference(*scores, equal["story"].to_list()) if len(equal) else None
    changed = equal.filter(pl.col("score") != pl.col("score_after"))
    return {
        **dict(zip(_KEY, key, strict=True)),  # type: ignore[typeddict-item]
        "items": len(equal),
        "only_before": len(first) - len(common),
        "only_after": len(second) - len(common),
        "other_content": len(common) - len(equal),
        "before": _mean(scores[1]),
        "after": _mean(scores[0]),
        "difference": found.mean if found else float("nan"),
        "low": found.low if found else None,
        "high": found.high if found else None,
        "p": found.p if found else 1.0,
        "adjusted": 1.0,
        "better": (changed["score_after"] > changed["score"]).sum(),
        "worse": (changed["score_after"] < changed["score"]).sum(),
        "changes": [*_changes(changed)],
    }


def _mean(scores: Sequence[float]) -> float:
    return sum(scores) / len(scores) if scores else float("nan")


class _Row(NamedTuple):
    """A changed item; from ``outcome`` on, of the run with the lower score."""

    item: str
    text: str
    gold: str
    score: float
    score_after: float
    answer: str | None
    answer_after: str | None
    outcome: str
    relation: str | None
    fault: str | None
    counter_model: str | None


def _changes(changed: pl.DataFrame) -> Iterator[Change]:
    both = _Row._fields[:7]
    fell = pl.col("score_after") < pl.col("score")
    lower = (pl.when(fell).then(pl.col(f"{name}_after")).otherwise(name).alias(name) for name in _Row._fields[7:])
    for row in map(_Row._make, changed.select(*both, *lower).iter_rows()):
        kind = row.relation or row.outcome
        wrong = ", ".join(word.replace("_", " ") for word in (kind, row.fault) if word and word != "answered")
        yield {
            "item": row.item,
            "text": row.text,
            "gold": row.gold,
            "before": row.score,
            "after": row.score_after,
            "answer_before": row.answer,
            "answer_after": row.answer_after,
            "wrong": wrong or None,
            "board": _drawn(row.counter_model),
        }


def _drawn(counter_model: str | None) -> str | None:
    if not counter_model:
        return None
    structure = Structure.from_json(counter_model)
    blocks = board(structure)
    return "; ".join(map(in_words, (block.as_data() for block in blocks))) if blocks else structure.describe()


def lines(found: Diff, shown: int) -> Iterator[str]:
    """Yield a page for people, with so many changed items of each question."""
    same = 0
    for question in found.questions:
        left = [
            f"{question[name]} {name.replace('_', ' ')}"
            for name in ("only_before", "only_after", "other_content")
            if question[name]
        ]
        if not question["changes"] and not left:
            same += 1
            continue
        later = f"round {question['round']}" if question["round"] > 1 else ""
        where = (question["dataset"], question["task"], question["presentation"])
        yield _named((*where, later, question["metric"], question["model"]))
        interval = "" if question["low"] is None else f" [{question['low']:+.3f}, {question['high']:+.3f}]"
        yield (
            f"  {question['before']:.3f} → {question['after']:.3f}: {question['difference']:+.3f}{interval}, "
            f"p {question['p']:.3f}, adjusted {question['adjusted']:.3f}; {question['better']} better, "
            f"{question['worse']} worse of {question['items']} items"
        )
        if left:
            yield f"  not compared: {', '.join(left)}"
        for change in question["changes"][:shown]:
            yield from _told(change)
        if (more := len(question["changes"]) - shown) > 0:
            yield f"    and {more} more"
    yield f"unchanged: {same} of {len(found.questions)} questions"
    for name, alone in (("before", found.only_before), ("after", found.only_after)):
        if alone:
            yield f"only {name}: {'; '.join(alone)}"


def _told(change: Change) -> Iterator[str]:
    yield f"    {change['item']}  {change['text']}"
    told = {
        "gold": change["gold"],
        "before": f"{change['before']:g}  {change['answer_before'] or '–'}",
        "after": f"{change['after']:g}  {change['answer_after'] or '–'}",
        "wrong": change["wrong"],
        "board": change["board"],
    }
    yield from (f"      {name:<8}{line}" for name, line in told.items() if line)
