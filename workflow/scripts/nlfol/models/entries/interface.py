"""Entries of models that are asked over the network, and of servers that the workflow starts for them."""

import math
import re
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import (
    AfterValidator,
    Field,
    JsonValue,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    field_validator,
    model_validator,
)
from typing_extensions import override

from nlfol.models.entries.base import Entry, Part
from nlfol.models.entries.prices import Price
from nlfol.models.entries.source import Adapter, Source, TrainedAdapter
from nlfol.store.canonical import canonical

OPENAI_URL = "https://api.openai.com/v1"


def _variable(value: str) -> str:
    # A key pasted here by mistake must not travel on into logs and files.
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", value):
        raise ValueError("not the name of an environment variable (capitals, digits, underscores)")
    return value


def _address(value: str) -> str:
    try:
        parts = urlsplit(value)
        is_complete = bool(parts.hostname) and parts.port != 0
    except ValueError:
        # Whose message shows a part of the value, which may be a key.
        is_complete = False
    if not is_complete:
        raise ValueError("not an address: https://, a host, perhaps a port and a path")
    # Percent-encoded, too: user%3Apassword%40host.
    if "@" in unquote(value) or _OF_KEY.search(value):
        raise ValueError(_NO_KEY)
    return value


_KEY = re.compile(r"\b(sk|pk|rk)[-_][\w-]{8,}")
_OF_KEY = re.compile(rf"{_KEY.pattern}|[A-Za-z0-9]{{40,}}")
"""A text in a host or path that looks like a key; an account's number of 32 digits does not."""
_NO_KEY = (
    "a key or password in an address would stand in every file; put it into the environment variable that "
    "api_key_env names, and its header into key_header"
)

Address = Annotated[str, Field(pattern=r"^https?://[^\s@?#]+$"), AfterValidator(_address)]
"""URL of an interface, without a key, a query or a fragment."""
KeyVariable = Annotated[str, AfterValidator(_variable)] | None
"""Name of the environment variable that holds a key; None is an interface without keys."""


# "code" is the key of Azure's functions.
_NAME_OF_KEY = re.compile(r"\b(api)?(key|token|secret|password|auth|sig|signature|code)\b", re.IGNORECASE)


def _of_no_key(value: str) -> str:
    if _NAME_OF_KEY.search(value):
        raise ValueError(_NO_KEY)
    return value


