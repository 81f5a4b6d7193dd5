"""Reading what interfaces send as JSON, where that is not quite as agreed, or not quite what UTF-8 can hold."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

M = TypeVar("M", bound=BaseModel)
_MOST_TOKENS = 10**9
"""A server that counts more does not know."""


def _known(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return None


BESIDE: Final = WrapValidator(_known)
"""What stands beside an answer and is not as agreed is unknown: no reason to throw away what was paid for."""
Word = Annotated[str | None, BESIDE]
"""A text beside an answer."""
Tokens = Annotated[Annotated[int, Field(ge=0, le=_MOST_TOKENS)] | None, BESIDE]
"""A number of tokens beside an answer."""


def read_body(form: type[M], content: bytes) -> M:
    """A body as one of the forms; halves of surrogate pairs in its texts become U+FFFD, and a byte order mark goes.

    A server that cuts texts between two UTF-16 units sends such halves, also when it is asked again.

    Raises:
        pydantic.ValidationError: if it is no such body.
    """
    try:
        return form.model_validate_json(content)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
            raise
        try:
            mended = without_halves(json.dumps(json.loads(content), ensure_ascii=False))
        except (ValueError, RecursionError):
            raise error from None
        return form.model_validate_json(mended)


def without_halves(text: str) -> str:
    """A text with U+FFFD for each half of a surrogate pair, which JSON can say and UTF-8 cannot."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
