"""Answers as a classification, label by label: each against all others.

With ``p`` answers about problems whose label is right and ``n`` about others: TP and FN are those of the ``p`` that say
the label and another one, FP and TN likewise of the ``n``; IP and IN are those that could not be read. They count as
wrong: recall (TPR) is TP / p, TNR is TN / n, precision TP / (TP + FP), and F1 = 2 TP / (2 TP + FP + FN + IP).

Beside the models stand those who always say the same: with uneven labels they are hard to beat.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from nlfol.statistics.asked_problems import Asked, Items, interval
from nlfol.statistics.clusters import ratio
from nlfol.statistics.summary import Origin

ALL, DEPTH = "all", "depth"
"""The groups of problems: all of them, or those of one depth."""

_COUNTS = ("tp", "fp", "tn", "fn", "ip", "in")


@dataclass(frozen=True, slots=True)
class _Answer:
    asked: Asked
    item: str
    said: str | None


def classification(loaded: Iterable[tuple[Origin, pl.DataFrame]], items: Items) -> Iterator[dict[str, Any]]:
    """The rows of ``problem_schemas.CLASSIFICATION``.

    One a dataset, task, presentation, model (chance apart), group of problems and label; after the models of a dataset
    and task those for always saying a label, over all its items.
    """
    seen: dict[tuple[str, str], tuple[Origin, Counter[str]]] = {}
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for source, scores in loaded:
        place = source.dataset, source.task
        asked = items.get(place)
        if asked is None or len(source.asked.metrics) != 1:
            continue
        _, shown = seen.setdefault(place, (source, Counter()))
        of_place = rows.setdefault(place, [])
        for (presentation,), answers in scores.group_by("presentation", maintain_order=True):
            shown[str(presentation)] += 1
            if source.kind != "chance":
                said = [_Answer(asked[item], item, answer) for item, answer in _said(answers)]
                of_place += _with_depths(source, str(presentation), source.model, source.kind, said)
    for place, (source, shown) in seen.items():
        yield from rows[place]
        asked = items[place]
        for presentation in shown:
            for label in _labels(asked.values()):
                always = [_Answer(facts, item, label) for item, facts in asked.items() if label in facts.labels]
                named = _with_depths(source, presentation, f"always {label}", "constant", always)
                yield from (row for row in named if row["label"] == label)


def _said(answers: pl.DataFrame) -> Iterator[tuple[str, str | None]]:
    """Each item with the label that was answered; None where nothing could be read."""
    for row in answers.select("item", "outcome", "answer").iter_rows(named=True):
        yield row["item"], row["answer"] if row["outcome"] == "answered" else None


def _labels(asked: Iterable[Asked]) -> list[str]:
    return list(dict.fromkeys(label for facts in asked for label in facts.labels))


def _with_depths(
    source: Origin, presentation: str, model: str, kind: str, answers: Sequence[_Answer]
) -> Iterator[dict[str, Any]]:
    """The rows of all answers, then of those to problems of each depth, the unknown one last."""
    by_depth: defaultdict[int | None, list[_Answer]] = defaultdict(list)
    for answer in answers:
        by_depth[answer.asked.depth].append(answer)
    known = sorted(depth for depth in by_depth if depth is not None)
    about = {
        "dataset": source.dataset,
        "task": source.task,
        "task_kind": source.task_kind,
        "protocol": source.protocol,
        "presentation": presentation,
        "model": model,
        "kind": kind,
    }
    yield from _rows({**about, "group": ALL, "depth": None}, answers)
    for depth in (*known, *([None] if None in by_depth else [])):
        yield from _rows({**about, "group": DEPTH, "depth": depth}, by_depth[depth])


def _rows(about: Mapping[str, Any], answers: Sequence[_Answer]) -> Iterator[dict[str, Any]]:
    every = _labels(answer.asked for answer in answers)
    for label in every:
        cases = [(answer, _case(answer, label)) for answer in answers]
        counts = Counter(case for _, case in cases)
        confused = Counter(answer.said for answer in answers if answer.asked.right == label)
        yield {
            **about,
            "label": label,
            "answers": counts["tp"] + counts["fn"] + counts["ip"],
            "answered": [{"label": said, "count": confused[said]} for said in (*every, None) if confused[said]],
            **{name: counts[name] for name in _COUNTS},
            **_share("precision", cases, {"tp": 1}, {"tp": 1, "fp": 1}),
            **_share("recall", cases, {"tp": 1}, {"tp": 1, "fn": 1, "ip": 1}),
            **_share("tnr", cases, {"tn": 1}, {"tn": 1, "fp": 1, "in": 1}),
            **_share("f1", cases, {"tp": 2}, {"tp": 2, "fp": 1, "fn": 1, "ip": 1}),
        }


def _case(answer: _Answer, label: str) -> str:
    positive = answer.asked.right == label
    if answer.said is None:
        return "ip" if positive else "in"
    if answer.said == label:
        return "tp" if positive else "fp"
    return "fn" if positive else "tn"


def _share(
    name: str, cases: Sequence[tuple[_Answer, str]], part: Mapping[str, int], whole: Mapping[str, int]
) -> dict[str, float | None]:
    """A ratio of counts with its interval over stories; null where it is one to nothing."""
    parts: Counter[str] = Counter()
    wholes: Counter[str] = Counter()
    stories: dict[str, str] = {}
    for answer, case in cases:
        stories[answer.item] = answer.asked.story
        parts[answer.item] += part.get(case, 0)
        wholes[answer.item] += whole.get(case, 0)
    if not wholes.total():
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    found = ratio([parts[item] for item in stories], [wholes[item] for item in stories], list(stories.values()))
    ends = interval(found)
    return {name: found.mean, f"{name}_low": ends["low"], f"{name}_high": ends["high"]}
