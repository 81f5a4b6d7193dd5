"""One model's entry in the configuration, as pydantic models.

Two levels of alternatives: ``kind`` (chat, embedding, reader, chance), then ``backend``; and ``source`` says where
weights come from by the one key it has (``package``, ``hub`` or ``path``). Nothing unknown is accepted.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    Tag,
    TypeAdapter,
    model_validator,
)

from nlfol.models.batch_entry import Batch, VllmBatch
from nlfol.models.canonical import canonical
from nlfol.models.capabilities import Capabilities, Effort, Structure
from nlfol.models.prices import Price
from nlfol.models.resources import Resources

_SHA256 = r"^[0-9a-f]{64}$"
_COMMIT = r"^[0-9a-f]{40}$"
_THINKING = "enable_thinking"
OPENAI_URL = "https://api.openai.com/v1"
GEMINI_URL = "https://generativelanguage.googleapis.com/v1beta"


def _relative(value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{value!r} is no path inside a package; write it relative, without '..'")
    return value


def _distinct(value: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(value)) != len(value):
        raise ValueError("seeds repeat; every seed once")
    return value


def _variable(value: str) -> str:
    # A key pasted here by mistake must not travel on into logs and files.
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", value):
        raise ValueError("not the name of an environment variable (capitals, digits, underscores)")
    return value


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PackageSource(_Part):
    """Weights that lie in an installed Python package, which is never imported."""

    package: str = Field(min_length=1)
    """Name of the distribution."""
    version: str = Field(min_length=1)
    """Its exact version."""
    file: Annotated[str, Field(min_length=1), AfterValidator(_relative)]
    """A file in it (GGUF, safetensors) or a directory in it, by the end of its path."""
    sha256: str = Field(pattern=_SHA256)
    """Of the file; of a directory, of the ``model.safetensors`` in it."""

    @property
    def identity(self) -> str:
        """The source in one line, revision included."""
        return f"package:{self.package}@{self.version}/{self.file}#sha256:{self.sha256}"


class HubSource(_Part):
    """A repository of the Hugging Face hub, downloaded once and read from its cache."""

    hub: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    """``owner/name``."""
    revision: str = Field(pattern=_COMMIT)
    """The full commit hash: a branch or a tag can move."""

    @property
    def identity(self) -> str:
        """The source in one line, revision included."""
        return f"hub:{self.hub}@{self.revision}"


class PathSource(_Part):
    """A directory, or a GGUF file, on this machine."""

    path: str = Field(min_length=1)
    """Absolute, or relative to the working directory."""

    @property
    def identity(self) -> str:
        """The source in one line; its content's digest is added when it is materialised."""
        return f"path:{PurePosixPath(self.path).name}"


def _source(value: Any) -> str | None:
    keys = value if isinstance(value, dict) else type(value).model_fields if isinstance(value, BaseModel) else ()
    found = [name for name in ("package", "hub", "path") if name in keys]
    return found[0] if len(found) == 1 else None


Source = Annotated[
    Annotated[PackageSource, Tag("package")] | Annotated[HubSource, Tag("hub")] | Annotated[PathSource, Tag("path")],
    Discriminator(
        _source,
        custom_error_type="source",
        custom_error_message="a source has exactly one of the keys 'package', 'hub' and 'path'",
    ),
]
"""Where weights come from."""


class Sampling(_Part):
    """How the next token is drawn."""

    temperature: NonNegativeFloat = 0.0
    """0 is greedy: the likeliest token, whatever the seed."""
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Mass of the nucleus sampled from."""


class Limits(_Part):
    """How long an answer may be."""

    reasoning: PositiveInt = 1000
    """Of the reasoning, in characters."""
    formula: PositiveInt = 500
    """Of a formula, in characters."""
    tokens: PositiveInt = 1024
    """Of the answer, in tokens; of the whole completion where a thought has no limit of its own."""
    thinking: PositiveInt | None = 4096
    """Of the thought before the answer, in tokens, where the model is to think; None is no limit of its own."""


class _Model(_Part):
    items: PositiveInt | None = None
    """How many items of a task are asked, drawn by the experiment's seed; None is all."""
    resources: Resources = Resources()
    """What its jobs may use; no part of what answers depend on."""