def _of_no_keys(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Refuse texts that may be keys, at any depth, and numbers that JSON does not have."""

    def check(part: JsonValue, name: str) -> None:
        if isinstance(part, dict):
            for key, inner in part.items():
                if not re.fullmatch(r"[\w.-]{1,64}", key) or _OF_KEY.search(key):
                    raise ValueError("a name has at most 64 letters, digits and . _ -; correct it")
                check(inner, key)
        elif isinstance(part, list):
            for inner in part:
                check(inner, name)
        elif isinstance(part, float) and not math.isfinite(part):
            raise ValueError(f"{name}: no number of JSON; correct it")
        elif isinstance(part, str) and (
            _NAME_OF_KEY.search(name.replace("_", "-")) or _OF_KEY.search(part) or not re.fullmatch(_WORDS, part)
        ):
            raise ValueError(
                f"{name}: no place for a key, which would stand in every file; a text has at most 32 letters, digits, "
                "spaces and . : / -, and a key stands in the environment variable that api_key_env names"
            )

    check(value, "")
    return value


_Name = Annotated[str, Field(pattern=r"^[a-z][a-z-]*$"), AfterValidator(_of_no_key)]
_WORDS = r"[\w.:/ -]{0,32}"
Parameters = Annotated[dict[str, JsonValue], AfterValidator(_of_no_keys)]
"""Parameters as an entry has them written, at any depth; no place for a key."""


def _no_key(value: str) -> str:
    if _KEY.search(value):
        raise ValueError(_NO_KEY)
    return value


_Value = Annotated[str, Field(pattern=r"^[\w.-]{1,32}$"), AfterValidator(_no_key)]
Header = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z-]*$")] | None
"""Name of an HTTP header, or None."""


_AT_ONCE, _FIRST = 16, 2
_WORD_OF_A_COMMAND = re.compile(r"\w[\w./:-]*")


class Interface(Entry):
    """A model that is asked over the network, whatever it is asked."""

    backend: str
    model: Annotated[str, Field(min_length=1), AfterValidator(_no_key)]
    """The provider's name of it; prefer dated ones."""
    base_url: Address | None = None
    """None is OpenAI itself."""
    query: dict[_Name, _Value] = Field(default_factory=dict)
    """Added to every address, such as Azure's ``api-version``; no place for a key."""
    api_key_env: KeyVariable = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key; never the key. None is an interface without keys."""
    key_header: Header = None
    """The header that carries the key by itself, such as Azure's ``api-key``; None is ``Authorization: Bearer``."""
    concurrency: PositiveInt | None = None
    """Requests under way at once, over all jobs that ask the same interface with the same key; None is 16, to which an
    interface without keys comes step by step."""
    requests_per_minute: PositiveInt | None = None
    """Over all those jobs; None is any number."""
    tokens_per_minute: PositiveInt | None = None
    """Tokens of prompts and completions over all those jobs; None is any number."""
    timeout: PositiveFloat = 120.0
    """Time limit of one attempt, in seconds; 600 by default without keys."""
    retries: NonNegativeInt = 6
    """Further attempts after a fault that may pass (429, 5xx, connection); waits honour ``Retry-After``. One by default
    without keys."""
    price: Price | None = None
    """Price of its tokens where the table lacks it or has it wrong."""
    reaching: ClassVar[frozenset[str]] = Entry.reaching | {
        *("api_key_env", "concurrency", "key_header", "price", "requests_per_minute", "retries", "timeout"),
        "tokens_per_minute",
    }

    @model_validator(mode="before")
    @classmethod
    def _patient(cls, value: Any) -> Any:
        # A server of one's own may compute one answer at a time, and goes on with one that was given up.
        own = isinstance(value, dict) and value.get("api_key_env", "") is None
        return {"timeout": 600.0, "retries": 1, **value} if own else value

    @property
    def at_once(self) -> int:
        """Most requests under way at once."""
        return self.concurrency or _AT_ONCE

    @property
    def first_at_once(self) -> int:
        """Requests under way at once before any is answered."""
        return _FIRST if self.concurrency is None and self.api_key_env is None else self.at_once

    @property
    def runs_here(self) -> bool:
        """True if the workflow itself serves the model."""
        return False

    @property
    def url(self) -> str:
        """Return the address without a slash at its end; raises ``ValueError`` for a server not yet started."""
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


NOT_OF_AN_ENTRY = frozenset(
    {
        *(
            "--",
            "--api-key",
            "--api-key-file",
            "--config",
            "--hf-token",
            "--host",
            "--lora",
            "--lora-modules",
            "--model",
        ),
        *("--port", "--revision", "--served-model-name", "--tokenizer-revision", "--uds", "-m"),
    }
)
"""Arguments that the workflow itself gives a server, files of arguments, which the identity would miss, and keys."""

_OF_OTHERS = ("base_url", "query", "api_key_env", "key_header", "price", "batch")
"""Keys about somebody else's server."""


class Serve(Part):
    """A server of weights, which the workflow starts on the machine where the jobs run that ask."""

    engine: Literal["vllm", "llama.cpp"]
    """Its software."""
    source: Source
    """Its weights, for llama.cpp a GGUF file; vLLM gets one as the local loop does, converted."""
    adapter: Adapter | None = None
    """A LoRA adapter in the form of peft, for llama.cpp a GGUF file; None is the model as it is."""
    context: PositiveInt = 8192
    """Prompt and completion together, in tokens; less where the weights have less."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Type that vLLM computes in; ``auto`` is its choice. llama.cpp computes with what the GGUF file holds."""
    arguments: tuple[str, ...] = ()
    """Further ones of the command, such as ``--reasoning-parser=qwen3``; all are part of the model's identity."""
    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = Field(default=None, exclude=True)
    """The command without arguments, such as ``[python, -m, vllm.entrypoints.openai.api_server]``; None is that of the
    engine which is installed. As ``start``, it is no part of the identity."""
    start: PositiveFloat = Field(default=1800.0, exclude=True)
    """Seconds that it may take from the start to the first answer. No answer depends on it, so it is left out wherever
    an entry is written down."""

    @field_validator("arguments")
    @classmethod
    def _of_the_model(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for argument in value:
            name = argument.partition("=")[0].replace("_", "-")
            if name in NOT_OF_AN_ENTRY or name.startswith("--ssl-"):
                raise ValueError(f"{name} is not for an entry to say; take it out")
        return value

    @model_validator(mode="after")
    def _of_the_engine(self) -> Self:
        if self.engine != "llama.cpp":
            return self
        if self.dtype != "auto":
            raise ValueError("dtype: llama.cpp computes with what the GGUF file holds; take it out")
        if isinstance(self.adapter, TrainedAdapter):
            raise ValueError("adapter.trained: llama.cpp takes GGUF files alone; serve it with vllm, or convert it")
        return self

    @property
    def identity(self) -> list[str]:
        """The weights and all that they are served with, in parts; see ``materialisation.identity``."""
        given = {"context": self.context, "dtype": self.dtype, "arguments": canonical(self.arguments)}
        usual = {"context": 8192, "dtype": "auto", "arguments": "[]"}
        others = [f"{name}={value}" for name, value in given.items() if value != usual.get(name)]
        return [f"{self.engine}:{self.source.identity}", *others]


class ServableInterface(Interface):
    """An OpenAI-compatible interface: that of a server which is there, or of one that the workflow starts."""

    serve: Serve | None = None
    """Server that the workflow starts for the model; None if somebody else serves it."""

    @model_validator(mode="before")
    @classmethod
    def _without_a_key(cls, value: Any) -> Any:
        served = isinstance(value, dict) and value.get("serve") is not None
        return {"api_key_env": None, **value} if served else value

    @model_validator(mode="after")
    def _served_or_addressed(self) -> Self:
        if self.serve is None:
            return self
        if given := [name for name in _OF_OTHERS if getattr(self, name, None)]:
            raise ValueError(
                "serve: a server started by the workflow has no address, key, batches or price of its own: "
                f"take out {', '.join(given)}, or serve"
            )
        if not _WORD_OF_A_COMMAND.fullmatch(self.model):
            raise ValueError("model: has letters, digits and . _ / : - and begins with none of the signs; correct it")
        return self

    @property
    @override
    def runs_here(self) -> bool:
        return self.serve is not None

    @property
    @override
    def url(self) -> str:
        if self.serve is not None and self.base_url is None:
            raise ValueError(f"{self.identity}: has no address before its server runs")
        return super().url

    @property
    @override
    def address(self) -> list[str]:
        return super().address if self.serve is None else self.serve.identity
