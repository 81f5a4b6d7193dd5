"""Ways of asking, of published figures and of ours: components of which one that differs keeps the two apart.

What a paper does not say, or does not apply, is empty in its file and is compared with nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import polars as pl

from nlfol.store.files import ASKED

UNKNOWN = "unknown"

Way = Mapping[str, object]
"""Ways in which a model was asked a task, by the names in ``ASKED``; ``UNKNOWN`` if not recorded, else left out."""

Ways = Mapping[tuple[str, str], Way]
"""Ways by task and model."""

Figure = Mapping[str, object]
"""A published figure, by column."""

F_co = TypeVar("F_co", bound=Figure, covariant=True)


class Nearest(NamedTuple, Generic[F_co]):
    """A published figure, the task that was asked most like it, and in words what differs there."""

    figure: F_co
    task: str
    differs: Sequence[str]


def ways(asked: pl.DataFrame, cells: pl.DataFrame) -> dict[tuple[str, str], Way]:
    """Return the way in which each model was asked each task; answers from files have none that is known."""
    tasks = {row["task"]: row for row in asked.to_dicts()}
    temperatures = dict(asked.select("model", "temperature").rows())
    found: dict[tuple[str, str], Way] = {}
    for row in cells.to_dicts():
        way = tasks.get(row["task"]) if row["kind"] == "chat" else None
        known = dict.fromkeys(ASKED, UNKNOWN) if way is None else _known(way, temperatures.get(row["model"]))
        found[row["task"], row["model"]] = {**known, "runs": row["seeds"], "protocol": row["protocol"]}
    return found


def _known(way: Mapping[str, object], temperature: float | None) -> Way:
    return {
        "prompt": "published" if str(way["prompt"] or "").startswith("published") else "own",
        "glossary": way["glossary"],
        "shots": way["shots"],
        "examples": way["examples"],
        "temperature": temperature,
        "reasoning": "yes" if way["reasoning"] else "no",
    }


def differences(figure: Figure, asked: Iterable[Way]) -> list[str]:
    """Return in words the components of our ways that differ from a figure's, in the order of ``ASKED``."""
    every = list(asked)
    return [
        _WORDS[name](way.get(name), figure[name])
        for name in ASKED
        if figure[name] is not None
        for way in [next((way for way in every if way.get(name) != figure[name]), None)]
        if way is not None
    ]


def nearest(figures: Iterable[F_co], asked: Ways) -> Iterator[Nearest[F_co]]:
    """Yield figures with the task that was asked most like each, of its own models if they were asked.

    Otherwise any model tells how a task was asked, but for the temperature, which is a model's own.
    """
    for figure in figures:
        own = [job for job in asked if job[1] in (figure["model"], figure["second"])]
        tasks = dict.fromkeys(task for task, _ in own)
        every = [(task, [asked[job] for job in own if job[0] == task]) for task in tasks]
        options = every or [(task, [way]) for (task, _), way in asked.items()] or [("", [{}])]
        key = figure if every else {**figure, "temperature": None}
        compared = [Nearest(figure, task, differences(key, of_task)) for task, of_task in options]
        yield min(compared, key=lambda one: len(one.differs))


def left_out(judged: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the note below a table on the figures that stand beside none of ours, from what differs of each."""
    counts = Counter("; ".join(differs) for differs in judged if differs)
    if counts:
        listed = ", ".join(f"{count:,} “{differs}”" for differs, count in counts.most_common())
        yield f"Published figures left out, as ours are otherwise: {listed}; see the table of published figures."


def _said(words: Mapping[Any, str], otherwise: str) -> Callable[[object, object], str]:
    return lambda ours, _: words.get(ours, otherwise)


def _counted(thing: str) -> Callable[[object, object], str]:
    def said(ours: object, theirs: object) -> str:
        return f"{thing}: {'not known' if ours in (None, UNKNOWN) else ours}, not {theirs}"

    return said


_SETS = {
    "paper": "sets without free points",
    "audited": "certified sets or wordings",
    "fair": "certified sets, fair to all ends",
    "anagram": "certified sets of anagrams",
}
_WORDS: Mapping[str, Callable[[object, object], str]] = {
    "prompt": _said({"own": "asked with nlfol's own prompt"}, "prompt not known"),
    "glossary": _said(
        {"glosses": "glosses shown", "symbols": "symbols without glosses", "none": "no vocabulary shown"},
        "vocabulary not known",
    ),
    "protocol": _said(_SETS, "protocol of sets or wordings not known"),
    "shots": _counted("solved examples"),
    "examples": _said({"plain": "examples in plain words", "varied": "examples in varied words"}, "examples not known"),
    "temperature": _counted("temperature"),
    "reasoning": _said({"yes": "asked with reasoning", "no": "asked without reasoning"}, "reasoning not known"),
    "runs": _counted("runs"),
}