class _Chat(_Model):
    kind: Literal["chat"]
    sampling: Sampling = Sampling()
    limits: Limits = Limits()
    seeds: Annotated[tuple[NonNegativeInt, ...], Field(min_length=1), AfterValidator(_distinct)] = (0,)
    """One run of the whole task for each."""


class LocalChatSpecification(_Chat):
    """A dialogue model that runs here, through transformers."""

    backend: Literal["transformers"]
    source: Source
    adapter: PathSource | None = None
    """A LoRA adapter, in the form of peft, whose weights are added to the model's; None is the model as it is."""
    context: PositiveInt = 8192
    """Prompt and completion together, in tokens."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Of the weights; ``auto`` is what they are stored as."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """``auto`` is every CUDA device there is, and the CPU where there is none."""
    max_memory: dict[int | str, str] | None = None
    """Of each device, as accelerate takes it (``{0: 20GiB, cpu: 60GiB}``); what exceeds it goes to the next and then to
    the disk. None is all there is."""
    batch_size: PositiveInt = 16
    """Prompts answered side by side."""
    constrained: bool = True
    """Whether answers are held to the schema while they are written; free answers are another experiment."""
    thinking: bool | None = False
    """Whether the model thinks in free text before it answers; None is not to tell its chat template either way."""
    thinking_end: str = Field(default="</think>", min_length=1)
    """What ends a thought, as the model writes it."""
    template: dict[str, bool | int | str] = {}
    """Further variables of the chat template; one that a template does not know changes nothing."""

    @model_validator(mode="after")
    def _room(self) -> Self:
        thought = self.limits.thinking if self.thinking else None
        if self.limits.tokens + (thought or 0) >= self.context:
            named = "limits.tokens" if thought is None else f"limits.thinking {thought} and limits.tokens"
            raise ValueError(
                f"{named} {self.limits.tokens} leave no room for a prompt in {self.context} tokens; "
                "lower them, or raise context if the model has more"
            )
        return self

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if _THINKING in self.template:
            raise ValueError(f"template.{_THINKING} is set by the key thinking; write it there")
        return self

    @property
    def without_thinking(self) -> LocalChatSpecification:
        """The same entry, not thinking."""
        return self.model_copy(update={"thinking": False})

    @property
    def variables(self) -> dict[str, bool | int | str]:
        """Of the chat template."""
        return self.template if self.thinking is None else {_THINKING: self.thinking, **self.template}

    @property
    def identity(self) -> str:
        """The model in one line, as far as the entry tells; see ``materialisation.identity``."""
        return self.named(self.source.identity)

    def named(self, source: str) -> str:
        """The model in one line, with its source as given."""
        parts = [source, f"dtype={self.dtype}", "constrained" if self.constrained else "free"]
        if self.template:
            parts.append(f"template={canonical(self.template)}")
        if self.thinking:
            parts.append(f"thinking={canonical([self.limits.thinking, self.thinking_end])}")
        elif self.thinking is None:
            parts.append("thinking=untold")
        return ";".join(parts)


class Interface(_Model):
    """A model that is asked over the network, whatever it is asked."""

    backend: str
    model: str = Field(min_length=1)
    """The provider's name of it; prefer dated ones."""
    base_url: str | None = Field(default=None, pattern=r"^https?://[^\s@?#]+$")
    """None is OpenAI itself."""
    query: dict[Annotated[str, Field(pattern=r"^[a-z][a-z-]*$")], Annotated[str, Field(pattern=r"^[\w.-]{1,32}$")]] = {}
    """Added to every address, such as Azure's ``api-version``; no place for a key."""
    api_key_env: Annotated[str, AfterValidator(_variable)] | None = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key; never the key. None is an interface without keys."""
    key_header: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z-]*$")] | None = None
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


class ApiChatSpecification(_Chat, Interface):
    """A dialogue model behind an OpenAI-compatible interface."""

    backend: Literal["openai"]
    structured: Structure = "json_schema"
    """How answers are held to their schema; what is not ``json_schema`` is part of the model's identity."""
    reasoning_effort: Effort | None = None
    """None is the provider's own."""
    capabilities: Capabilities | None = None
    """What the model accepts, where the table of capabilities does not say it, or not rightly."""
    accept_failed: Annotated[float, Field(ge=0, le=1)] = 0.0
    """The share of requests that may stay without an answer; with more of them the job ends with an error."""
    price: Price | None = None
    """What its tokens cost, where the table of prices does not say it, or not rightly."""
    batch: Batch = None
    """Whether requests are answered in batches; the answers are the same."""

    @model_validator(mode="after")
    def _addressed(self) -> Self:
        if isinstance(self.batch, VllmBatch) and self.base_url is None:
            raise ValueError("batch of kind vllm: give the base_url at which vllm would serve the model")
        return self

    @property
    def thinking(self) -> bool | None:
        """Whether the model is told to reason before it answers; None is the provider's own."""
        return None if self.reasoning_effort is None else self.reasoning_effort != "none"

    @property
    def without_thinking(self) -> ApiChatSpecification:
        """The same entry, not reasoning."""
        return self.model_copy(update={"reasoning_effort": "none"})

    @property
    def identity(self) -> str:
        """The model in one line, with whatever the entry says that its answers depend on."""
        parts = self.address
        if self.reasoning_effort is not None:
            parts.append(f"reasoning_effort={self.reasoning_effort}")
        if self.structured != "json_schema":
            parts.append(f"structured={self.structured}")
        return ";".join(parts)

    @property
    def accepted(self) -> Capabilities:
        """What the model accepts: what the entry declares, and otherwise everything."""
        return self.capabilities or Capabilities()


