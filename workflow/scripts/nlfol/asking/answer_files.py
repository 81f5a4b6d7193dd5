"""Reading files of answers that exist already, a RESPONSES file of a stored run among them."""

import io
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pyarrow as pa
import pyarrow.ipc
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    ValidationError,
)

from nlfol.asking.answer_forms import from_draws, from_released
from nlfol.facts import REFERENCES
from nlfol.mappings import JsonObject
from nlfol.store import files, schemas
from nlfol.store.records import SourceError, decode, json_value, read_table
from nlfol.tasks.envelopes import opened
from nlfol.tasks.reference import answer_json
from nlfol.validation import describe_faults, nearest, read_bytes, shortened

_ANSWERS_OF = ("chat", "written", "answers", *REFERENCES)
"""The kinds of models whose RESPONSES files hold answers."""


class AnswerFileError(SourceError):
    """A file of answers that cannot be used: the message names the file, the row and the remedy."""


def _numbers(value: Any) -> Any:
    """Split the numbers of a CSV cell: ``[2, 0, 1]`` or ``2 0 1``."""
    return value.strip("[] ").replace(",", " ").split() if isinstance(value, str) else value


class AnswerRow(BaseModel):
    """One row: an answer, or the reason why it is missing.

    Attributes:
        place: in the file, such as "line 3".
        item: the item's name in its dataset.
        answer: a text, or a JSON value.
        dataset: its name in the configuration; None if the file has no such column. Likewise ``task``.
        presentation: what candidates were shown as, and so on, as of ``schemas.RESPONSES``.
        order: the candidate shown at each place; None if answers name candidates by their place in the set.
        outcome: how the request ended; None if the answer tells.
        about: statements and question of the problem, and ``options``, where a released file has them.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True, coerce_numbers_to_str=True)

    place: str
    item: Annotated[str, Field(min_length=1)]
    answer: Any = None
    dataset: str | None = None
    task: str | None = None
    presentation: str | None = None
    seed: NonNegativeInt = 0
    step: PositiveInt = 1
    part: str | None = None
    order: Annotated[tuple[NonNegativeInt, ...] | None, BeforeValidator(_numbers)] = None
    outcome: Literal["answered", "truncated", "empty", "blank", "refused", "failed", "internal_error"] | None = None
    thinking: str | None = None
    finish_reason: str | None = None
    prompt_tokens: NonNegativeInt | None = None
    cached_tokens: NonNegativeInt | None = None
    completion_tokens: NonNegativeInt | None = None
    reasoning_tokens: NonNegativeInt | None = None
    seconds: NonNegativeFloat | None = None
    served_model: str | None = None
    cost: NonNegativeFloat | None = None
    error: str | None = None
    about: str | None = None
    options: tuple[str, ...] | None = None


_NEEDED = ("item", "answer")
_RELEASED = {"about", "options"}
"""Fields that files in a form of ``answer_forms`` have."""


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """A file of answers: columns that mean nothing here are unused, a RESPONSES file has recorded metadata.

    ``released`` is true of files of programs in a form of ``answer_forms``.
    """

    path: Path
    rows: list[AnswerRow]
    unused: list[str]
    recorded: Mapping[str, str] | None = None
    released: bool = False


def read_answer_file(path: Path) -> AnswerFile:
    """Read a file of answers.

    Raises ``AnswerFileError`` if a column is missing or a row does not hold what it should, ``SourceError`` if the file
    is empty, damaged, not UTF-8, or of an unknown format, ``StoreError`` if it is a damaged RESPONSES file.
    """
    content = read_bytes(path)
    released = None
    if path.suffix.lower() == ".json":
        released = from_draws(path, json_value(path, decode(path, content)))
    table = released or read_table(path, content)
    released = released or from_released(path, table)
    if released is not None:
        return AnswerFile(path, [_row(path, location, row) for location, row in released.rows], [], released=True)
    recorded = _recorded(path, content) if path.suffix.lower() in (".arrow", ".feather") else None
    names = list(dict.fromkeys(table.columns))
    if not table.rows:
        raise AnswerFileError(f"{path}: no answers in it; each row needs an item and an answer")
    for needed in _NEEDED:
        if needed not in names:
            raise AnswerFileError(
                f"{path}: no column {needed!r} among {shortened(names)}{nearest(needed, names)}; each row needs an "
                "item and an answer"
            )
    known = {*AnswerRow.model_fields, *schemas.RESPONSES.names} - _RELEASED
    rows = [
        _row(path, location, {name: row[name] for name in row if name not in _RELEASED}) for location, row in table.rows
    ]
    return AnswerFile(path, rows, [name for name in names if name not in known], recorded)


def _recorded(path: Path, content: bytes) -> Mapping[str, str] | None:
    """Return the metadata of a RESPONSES file; None of any other."""
    try:
        metadata = pa.ipc.open_file(io.BytesIO(content)).schema.metadata or {}
    except (pa.ArrowInvalid, OSError):
        return None  # a stream, or damaged, which reading it tells
    if b"nlfol.schema" not in metadata:
        return None
    recorded = files.metadata_of(files.read(path, schemas.RESPONSES))
    if recorded["kind"] not in _ANSWERS_OF:
        raise AnswerFileError(
            f"{path}: a model of kind {recorded['kind']} answers nothing in words; name the responses of another model"
        )
    return recorded


def _row(path: Path, location: str, row: JsonObject) -> AnswerRow:
    # An empty cell of a CSV file has no value, except for an answer: the model said nothing.
    given = {name: value for name, value in row.items() if value is not None and (value != "" or name == "answer")}
    try:
        return AnswerRow.model_validate({**given, "place": location})
    except ValidationError as error:
        meant = "" if "item" in given else nearest("item", given)
        raise AnswerFileError(f"{path}: {location}: {describe_faults(error, 'row')}{meant}; correct the row") from error


def as_written(answer: Any, schema: JsonObject, *, verbatim: bool, tolerant: bool = False) -> str | None:
    """Return an answer as a model writes it: a bare one becomes the object that the step agrees on.

    A text that begins with a brace is such an object already; with ``verbatim`` all texts stand as they are, with
    ``tolerant`` those with more around the answer, which its reader takes away.
    """
    if isinstance(answer, Mapping):
        return answer_json(answer)
    if answer is None or (isinstance(answer, str) and (verbatim or not answer.strip() or answer.lstrip()[0] == "{")):
        return answer
    properties = schema["properties"]
    fields = [name for name in properties if name != "reasoning"]
    if len(fields) > 1 or verbatim:
        # Not of the agreed form, as judging will say.
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    value = answer
    if isinstance(answer, str) and properties[fields[0]]["type"] != "string":
        with suppress(ValueError, RecursionError):
            value = json.loads(answer)
    if tolerant and value is answer and isinstance(answer, str):
        result = opened(answer, schema)
        if result.fault or (result.liberties and json.loads(result.text)[fields[0]] != answer.strip()):
            return answer
    before = {"reasoning": ""} if "reasoning" in properties else {}
    return answer_json({**before, fields[0]: value})
