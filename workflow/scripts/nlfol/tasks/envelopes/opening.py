"""Opening an answer's envelope: from what a model wrote to the object that its step asked for.

An answer of the agreed form passes as it is. Of any other, thoughts and special tokens are dropped; then the last
object that fits the schema is the answer, or, where there is none, the answer in plain text. Objects within thoughts
do not count, nor those without their end. Two different answers are none.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from json import dumps
from typing import Any, NamedTuple

from nlfol.logic.reading.finding import is_closed_over, lone_formula
from nlfol.logic.syntax import Formula
from nlfol.mappings import JsonDict, JsonObject
from nlfol.tasks.cpu_limit import TookTooLongError, limited_cpu
from nlfol.tasks.envelopes.fitting import ANSWER, REASONING, Schema, fitted
from nlfol.tasks.envelopes.formulas import Sought
from nlfol.tasks.envelopes.hedges import is_retracted, last_turn
from nlfol.tasks.envelopes.liberties import ContradictionError, Liberty, MisfitError
from nlfol.tasks.envelopes.objects import COMMENTS, Found, Repeated, objects, strict_object, with_commands
from nlfol.tasks.envelopes.plain import alike, final_answers, plain_answers

MAX_TEXT = 200_000
"""Characters of an answer that are opened."""

MAX_LONE = 10_000
"""Characters of an answer that is looked at as a formula alone, which no limit of time watches."""

_THOUGHTS = r"think|thinking|thought|reasoning|reflection|scratchpad|analysis"
_THOUGHT = re.compile(
    rf"<(/?)(?:{_THOUGHTS})>|\[(/?)THINK\]|<\|(?:START|(END))_THINKING\|>|(?:◁(/?)think▷)", re.IGNORECASE
)
_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*(?:<\|[a-z]+\|>[^<]{0,40})?<\|message\|>")
_CHANNELS = "<|channel|>"
_TURN = re.compile(
    r"<\|(?:im_start|start_header_id|start)\|>\s*(?:(?:assistant|model)\b\s*)?(?:<\|end_header_id\|>)?|<start_of_turn>\s*(?:model\b)?"
)
_TOKEN = re.compile(r"<[|｜][^|｜<>\n]{1,40}[|｜]>|</?(?:s|bos|eos|pad|unk|end_of_turn|endoftext)>|\[/?INST\]|\ufeff")


_MARKS = re.compile(r"[<\[◁\ufeff]")
"""Beginnings of thoughts, special tokens and turns."""
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=\s|\Z)|\n|\Z|[.!?])")
_CALLED_WITH = "arguments"
_MOST_NESTED = 3
"""Objects around an answer, as in ``tool_calls``."""


class Opened(NamedTuple):
    """An answer as an object of the agreed form, or as it was; empty, with a fault, if it is not to be read."""

    text: str
    liberties: tuple[Liberty, ...] = ()
    fault: str | None = None


def is_simple(text: str) -> bool:
    """Return whether a text that a form's reader accepts is of the agreed form for sure: it is cheap to tell.

    Such a text has one key but for its reasoning, and no backslash that could be another's than JSON's.
    """
    return text.count('":') <= 2 and text.count('"answer"') == 1 and "\\" not in text


def opened(text: str, schema: Schema, *, plain: bool = False, sought: Sought | None = None) -> Opened:
    """Open an answer to a step with a schema; ``plain`` if plain text was agreed on, so that it is no liberty.

    A formula that is ``sought`` is found among whatever stands around it.
    What cannot be opened stays as it is, for the reader of the form to refuse.
    """
    if len(text) > MAX_TEXT:
        return Opened(text)
    if sought is not None and text.startswith("{") and lone_answer(text, schema, sought) is not None:
        return Opened(text)
    try:
        noted: set[Liberty] = set()
        with limited_cpu():
            if _is_agreed(text, schema) and (sought is None or sought.is_formula(strict_object(text)[ANSWER])):
                return Opened(text)
            answer = _answer(text, schema, noted, sought)
    except TookTooLongError as error:
        return Opened("", fault=str(error))
    except ContradictionError as error:
        return Opened("", fault=f"the answer contradicts itself: {error}")
    except (MisfitError, RecursionError):
        return Opened(text)
    written = dumps(answer, ensure_ascii=False)
    try:
        written.encode()
    except UnicodeEncodeError:  # half a character
        return Opened(text)
    if plain:
        noted -= {Liberty.PLAIN}
    return Opened(written, tuple(sorted(noted)))


def lone_answer(text: str, schema: Schema, sought: Sought) -> Formula | None:
    """Return the formula that an answer is (``lone_formula``), by itself or in an object of the agreed form.

    Opened and read, such an answer is this formula, for sure. None of any other answer.
    """
    is_object = text.startswith("{")
    try:
        if len(text) > MAX_LONE or (is_object and not _is_agreed(text, schema)):
            return None
        bare = strict_object(text)[ANSWER] if is_object else text.strip()
        formula = None if sought.is_argument(bare) else lone_formula(bare, sought.signature)
        if formula is None or is_closed_over(formula, sought.signature):
            return formula
        if is_object:
            return formula if text.endswith("}") and not _MARKS.search(text) else None
        return formula if [answer[ANSWER] for answer in plain_answers(bare, schema)] == [bare] else None
    except ContradictionError:
        return None


def _is_agreed(text: str, schema: Schema) -> bool:
    """Return whether an answer is of the agreed form; raises ``ContradictionError`` by equal keys."""
    if not text.lstrip().startswith("{") or with_commands(text)[1]:
        return False
    noted: set[Liberty] = set()
    try:
        value = strict_object(text)
        fitted(value, schema, noted.add)
    except MisfitError:
        return False
    return not noted and not isinstance(value, Repeated)


def _answer(text: str, schema: Schema, noted: set[Liberty], sought: Sought | None) -> JsonDict:
    reply = _without_tokens(_without_thoughts(text, noted), noted)
    escaped, had_commands = with_commands(reply)
    searched = None
    fitting = list(_fitting(escaped, schema))
    if fitting and (corrected := _corrected(escaped, [found for found, _, _ in fitting], schema, noted, sought)):
        return corrected
    if fitting:
        located, answer, liberties = fitting[-1]
        outside = _outside(
            escaped, [candidate.start for candidate, _, _ in fitting], [candidate.end for candidate, _, _ in fitting]
        )
        others = [candidate for _, candidate, _ in fitting] + final_answers(outside, schema)
        noted |= liberties | located.liberties
        if had_commands:
            noted.add(Liberty.BACKSLASH)
        if "```" in outside or "~~~" in outside:
            noted.add(Liberty.FENCE)
        if re.search(r"\w", re.sub(r"(?:```|~~~)\w*", "", outside)):
            noted.add(Liberty.PROSE)
    elif _begins((REASONING, *schema["properties"])).search(reply):
        raise MisfitError("an object without its end, or of another form")
    else:
        noted.add(Liberty.PLAIN)
        searched = reply.strip()
        if sought is not None and (formula := sought.found_in(searched)) is not None:
            return {**({REASONING: ""} if REASONING in schema["properties"] else {}), ANSWER: formula}
        others = plain_answers(reply, schema)
        if not others:
            raise MisfitError("no answer")
        answer = others[-1]
    if len({alike(_bare(other)) for other in others}) > 1:
        raise ContradictionError(f"it gives {len({alike(_bare(other)) for other in others})} different answers")
    if len(fitting) > 1:
        noted.add(Liberty.REPEATED)
    if sought is not None and answer[ANSWER] != searched and not sought.is_formula(answer[ANSWER]):
        try:
            formula = sought.found_in(answer[ANSWER])
        except MisfitError as error:
            if sought.is_argument(answer[ANSWER]):  # of which the reader would take the first formula
                raise ContradictionError(str(error)) from error
            return answer
        if formula is not None:
            noted.add(Liberty.VALUE)
            return {**answer, ANSWER: formula}
    return answer


def _corrected(
    text: str, fitting: list[Found], schema: Schema, noted: set[Liberty], sought: Sought | None
) -> JsonDict | None:
    """Return the answer behind words that take an object's back; None where no words do, or only "wait" does.

    Raises ``ContradictionError`` if words take it back and give no other.
    """
    first = fitting[0].end
    prose = text[first:]
    for found in fitting[1:]:
        prose = prose[: found.start - first] + "\ufffc" * (found.end - found.start) + prose[found.end - first :]
    sentences = [match for match in _SENTENCE.finditer(prose) if is_retracted(match[0].strip(" *_`")) is not None]
    if not sentences:
        return None
    is_sure = any(is_retracted(match[0].strip(" *_`")) for match in sentences)
    turn = last_turn(prose[: sentences[-1].end()])
    begins = max(sentences[-1].start(), turn[1] if turn else 0)
    inner: set[Liberty] = set()
    try:
        rest = text[first + begins :]
        answer = _answer(rest, schema, inner, sought)
        if Liberty.PLAIN in inner and not _is_labelled(answer, rest, schema, sought):
            raise MisfitError("no other answer")
    except MisfitError as error:
        if is_sure:
            raise ContradictionError("it takes its answer back and gives no other") from error
        return None
    noted |= inner - {Liberty.PLAIN} | {Liberty.PROSE}
    return answer


def _is_labelled(answer: JsonDict, text: str, schema: Schema, sought: Sought | None) -> bool:
    """Return whether a plain answer is one for sure: any text could be English, so that it needs a label."""
    part = schema["properties"].get(ANSWER, {})
    if sought is not None:
        return sought.is_formula(answer[ANSWER])
    return part.get("type") != "string" or "enum" in part or answer in final_answers(text, schema)


@lru_cache(maxsize=64)
def _begins(keys: tuple[str, ...]) -> re.Pattern[str]:
    """Return what an object with one of these keys begins with: words in one that was cut off are no plain answer."""
    names = "|".join(map(re.escape, keys))
    return re.compile(rf"\{{{COMMENTS}(?:[\"'“]\s*)?(?:{names})\b", re.IGNORECASE)


def _bare(answer: JsonObject) -> list[Any]:
    return [part for name, part in answer.items() if name != REASONING]


def _outside(text: str, starts: list[int], ends: list[int]) -> str:
    pieces, last = [], 0
    for start, end in zip(starts, ends, strict=True):
        pieces.append(text[last:start])
        last = end
    return "\n".join([*pieces, text[last:]])


def _fitting(text: str, schema: Schema) -> Iterator[tuple[Found, JsonDict, set[Liberty]]]:
    """Yield the objects that fit, with the liberties that fitting took."""
    for located in objects(text):
        for answer, noted in _within(located.value, schema):
            yield located, answer, noted


def _within(value: Any, schema: Schema, depth: int = 0) -> Iterator[tuple[JsonDict, set[Liberty]]]:
    """Yield an object that fits, or else those among its values; the arguments of a call may be a text."""
    noted: set[Liberty] = {Liberty.NESTED} if depth else set()
    if isinstance(value, Repeated):
        noted.add(Liberty.REPEATED)
    try:
        yield fitted(value, schema, noted.add), noted
    except MisfitError:
        for name, part in value.items() if depth < _MOST_NESTED and isinstance(value, Mapping) else ():
            only = part[0] if isinstance(part, list) and len(part) == 1 else part
            if name == _CALLED_WITH and isinstance(only, str):
                with suppress(MisfitError):
                    only = strict_object(only)
            if isinstance(only, Mapping):
                yield from _within(only, schema, depth + 1)


def _without_thoughts(text: str, noted: set[Liberty]) -> str:
    """Drop thoughts: up to an end without beginning, and from a beginning without end."""
    if _CHANNELS in text:
        noted.add(Liberty.THOUGHT)
        finals = list(_CHANNEL.finditer(text))
        text = text[finals[-1].end() :] if finals else ""
    kept: list[str] = []
    depth = position = 0
    for match in _THOUGHT.finditer(text):
        if any(match.groups()):
            if depth == 0:
                kept.clear()
            depth = max(0, depth - 1)
        else:
            if depth == 0:
                kept.append(text[position : match.start()])
            depth += 1
        position = match.end()
    if position:
        noted.add(Liberty.THOUGHT)
    if depth == 0:
        kept.append(text[position:])
    return "".join(kept)


def _without_tokens(text: str, noted: set[Liberty]) -> str:
    plain = _TOKEN.sub("", _TURN.sub("", text))
    if plain != text:
        noted.add(Liberty.TOKEN)
    return plain