Similarity = Literal["cosine", "dot", "euclidean", "manhattan"]


class _Embedding(_Model):
    """An embedding model, and how its vectors are compared.

    Entries that differ in ``similarity`` and ``dimensions`` alone share their vectors.
    """

    kind: Literal["embedding"]
    query_prompt: str | None = None
    """Put before every query; None is nothing."""
    document_prompt: str | None = None
    """Put before every document; None is nothing."""
    similarity: Similarity = "cosine"
    """Of two vectors; of a distance its negative."""
    dimensions: PositiveInt | None = None
    """Of each vector so many first dimensions are compared (Matryoshka truncation); None is all."""

    def prompt(self, role: Literal["query", "document"]) -> str:
        """What is put before a text in a role."""
        return (self.query_prompt if role == "query" else self.document_prompt) or ""

    @property
    def prompts(self) -> list[str]:
        """The prompts as a part of an identity; none where there are none."""
        prompts = [self.prompt("query"), self.prompt("document")]
        return [f"prompts={canonical(prompts)}"] if any(prompts) else []

    @property
    def comparison(self) -> str:
        """How vectors are compared, in one line."""
        return self.similarity if self.dimensions is None else f"{self.similarity} of {self.dimensions} dimensions"


class EmbeddingSpecification(_Embedding):
    """An embedding model that runs here, through sentence-transformers."""

    backend: Literal["sentence_transformers"]
    source: Source
    tokens_per_batch: PositiveInt | None = None
    """Encoded side by side, padding included; None is 2,048 on the CPU, for its caches' sake, and 65,536 on CUDA."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """``auto`` is a CUDA device, and the CPU where there is none."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "float32"
    """Of the weights; ``auto`` is what they are stored as."""

    @property
    def identity(self) -> str:
        """The model in one line, as far as the entry tells; see ``materialisation.identity``."""
        return self.named(self.source.identity)

    def named(self, source: str) -> str:
        """The model in one line, with its source as given."""
        return ";".join([source, f"dtype={self.dtype}", *self.prompts])


