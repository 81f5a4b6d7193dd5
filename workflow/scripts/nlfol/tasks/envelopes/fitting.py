"""Fitting values to the schema of an answer, in as many of its forms as leave no doubt what is meant."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nlfol.mappings import JsonDict, JsonObject
from nlfol.tasks.envelopes.liberties import ContradictionError, Liberty, MisfitError
from nlfol.tasks.envelopes.prose import number_named, number_told, order_told, word_told

Schema = JsonObject
"""A neutral JSON schema (``nlfol.models.request``)."""

REASONING, ANSWER = "reasoning", "answer"

ALIASES = frozenset((
    "final_answer", "final", "correct_answer", "formula", "fol", "fol_formula", "translation", "choice", "ranking",
    "order", "english", "verdict", "result", "label", "output", "response", "solution", "regex", "value", "index",
    "number", "most_similar", "best_match", "fol_translation", "logical_form", "prediction",
))  # fmt: skip
"""Keys that stand for a lone answer."""

_PAIRS = (
    ("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"), ("“", "”"), ("„", "“"), ("«", "»"), ("$$", "$$"), ("$", "$"),
    (r"\(", r"\)"),
)  # fmt: skip
_WRAPPED = re.compile(r"\\(?:boxed|text(?:bf|it|tt|rm)?|mathrm)\{([^{}]*)\}")
_NAMES = r"(?:formula|rephrasing|candidate|option|statement|number|sentence|choice|answer|program|no)"
_NUMBER = re.compile(rf"\W*(?:{_NAMES}\W*)?(\d{{1,9}})(?:\.0+)?\W*", re.IGNORECASE)
_NUMBER_BEFORE = re.compile(rf"\W*(?:{_NAMES}\W*)?(\d{{1,9}})\s*[.):(,;–—-]\s*(\D.*)", re.IGNORECASE | re.DOTALL)
_LETTER_BEFORE = re.compile(r"\A\W*[A-H]\W*[.):]\W*", re.IGNORECASE)
_NUMBER_WORDS = frozenset(
    ("formula", "rephrasing", "candidate", "option", "statement", "number", "sentence", "then", "and")
)
MOST_CLOSED = 2_000
"""Characters of a value of a closed list that are read."""

_ROW = re.compile(
    r"(?:[-*•+]\s+)?(?:\*\*)?(?:(?:sentence|line|unit|option|no\.?)\s+)?\(?(\d{1,6}|[^\W\d]\w*)\)?(?:\*\*)?\s*[.):]\s*(?:\*\*)?\s*(.*)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?:[-*•+]\s+|\(?\d{1,6}[.):]\s+)")

Note = Callable[[Liberty], None]


def fitted(value: Any, schema: Schema, note: Note) -> Any:
    """Return a value in the form of a schema, noting liberties; raises ``MisfitError`` if it does not fit.

    Raises ``ContradictionError`` if a key has two values in two spellings.
    """
    kind = schema.get("type")
    if kind == "object":
        return _object(value, schema, note)
    if kind == "array":
        return _list(value, schema, note)
    if kind == "integer":
        return _integer(value, schema.get("enum"), note)
    return _word(value, schema["enum"], note) if "enum" in schema else _text(value, note)


def is_lone(schema: Schema) -> bool:
    """Return whether an answer is one value, apart from its reasoning."""
    return [name for name in schema["properties"] if name != REASONING] == [ANSWER]


def undressed(text: str) -> str:
    """Return a text without emphasis, quotes, or marks of code and mathematics around the whole."""
    bare = text.strip()
    while True:
        before = bare
        if match := _WRAPPED.fullmatch(bare):
            bare = match[1].strip()
        for first, last in _PAIRS:
            inner = bare[len(first) : -len(last)]
            if inner and bare.startswith(first) and bare.endswith(last) and first not in inner and last not in inner:
                bare = inner.strip()
        if bare == before:
            return bare


def _object(value: Any, schema: Schema, note: Note) -> JsonDict:
    properties = schema["properties"]
    if not isinstance(value, Mapping):
        raise MisfitError("no object")
    given = value if value.keys() <= properties.keys() else _respelled(value, properties, note)
    answer: JsonDict = {}
    for name, part in properties.items():
        if name == REASONING:
            answer[name] = _reasoning(given, note)
        elif name not in given:
            raise MisfitError(f"no {name}")
        else:
            answer[name] = fitted(given[name], part, note)
    return answer


def _respelled(value: JsonObject, properties: JsonObject, note: Note) -> JsonDict:
    """Return the fields that are asked for, by their names: in any case, with blanks or dashes."""
    note(Liberty.KEY)
    respelled: JsonDict = {}
    others: JsonDict = {}
    for key, part in value.items():
        name = re.sub(r"\W+", "_", key.strip().casefold()).strip("_")
        into = respelled if name in properties else others
        if name in into and into[name] != part:
            raise ContradictionError(f"key {name[:40]!r} has two values")
        into[name] = part
    if ANSWER in properties and ANSWER not in respelled:
        named = [name for name in others if name in ALIASES]
        if len(named) == 1:
            respelled[ANSWER] = others[named[0]]
    return respelled


def _reasoning(given: JsonObject, note: Note) -> str:
    reasoning = given.get(REASONING)
    if isinstance(reasoning, str):
        return reasoning
    note(Liberty.REASONING)
    return "\n".join(map(str, reasoning)) if isinstance(reasoning, list) else ""


def _list(value: Any, schema: Schema, note: Note) -> list[Any]:
    items: Schema = schema["items"]
    if not isinstance(value, list):
        note(Liberty.VALUE)
        value = _as_list(value, items)
    entries = [_item(entry, items, note) for entry in value]
    if schema.get("uniqueItems") and sorted(entries) != sorted(items["enum"]):
        raise MisfitError("no permutation")
    return entries


def _item(value: Any, schema: Schema, note: Note) -> Any:
    if schema.get("type") == "object" and isinstance(value, str):
        note(Liberty.VALUE)
        value = row_of(value, schema)
    return fitted(value, schema, note)


def _as_list(value: Any, items: Schema) -> list[Any]:
    """Return the list that a value of another form stands for; raises ``MisfitError`` if it is none."""
    if isinstance(value, Mapping):
        names = list(items.get("properties", ()))
        if len(names) == 2 and not value.keys() & set(names):
            return [{names[0]: key, names[1]: part} for key, part in value.items()]
        return [value]
    if isinstance(value, str):
        if items.get("type") == "integer":
            words = re.findall(r"\w+", _short(value).replace(".0", "").casefold())
            offered = items.get("enum")
            if offered and sorted(filter(str.isdecimal, words)) != sorted(map(str, offered)):
                words = list(map(str, order_told(value, offered) or words))
            elif offered and (order := order_told(value, offered)) is not None:
                return order
            if not all(word.isdecimal() or word in _NUMBER_WORDS for word in words):
                raise MisfitError("no list of numbers")
            return [int(word) for word in words if word.isdecimal()]
        return [line.strip() for line in value.splitlines() if line.strip()]
    raise MisfitError("no list")


def row_of(text: str, schema: Schema) -> JsonDict:
    """Return the fields of a line: ``3. TEXT`` of two fields, ``A | B | C`` of more."""
    names = list(schema["properties"])
    if len(names) == 2:
        match = _ROW.fullmatch(text.strip())
        if match is None:
            raise MisfitError("no row")
        return {names[0]: match[1], names[1]: undressed(match[2])}
    parts = [part.strip() for part in unmarked(text).removeprefix("|").split("|", len(names) - 1)]
    if len(parts) == len(names) - 1 and schema["properties"][names[-1]].get("type") == "string":
        parts.append("")  # the bar before an empty last field is left out
    if len(parts) < len(names):
        raise MisfitError("no row")
    parts[-1] = parts[-1].removesuffix("|").strip()
    lists = [name for name, part in schema["properties"].items() if part.get("type") == "array"]
    row: JsonDict = dict(zip(names, map(undressed, parts), strict=True))
    return row | {name: [part.strip() for part in row[name].split(";") if part.strip()] for name in lists}


def unmarked(text: str) -> str:
    """Return a line without the bullet or number before it."""
    line = text.strip()
    match = _BULLET.match(line)
    return line[match.end() :] if match else line


def _integer(value: Any, offered: Sequence[int] | None, note: Note) -> int:
    number = value
    if not isinstance(value, int) or isinstance(value, bool):
        note(Liberty.VALUE)
        number = _number(value, offered)
    if offered is not None and number not in offered:
        raise MisfitError(f"{number} is not offered")
    return int(number)


def _number(value: Any, offered: Sequence[int] | None) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list):
        return _number(value[0], offered) if not _is_integer(value[0]) else int(value[0])
    if isinstance(value, str):
        text = undressed(_short(value))
        if match := _NUMBER.fullmatch(text):
            return int(match[1])
        match = _NUMBER_BEFORE.fullmatch(text)
        if match and not _others(match[2], int(match[1]), offered):
            return int(match[1])
        number = number_named(text)
        if number is None and offered is not None:
            number = number_told(text, offered)
        if number is not None:
            return number
    raise MisfitError("no number")


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _others(text: str, number: int, offered: Sequence[int] | None) -> bool:
    """Return whether a text after a number names another one that is offered."""
    named = {int(digits) for digits in re.findall(r"(?<!\w)\d{1,9}(?!\w)", text)} - {number}
    return bool(named & set(offered or named))


def _word(value: Any, offered: Sequence[str], note: Note) -> str:
    if value in offered:
        return str(value)
    note(Liberty.VALUE)
    if isinstance(value, bool):
        pairs = (("true", "false"), ("yes", "no"))
        value = next((pair[not value] for pair in pairs if set(pair) <= set(offered)), None)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str) and not _is_integer(value):
        raise MisfitError("no word")
    text = undressed(_short(str(value)))
    by_word = {word.casefold(): word for word in offered}
    lettered = all(len(word) == 1 for word in offered)
    for candidate in (text, text if lettered else _LETTER_BEFORE.sub("", text)):
        if (word := by_word.get(candidate.strip(" .。!:;,()[]{}*\"'").casefold())) is not None:
            return word
    option = re.fullmatch(r"(?:option|answer|choice)\W*(\w+)", text.rstrip(".!"), re.IGNORECASE)
    if option and option[1].casefold() in by_word:
        return by_word[option[1].casefold()]
    try:
        return _first_word(text, by_word)
    except MisfitError:
        if (told := None if lettered else word_told(text, offered)) is None:
            raise
        return told


def _first_word(text: str, by_word: Mapping[str, str]) -> str:
    """Return the word that a text begins with, before a sign, if it names no other."""
    match = re.match(r"\W*(\w+)\W*[.):,;–—(-]\s*\S", text)
    if match is None or (word := by_word.get(match[1].casefold())) is None:
        raise MisfitError("no word that is offered")
    rest = text[match.end(1) :]
    if len(word) == 1:  # an option's letter, and what the option says
        others = set(re.findall(r"(?<!\w)[A-Z](?!\w)(?!\s+[a-z])", rest))
    else:
        others = {other.casefold() for other in re.findall(r"\w+", rest)}
    if others & {other for other in by_word.values() if other != word}:
        raise MisfitError("several words")
    return word


def _short(text: str) -> str:
    if len(text) > MOST_CLOSED:
        raise MisfitError("too long")
    return text


def _text(value: Any, note: Note) -> str:
    if isinstance(value, str):
        return value
    note(Liberty.VALUE)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    if _is_integer(value):
        return str(value)
    raise MisfitError("no text")
