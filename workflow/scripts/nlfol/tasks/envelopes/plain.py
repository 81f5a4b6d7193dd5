"""Answers in plain text: ``Answer: …`` and its usual dress, or a line for each field and row.

A lone answer stands behind a label. The best label there is counts: a *final answer*, a box or *answer*; then a
sentence such as "the answer is 3" at the end; then other labels, a lone line of code, or a text of one line. Of several
fields each stands behind its name::

    Lines:
    1. Cold(bob, True)
    2. Cold($x, True) >>> Sad($x, True)
    Query: Sad(bob, True)
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from nlfol.mappings import JsonDict, JsonObject
from nlfol.tasks.envelopes.fitting import ANSWER, REASONING, Schema, fitted, is_lone, row_of, undressed, unmarked
from nlfol.tasks.envelopes.hedges import WRONG, is_denied, is_hedged, last_turn, sentence_before
from nlfol.tasks.envelopes.liberties import ContradictionError, MisfitError
from nlfol.tasks.envelopes.prose import number_told, order_told, word_told

_DRESS = r"[\s>#_*•\-✅☑✔👉➡🟢→⇒️]*"
_ANSWER = (
    r"(?:answer|antwort|r[ée]ponse|respuesta|resposta|risposta|lösung|ответ|答案?|回答|答え|结论|結論"
    r"|verdict|judge?ment)"
)
_BEFORE = rf"{_DRESS}(?:(?:so|thus|therefore|hence),?\s+)?(?:(?:the|my)\s+)?"
_BEHIND = r"[\s*_]*(?:(?:[:：=—–→是为]|(?<!\w)(?:is|lautet|ist|est|es)\b:?)[\s*_]*(.*)|$)"
_FINAL = re.compile(rf"{_BEFORE}(?:correct\s+)?{_ANSWER}{_BEHIND}", re.IGNORECASE)
_BEST = re.compile(
    rf"{_BEFORE}(?:(?:final|corrected|revised)\s+(?:{_ANSWER}|choice|ranking|order|formula|translation)"
    rf"|{_ANSWER}\s+finale?|correction){_BEHIND}",
    re.IGNORECASE,
)
_OTHER = re.compile(
    rf"{_DRESS}(?:(?:the|my)\s+)?(?:(?:final|correct|best|resulting|logical|first-order(?: logic)?|fol)\s+)?"
    r"(?:formula|translation|formalization|ranking|order|choice|english|verdict|result|conclusion|expression|fol|"
    r"first-order logic|regular expression|regex|output)[\s*_]*(?:[:：]|(?<!\w)is\b:?)[\s*_]*(.*)",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:answer|choice|formula|translation|ranking|order|option|expression)(?:\s+is)?(?:\s+(?:formula|candidate|"
    r"rephrasing|number))?\s*(?::|\bis\b:?)\s*(.{1,2000})|\b(?:I\s+(?:would\s+)?(?:choose|pick|select)|is)\s+"
    r"((?:formula|rephrasing|option|candidate|statement|number)\W*\d{1,6})\W*$",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"\A\s*(?:assistant|model)\s*[:：]\s*", re.IGNORECASE)
_SHORT = 200
_NOT_THE = re.compile(rf"{WRONG}[^.,;:]{{0,20}}\Z", re.IGNORECASE)
_WORST = re.compile(r"\b(?:least|worst|opposite|negation|second best)\b", re.IGNORECASE)
_BOX = re.compile(r"\\boxed ?\{((?:[^{}]|\{[^{}]*\})*)\}")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_BLOCK = re.compile(r"^[ \t]*```[^\n]*\n([^`]*?)\n[ \t]*```[ \t]*$", re.MULTILINE)
_NO_ANSWER = re.compile(
    r"\b(?:I\s+(?:cannot|can['’]t|could not|am unable|am not able|do not know|don['’]t know|won['’]t)"
    r"|I['’]m\s+(?:sorry|unable|not)"
    r"|as an AI|sorry|unable to|not able to|cannot (?:be )?(?:determine|answer|translat|help|assist))",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?(?:answer|final|final_answer|output|response|result|formula)>", re.IGNORECASE)


def plain_answers(text: str, schema: Schema) -> list[JsonDict]:
    """Return the answers that a text gives in plain words, each different one once, in their order."""
    if is_lone(schema):
        part = schema["properties"][ANSWER]
        return _different(_lone(text, part), {REASONING: ""} if REASONING in schema["properties"] else {})
    return _grouped(text, schema)


def final_answers(text: str, schema: Schema) -> list[JsonDict]:
    """Return the answers that stand behind the best labels alone."""
    if not is_lone(schema):
        return []
    part = schema["properties"][ANSWER]
    return _different(_fitting(_finals(text), part), {REASONING: ""} if REASONING in schema["properties"] else {})


def _different(values: Sequence[Any], before: JsonObject) -> list[JsonDict]:
    answers: dict[str, JsonDict] = {}
    for value in values:
        answers.setdefault(alike(value), {**before, ANSWER: value})
    return list(answers.values())


def alike(value: Any) -> str:
    """Return what two ways to write an answer have in common."""
    return re.sub(r"[\s$.`]+", "", str(value))


def _lone(text: str, schema: Schema) -> list[Any]:
    text = _SPEAKER.sub("", text)
    turn = last_turn(text)
    if turn is not None:
        start, end, is_sure = turn
        rest = text[end:]
        values = _fitting(_finals(rest), schema) or _fitting(_told(rest, schema), schema)
        if not values and (is_sure or "type" not in schema):
            values = _fitting(iter(rest.strip().splitlines()[:1]), schema) if len(rest) < _SHORT else []
        if values:
            return values
        if is_sure and _unturned(text[:start], schema):
            return []
    return _unturned(text, schema)


def _unturned(text: str, schema: Schema) -> list[Any]:
    """Return the values of a text that takes nothing back."""
    lines = _lines(text)
    if not lines:
        return []
    candidates = (
        _finals(text), _within(lines), _behind(lines, _OTHER), _blocks(text), _bare(lines, text), _told(text, schema)
    )  # fmt: skip
    for listed in candidates:
        if values := _fitting(listed, schema):
            return values
    return []


def _told(text: str, schema: Schema) -> Iterator[Any]:
    """Yield the choice, ranking or word of a closed list that sentences say."""
    items: Schema = schema.get("items", {})
    told: Any = None
    if schema.get("type") == "array" and "enum" in items:
        told = order_told(text, items["enum"])
    elif schema.get("type") == "integer" and "enum" in schema:
        told = number_told(text, schema["enum"])
    elif "enum" in schema:
        told = word_told(text, schema["enum"])
    if told is not None:
        yield told


def _lines(text: str) -> list[str]:
    """Return the lines that are not empty, without marks of code."""
    return [line for line in _TAG.sub("\n", text).splitlines() if line.strip() and not _FENCE.match(line)]


def _fitting(candidates: Iterator[Any], schema: Schema) -> list[Any]:
    values = []
    is_open = schema.get("type") == "string" and "enum" not in schema
    for candidate in candidates:
        if not isinstance(candidate, str):
            values.append(candidate)
            continue
        value = undressed(candidate)
        if not re.search(r"\w", value) or (is_open and _NO_ANSWER.search(value[:200])):
            continue
        try:
            values.append(fitted(value, schema, lambda _: None))
        except MisfitError:
            continue
    return values


def _finals(text: str) -> Iterator[str]:
    """Yield what stands in boxes, and behind the labels that say *final* or *corrected*, or else behind "answer"."""
    yield from _boxes(text)
    lines = _lines(text)
    best = list(_behind(lines, _BEST))
    yield from best or _behind(lines, _FINAL)


def _behind(lines: Sequence[str], label: re.Pattern[str]) -> Iterator[str]:
    """Yield what stands behind a label: the rest of its line, or the next line."""
    for index, line in enumerate(lines):
        if (match := label.match(line[:20_000])) is None:
            continue
        if match[1] is not None and is_denied(line[: match.start(1)], match[1]):
            continue
        if index and is_hedged(sentence_before(lines[index - 1], line)):
            continue
        rest = "" if match[1] is None else line[match.start(1) :]
        if rest.strip(" *_:"):
            is_open = line[: match.start(1)].count("**") % 2
            yield _unboxed(rest.rstrip().removesuffix("**") if is_open else rest)
        elif index + 1 < len(lines):
            yield _unboxed(lines[index + 1])


def _unboxed(text: str) -> str:
    return next(_boxes(text), text)


def _boxes(text: str) -> Iterator[str]:
    return (match[1] for match in _BOX.finditer(text))


def _within(lines: Sequence[str]) -> Iterator[str]:
    """Yield what the last line says the answer is, by its first sentence that does not leave it open."""
    line = lines[-1][:4_000]
    before = sentence_before(lines[-2], line) if len(lines) > 1 else ""
    match = _WITHIN.search(line)
    while match:
        start = match.start(1) if match[1] else match.start(2)
        is_worst = match[2] and _WORST.search(line[: match.start()])
        if (
            not is_worst
            and not _NOT_THE.search(line[: match.start()])
            and not is_hedged(before + line[: match.start()])
            and not (match[1] and is_denied(line[:start], match[1]))
        ):
            yield match[1] or match[2]
            return
        match = _WITHIN.search(line, start)


def _blocks(text: str) -> Iterator[str]:
    blocks = [block.strip() for block in _BLOCK.findall(text)]
    if len(blocks) == 1 and "\n" not in blocks[0]:
        yield blocks[0]


def _bare(lines: Sequence[str], text: str) -> Iterator[str]:
    """Yield a text of one line, or a last line that the line before announces."""
    if len(lines) == 1 and not _NO_ANSWER.search(text[:400]) and lines[0].strip()[0] not in "{<":
        # A dash before one line is a negation, or the reader's to drop.
        yield unmarked(lines[0]) if len(lines[0]) < 200 and lines[0].lstrip()[0] in "*•" else lines[0]
    elif (
        len(lines) > 1
        and lines[-2].rstrip(" *_").endswith(":")
        and re.search(r"answer|formula|translat|order|rank", lines[-2], re.I)
    ):
        yield lines[-1]


# Several fields


@lru_cache(maxsize=64)
def _titles(names: tuple[str, ...]) -> re.Pattern[str]:
    spelled = "|".join(re.escape(name).replace("_", r"[\s_]") for name in names)
    before = rf"{_DRESS}(?:final answer[\s*_]*:[\s*_]*)?"
    return re.compile(
        rf"{before}({spelled}){_DRESS}(?:[:：][\s*_]*(.*)|$)|\s*\*\*({spelled})\*\*\s+(.*)", re.IGNORECASE
    )


def _grouped(text: str, schema: Schema) -> list[JsonDict]:
    """Return the whole answers of a text; a field that stands there again begins another one.

    Raises ``ContradictionError`` if a field of one answer stands there twice, with different lines.
    """
    properties: JsonObject = schema["properties"]
    wanted = [name for name in properties if name != REASONING]
    titles = _titles((REASONING, *wanted))
    groups: list[dict[str, list[str]]] = [{}]
    last: list[str] = []
    for line in _TAG.sub("\n", text).splitlines():
        if _FENCE.match(line):
            continue
        match = titles.match(line) if len(line) < 20_000 else None
        if match is None:
            last.append(line)
            continue
        title, rest = (match[1], match[2]) if match[1] else (match[3], match[4])
        name = re.sub(r"\s", "_", title.casefold())
        if name in groups[-1]:
            groups.append({})
        last = groups[-1][name] = [rest] if (rest or "").strip() else []
    answers: dict[str, JsonDict] = {}
    lacking = 0
    for group in groups:
        if not all(name in group for name in wanted):
            lacking += any(name in group for name in wanted)
            continue
        answer: JsonDict = {REASONING: ""} if REASONING in properties else {}
        for name in wanted:
            answer[name] = _field(group[name], properties[name])
        answers.setdefault(alike(answer), answer)
    if answers and lacking:
        raise ContradictionError("a part of the answer stands there twice")
    return list(answers.values())


def _field(lines: Sequence[str], schema: Schema) -> Any:
    rows = [line.strip() for line in lines]
    if schema.get("type") != "array":
        if not rows:
            raise MisfitError("an empty field")
        return fitted(undressed(rows[0]), schema, lambda _: None)
    items: Schema = schema["items"]
    is_none = [row.strip("-*•. ").casefold() for row in rows if row] in (["none"], [""], [])
    listed = [] if is_none else _rows(rows, items)
    if not listed and schema.get("minItems", 1):
        raise MisfitError("no rows")
    return fitted(listed, schema, lambda _: None)


def _rows(rows: Sequence[str], items: Schema) -> list[Any]:
    if items.get("type") != "object":
        written = [row for row in rows if row]
        # Dashes are bullets where two or more rows have one, and none is without.
        is_list = len(written) > 1 and all(row.startswith("-") for row in written)
        return [undressed(unmarked(row) if is_list or not row.startswith("-") else row) for row in written]
    listed = []
    for index, row in enumerate(rows):
        if set(row) <= set("|-: "):
            continue
        try:
            listed.append(row_of(undressed(row), items))
        except MisfitError:
            # Words after a gap are none of the rows.
            if not index or rows[index - 1]:
                raise
            break
    head = [str(part).casefold() for part in listed[0].values()] if listed else []
    return listed[1:] if head == [name.casefold() for name in items["properties"]] else listed