class _ApiEmbedding(_Embedding, Interface):
    """An embedding model behind an interface."""

    output_dimensions: PositiveInt | None = None
    """Asked of the interface, for models that can shorten their vectors; None is as many as the model has."""
    texts_per_request: Annotated[int, Field(gt=0, le=2048)] = 100
    """At most so many texts side by side."""
    tokens_per_request: PositiveInt = 20_000
    """At most so many, estimated at three characters each; a text that has more is sent alone."""

    @property
    def identity(self) -> str:
        """The model in one line, with whatever the entry says that its vectors depend on."""
        shortened = [] if self.output_dimensions is None else [f"output_dimensions={self.output_dimensions}"]
        return ";".join([*self.address, *shortened, *self.prompts])


class OpenaiEmbeddingSpecification(_ApiEmbedding):
    """An embedding model behind an OpenAI-compatible interface (``/embeddings``)."""

    backend: Literal["openai"]
    encoding: Literal["base64", "float"] = "base64"
    """How vectors are asked for, with the same numbers; whatever comes is read."""


class GeminiEmbeddingSpecification(_ApiEmbedding):
    """An embedding model behind Gemini's own interface (``batchEmbedContents``)."""

    backend: Literal["gemini"]
    base_url: str = Field(default=GEMINI_URL, pattern=r"^https?://[^\s@?#]+$")
    api_key_env: Annotated[str, AfterValidator(_variable)] | None = "GEMINI_API_KEY"
    key_header: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z-]*$")] | None = "x-goog-api-key"
    texts_per_request: Annotated[int, Field(gt=0, le=100)] = 100
    task_type: Annotated[str, Field(pattern=r"^[A-Z][A-Z_]*$")] | None = "SEMANTIC_SIMILARITY"
    """What the vectors are for, such as ``SEMANTIC_SIMILARITY``; None is for models without."""

    @property
    def identity(self) -> str:
        """The model in one line, with whatever the entry says that its vectors depend on."""
        return ";".join([super().identity, *([f"task_type={self.task_type}"] if self.task_type else [])])


ApiEmbeddingSpecification = OpenaiEmbeddingSpecification | GeminiEmbeddingSpecification
"""An embedding model behind an interface."""


class ChanceSpecification(_Model):
    """No model: the score of answering by chance."""

    kind: Literal["chance"]

    @property
    def identity(self) -> str:
        """The baseline's name."""
        return "chance"


class ReaderSpecification(_Model):
    """No language model: a parser of the candidates' English that is handed the gold formula, see ``reader``."""

    kind: Literal["reader"]

    @property
    def identity(self) -> str:
        """The baseline's name."""
        return "reader"


ChatSpecification = Annotated[LocalChatSpecification | ApiChatSpecification, Field(discriminator="backend")]
"""A dialogue model."""

ModelSpecification = Annotated[
    ChatSpecification
    | Annotated[EmbeddingSpecification | ApiEmbeddingSpecification, Field(discriminator="backend")]
    | ReaderSpecification
    | ChanceSpecification,
    Field(discriminator="kind"),
]
"""Any model: the type of one entry."""

_ADAPTER: TypeAdapter[ModelSpecification] = TypeAdapter(
    # A key pasted into the wrong field must not come back in the error's text.
    ModelSpecification,
    config=ConfigDict(hide_input_in_errors=True),
)

REACHING = frozenset(
    {
        *("api_key_env", "batch", "concurrency", "key_header", "max_memory", "price", "requests_per_minute"),
        *(
            "encoding",
            "resources",
            "retries",
            "texts_per_request",
            "timeout",
            "tokens_per_minute",
            "tokens_per_request",
        ),
    }
)
"""Keys of an entry that say how the model is reached and what its jobs may use."""

_INDIFFERENT = REACHING | {"accept_failed", "batch_size", "device", "items", "seeds", "tokens_per_batch"}


def read_specification(json: str) -> ModelSpecification:
    """Read one entry from JSON, as it travels from a rule to a script.

    Raises:
        pydantic.ValidationError: naming every field at fault.
    """
    return _ADAPTER.validate_json(json)


def answer_settings(specification: ModelSpecification) -> str:
    """The part of an entry on which single answers depend, as canonical JSON.

    How many items and seeds are asked, how fast and on what device, change no answer and are left out, so that a
    change of theirs makes nothing stale.
    """
    return canonical(specification.model_dump(mode="json", exclude=set(_INDIFFERENT)))
