"""The items that rows of answers are about, where they name them in another way than the dataset does.

Texts decide where rows have them, since numbers of another edition of a dataset name other problems. Without texts,
names are taken as they are if the dataset knows all of them; else the number at their end, if that is an item for all;
else that number and one more or less, if each item of the dataset has a row then. Where no text is one of the
dataset's, as in other words, names alone count. A name that is none of these stays, and its row is refused.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from string import digits
from typing import NamedTuple

from nlfol.asking.answer_files import AnswerRow
from nlfol.tasks.item import Item

_NUMBERED = re.compile(r"(.*?)([0-9]{1,9})")
_LETTER = re.compile(r"[A-Z]\)\s*")
_WORDS = re.compile(r"[\W_]+")
_NEARLY = 98.0
"""The least similarity, in per cent, of texts of which one was edited."""


class Found(NamedTuple):
    """The item of each row; reasons to refuse rows, by their number; a word on how items were found; and a hint.

    ``edited`` are names of rows whose text is that of their item but for a slip, as in another edition of the dataset.
    """

    items: Sequence[str]
    refused: Mapping[int, str]
    told: str = ""
    hint: str = ""
    edited: Sequence[str] = ()


def found(rows: Sequence[AnswerRow], items: Iterable[Item], refused: Collection[str]) -> Found:
    """Return the items of rows, among usable ``items`` and the names of ``refused`` ones."""
    usable, names = list(items), [row.item for row in rows]
    known = {*(item.item for item in usable), *refused}
    has_texts = any(row.about for row in rows) and any(item.problem for item in usable)
    if has_texts and (by_text := _by_text(rows, usable, refused)) is not None:
        return by_text
    if has_texts or all(name in known for name in names):
        return Found(names, {}, "items were found by their names, as no text is one of the dataset's" * has_texts)
    numbers = [match[2] if (match := _NUMBERED.fullmatch(name)) else "" for name in names]
    if all(str(int(number or -1)) in known for number in numbers):
        return Found([str(int(number)) for number in numbers], {}, "items were found by the number in their names")
    of_rows = {name.rstrip(digits) for name in names}
    hint = ""
    for by, how in ((-1, "subtract 1 from"), (1, "add 1 to")):
        shifted = _shifted(names, by)
        if set(shifted) == {name for name in known if name.rstrip(digits) in of_rows}:
            note = f"items were found: {how} the numbers of all {len(names)} rows, and each item has one"
            return Found(shifted, {}, note)
        if all(name in known for name in shifted):
            hint = f"; those of all {len(names)} rows exist if you {how} their numbers"
    return Found(names, {}, hint=hint)


def _shifted(names: Iterable[str], by: int) -> list[str]:
    return [
        f"{match[1]}{int(match[2]) + by}" if (match := _NUMBERED.fullmatch(name)) else f"{name} without a number"
        for name in names
    ]


def _by_text(rows: Sequence[AnswerRow], items: Sequence[Item], refused: Collection[str]) -> Found | None:
    """Return the items whose texts rows have; None if no text is that of an item."""
    by_text: defaultdict[str, list[str]] = defaultdict(list)
    options: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for item in items:
        problem = item.asked
        question = problem.question.text
        asked = question.rpartition("? ")[2]  # LINC's conclusions stand alone
        texts[item.item] = f"{problem.context} {question}"
        for text in {f"{problem.context} {question}", f"{problem.context} {asked}"}:
            by_text[plain(text)].append(item.item)
        options[item.item] = sorted(plain(option.text) for option in problem.options)
    placed: list[str | None] = []
    reasons: dict[int, str] = {}
    for number, row in enumerate(rows):
        fitting = by_text.get(plain(row.about or ""), [])
        given = sorted(plain(_LETTER.sub("", option, count=1)) for option in row.options or ())
        if len(fitting) > 1 and given:
            fitting = [item for item in fitting if options[item] == given]
        elif fitting and given and not {*given} & {*options[fitting[0]]}:
            fitting = []
        if len(fitting) > 1:
            fitting = [row.item] if row.item in fitting else fitting
        placed.append(fitting[0] if len(fitting) == 1 else None)
        if len(fitting) > 1:
            reasons[number] = f"its text fits the items {', '.join(fitting[:5])}; name one of them"
    if not any(placed) and not reasons:
        return None
    for number, twin in _twins(rows, placed):
        placed[number], reasons[number] = None, f"its text is that of item {twin}, which another row names"
    shifts = Counter(
        shift for row, item in zip(rows, placed, strict=True) if item and (shift := _shift(row.item, item)) is not None
    )
    only = next(iter(shifts)) if len(shifts) == 1 else None
    edited: list[str] = []
    for number, row in enumerate(rows):
        if placed[number] is None and number not in reasons:
            # One shift fits all others: it tells the items of texts that were edited, and those that were refused.
            meant = _moved(row.item, only, {*refused, *texts})
            if meant in texts and not nearly(row.about or "", texts[meant]):
                meant = None
            edited += [row.item] * (meant in texts)
            placed[number] = meant
            if meant is None:
                reasons[number] = "no usable item of the dataset has its text"
    named = sum(row.item == item for row, item in zip(rows, placed, strict=True))
    note = "" if named + len(reasons) == len(rows) else "items were found by their texts"
    if note and only is not None:
        note += f"; their numbers are those of the rows{f' {only:+d}' if only else ''}"
    return Found([item or row.item for row, item in zip(rows, placed, strict=True)], reasons, note, edited=edited)


def _twins(rows: Sequence[AnswerRow], placed: Sequence[str | None]) -> list[tuple[int, str]]:
    """Return rows that have the text of an item which another row names, with the item: those of problems not asked."""
    answers: defaultdict[tuple[str, tuple[object, ...]], list[int]] = defaultdict(list)
    for number, (row, item) in enumerate(zip(rows, placed, strict=True)):
        if item is not None:
            answers[item, (row.presentation, row.seed, row.step)].append(number)
    twins: list[tuple[int, str]] = []
    for (item, _), numbers in answers.items():
        named = [number for number in numbers if _shift(rows[number].item, item) == 0]
        if len(named) == 1:
            twins += [(number, item) for number in numbers if number not in named]
    return twins


def _shift(name: str, item: str) -> int | None:
    one, other = _NUMBERED.fullmatch(name), _NUMBERED.fullmatch(item)
    return int(other[2]) - int(one[2]) if one and other else None


def _moved(name: str, shift: int | None, known: Collection[str]) -> str | None:
    if shift is None or not (match := _NUMBERED.fullmatch(name)):
        return name if shift is None and name in known else None
    moved = int(match[2]) + shift
    return next((item for item in (f"{match[1]}{moved}", str(moved)) if item in known), None)


def nearly(one: str, other: str) -> bool:
    """Return whether two texts are the same but for a slip in a few words."""
    from rapidfuzz.fuzz import ratio  # start-up time

    return float(ratio(plain(one), plain(other))) >= _NEARLY


def plain(text: str) -> str:
    """Return a text as its words alone, in lower case."""
    return _WORDS.sub(" ", text.lower()).strip()
