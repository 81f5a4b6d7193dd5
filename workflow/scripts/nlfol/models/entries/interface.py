"""The entry of a model that is asked over the network."""

from __future__ import annotations

import re
from typing import Annotated, TypeGuard
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, NonNegativeInt, PositiveFloat, PositiveInt

from nlfol.models.entries.base import Entry
from nlfol.models.entries.prices import Price

OPENAI_URL = "https://api.openai.com/v1"


def _variable(value: str) -> str:
    # A key pasted here by mistake must not travel on into logs and files.
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", value):
        raise ValueError("not the name of an environment variable (capitals, digits, underscores)")
    return value


def _address(value: str) -> str:
    try:
        parts = urlsplit(value)
        whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        # Whose message shows a part of the value, which may be a key.
        whole = False
    if not whole:
        raise ValueError("not an address: https://, a host, perhaps a port and a path")
    return value


Address = Annotated[str, Field(pattern=r"^https?://[^\s@?#]+$"), AfterValidator(_address)]
"""Of an interface: without a key, a query or a fragment."""
KeyVariable = Annotated[str, AfterValidator(_variable)] | None
"""Name of the environment variable that holds a key; None is an interface without keys."""


def _of_no_key(value: str) -> str:
    if re.search(r"\b(api)?(key|token|secret|password|auth|sig|signature)\b", value):
        raise ValueError(
            "a key in an address would stand in every file; put it into the environment variable that api_key_env "
            "names, and its header into key_header"
        )
    return value


_Name = Annotated[str, Field(pattern=r"^[a-z][a-z-]*$"), AfterValidator(_of_no_key)]
_Value = Annotated[str, Field(pattern=r"^[\w.-]{1,32}$")]
Header = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z-]*$")] | None
"""Of HTTP."""


class Interface(Entry):
    """A model that is asked over the network, whatever it is asked."""

    backend: str
    model: str = Field(min_length=1)
    """The provider's name of it; prefer dated ones."""
    base_url: Address | None = None
    """None is OpenAI itself."""
    query: dict[_Name, _Value] = Field(default_factory=dict)
    """Added to every address, such as Azure's ``api-version``; no place for a key."""
    api_key_env: KeyVariable = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key; never the key. None is an interface without keys."""
    key_header: Header = None
    """The header that carries the key by itself, such as Azure's ``api-key``; None is ``Authorization: Bearer``."""
    concurrency: PositiveInt = 16
    """Requests under way at once, over all jobs that ask the same interface with the same key."""
    requests_per_minute: PositiveInt | None = None
    """Over all those jobs; None is any number."""
    tokens_per_minute: PositiveInt | None = None
    """Of prompts and completions, over all those jobs; None is any number."""
    timeout: PositiveFloat = 120.0
    """Of one attempt, in seconds."""
    retries: NonNegativeInt = 6
    """Further attempts after a fault that may pass (429, 5xx, connection); waits honour ``Retry-After``."""
    price: Price | None = None
    """What its tokens cost, where the table of prices does not say it, or not rightly."""

    @property
    def runs_here(self) -> bool:
        """Whether the workflow itself serves the model."""
        return False

    @property
    def url(self) -> str:
        """The interface's address, without a slash at its end."""
        return (self.base_url or OPENAI_URL).rstrip("/")

    @property
    def address(self) -> list[str]:
        """The interface and the model, as the first parts of an identity."""
        named = f"{self.backend}:{self.url}/{self.model}"
        return [named, *(f"{name}={self.query[name]}" for name in sorted(self.query))]

    @property
    def identity(self) -> str:
        """The model in one line."""
        return ";".join(self.address)


def is_remote(entry: Entry) -> TypeGuard[Interface]:
    """Whether a model is behind somebody else's interface, and may cost something."""
    return isinstance(entry, Interface) and not entry.runs_here
