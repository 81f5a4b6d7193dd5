"""Entries of dialogue models."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    JsonValue,
    PositiveFloat,
    PositiveInt,
    model_validator,
)

from nlfol import plugins
from nlfol.mappings import JsonDict
from nlfol.models.entries.base import Entry, Part, Seed
from nlfol.models.entries.interface import Interface
from nlfol.models.entries.provider_table import (
    Bound,
    Capabilities,
    Effort,
    ProviderTable,
    ProviderTableError,
    Structure,
)
from nlfol.models.entries.source import Adapter, Source, TrainedAdapter
from nlfol.store.canonical import canonical

THINKING = "enable_thinking"
"""The variable by which chat templates are told to think, or not to."""


def _distinct(value: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(value)) != len(value):
        raise ValueError("seeds repeat; every seed once")
    return value


class Sampling(Part):
    """Sampling parameters."""

    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    """0 is greedy: the likeliest token, whatever the seed."""
    top_p: Annotated[float, Field(gt=0, le=1)] | None = 1.0
    """Mass of the nucleus sampled from; None is the model's own: not sent, or that of ``generation_config.json``."""


class Limits(Part):
    """Limits of an answer, in tokens; a task's entry bounds its strings, in characters."""

    tokens: PositiveInt = 1024
    """Tokens of the answer, with the thought if that has no limit of its own; those of a task's reasoning are added."""
    thinking: PositiveInt | None = 4096
    """Tokens of the thought before the answer, if the model thinks; None sets no limit of its own."""


class _Chat(Entry):
    kind: Literal["chat"]
    sampling: Sampling = Sampling()
    limits: Limits = Limits()
    seeds: Annotated[tuple[Seed, ...], Field(min_length=1), AfterValidator(_distinct)] = (0,)
    """One run of the whole task for each."""
    logprobs: bool = False
    """Ask for the log-probability of each answer, too; answers without it are other requests."""
    answer: Literal["generation", "likelihood"] = "generation"
    """The answer is written, or it is the likeliest of the options, by the probability of each after the prompt: in
    tasks that are a choice, without reasoning."""
    shards: PositiveInt = 1
    """Jobs that ask for one task over one dataset side by side, each about its part of the items."""
    reaching: ClassVar[frozenset[str]] = Entry.reaching | {"shards"}

    @model_validator(mode="after")
    def _writes_nothing(self) -> Self:
        if self.answer == "likelihood":
            given = {
                "sampling.temperature": self.sampling.temperature,
                "thinking": getattr(self, "thinking", None),
                "reasoning_effort": getattr(self, "reasoning_effort", None),
                "batch": getattr(self, "batch", None),
                "structured: none": getattr(self, "structured", None) == "none",
                "constrained: false": not getattr(self, "constrained", True),
            }
            if taken := [name for name, value in given.items() if value]:
                raise ValueError(
                    f"answer: likelihood compares JSON objects and writes none; leave {', '.join(taken)} out"
                )
        return self


class LocalChatEntry(_Chat):
    """A dialogue model that runs here, through transformers."""

    backend: Literal["transformers"]
    source: Source
    adapter: Adapter | None = None
    """A LoRA adapter, in the form of peft, whose weights are added to the model's; None is the model as it is."""
    context: PositiveInt = 8192
    """Prompt and completion together, in tokens."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Type of the weights; ``auto`` is as they are stored."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """``auto`` is every CUDA device there is, and the CPU where there is none."""
    max_memory: dict[int | str, str] | None = None
    """Memory of each device, as accelerate takes it (``{0: 20GiB, cpu: 60GiB}``); the excess goes to the next and then
    to the disk. None is all there is."""
    batch_size: PositiveInt = 16
    """Prompts answered side by side."""
    constrained: bool = True
    """Hold answers to the schema while they are written; free answers are another experiment."""
    thinking: bool | None = False
    """Think in free text before the answer; None tells the chat template nothing."""
    thinking_end: str = Field(default="</think>", min_length=1)
    """The text with which the model ends a thought."""
    template: dict[str, bool | int | str] = Field(default_factory=dict)
    """Further variables of the chat template; one that a template does not know changes nothing."""

    reaching: ClassVar[frozenset[str]] = _Chat.reaching | {"max_memory"}

    @property
    def most_written(self) -> int:
        """Return the most tokens of a thought and an answer, without the reasoning that a task asks for."""
        return self.limits.tokens + ((self.limits.thinking or 0) if self.thinking else 0)

    @model_validator(mode="after")
    def _room(self) -> Self:
        thought = self.limits.thinking if self.thinking else None
        if self.most_written >= self.context:
            named = "limits.tokens" if thought is None else f"limits.thinking {thought} and limits.tokens"
            raise ValueError(
                f"{named} {self.limits.tokens} leave no room for a prompt in {self.context} tokens; "
                "lower them, or raise context if the model has more"
            )
        return self

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if THINKING in self.template:
            raise ValueError(f"template.{THINKING} is set by the key thinking; write it there")
        return self

    @property
    def trained(self) -> str | None:
        """The training that its adapter comes from; None without an adapter, or for one at a path."""
        return self.adapter.trained if isinstance(self.adapter, TrainedAdapter) else None

    @property
    def thinks(self) -> bool | None:
        """True or False tells the model to reason before it answers, or not to; None leaves it to the template."""
        return self.thinking

    @property
    def without_thinking(self) -> LocalChatEntry:
        """The entry of the model without thinking."""
        return self.model_copy(update={"thinking": False})

    @property
    def variables(self) -> dict[str, bool | int | str]:
        """Variables of the chat template."""
        return self.template if self.thinking is None else {THINKING: self.thinking, **self.template}

    @property
    def identity(self) -> str:
        """The model in one line, as far as the entry tells; see ``materialisation.identity``."""
        return self.named(self.source.identity)

    def named(self, source: str) -> str:
        """Return the model in one line, with its source as given."""
        parts = [source, f"dtype={self.dtype}", "constrained" if self.constrained else "free"]
        if self.answer != "generation":
            parts.append(f"answer={self.answer}")
        if self.template:
            parts.append(f"template={canonical(self.template)}")
        if self.thinking:
            parts.append(f"thinking={canonical([self.limits.thinking, self.thinking_end])}")
        elif self.thinking is None:
            parts.append("thinking=untold")
        return ";".join(parts)


MOST_REQUESTS, MOST_MEGABYTES = 50_000, 200
"""OpenAI's documented limits of a batch."""


class Batches(Part):
    """Batches of the interface's own: ``/files`` and ``/batches``, as OpenAI has them."""

    requests: Annotated[PositiveInt, Field(le=MOST_REQUESTS)] = MOST_REQUESTS
    """Most requests of a batch."""
    megabytes: Annotated[PositiveFloat, Field(le=MOST_MEGABYTES)] = 100.0
    """Largest file of a batch."""
    interval: PositiveFloat = 60.0
    """Seconds between two looks at batches in flight."""


def _whole(value: Any) -> Any:
    return ({} if value else None) if isinstance(value, bool) else value


class ApiChatEntry(_Chat, Interface):
    """A dialogue model behind an interface; each provider has its own entry (``nlfol.models.providers``)."""

    structured: Structure = "json_schema"
    """Means of holding answers to their schema; any but ``json_schema`` is part of the model's identity."""
    reasoning_effort: Effort | None = None
    """None is the provider's own."""
    capabilities: Capabilities | None = None
    """Capabilities that the table lacks or has wrong."""
    accept_failed: Annotated[float, Field(ge=0, le=1)] = 0.0
    """The share of requests that may stay without an answer; with more of them the job ends with an error."""
    batch: Annotated[Batches | None, BeforeValidator(_whole, json_schema_input_type=Batches | bool | None)] = None
    """Ask in batches (``true``, or their settings); the answers are the same."""
    reaching: ClassVar[frozenset[str]] = _Chat.reaching | Interface.reaching | {"batch"}
    known: ClassVar[Capabilities] = Capabilities()
    """Capabilities of the provider's models; see ``usual``."""

    if TYPE_CHECKING:

        @property
        def thinking(self) -> bool | None:
            """Return the entry's own setting of thinking before the answer."""

    @property
    def thinks(self) -> bool | None:
        """True or False tells the model to reason before it answers, or not to; None leaves it to the provider."""
        return self.thinking

    @property
    @abstractmethod
    def without_thinking(self) -> Self:
        """The entry of the model without reasoning."""

    @property
    def variables(self) -> dict[str, JsonValue]:
        """Variables of the chat template."""
        return {}

    @model_validator(mode="after")
    def _batched(self) -> Self:
        if self.batch is not None and self.backend not in plugins.names("batches"):
            raise ValueError(f"batch: backend {self.backend} has none here; take it out")
        return self

    @property
    def identity(self) -> str:
        """The model in one line, with whatever the entry says that its answers depend on."""
        parts = self.address
        if self.reasoning_effort is not None:
            parts.append(f"reasoning_effort={self.reasoning_effort}")
        if self.structured != "json_schema":
            parts.append(f"structured={self.structured}")
        if self.answer != "generation":
            parts.append(f"answer={self.answer}")
        return ";".join(parts)

    @property
    def usual(self) -> Capabilities:
        """Capabilities where neither the table nor the entry names them."""
        # A server without keys is one's own: vLLM rejects uniqueItems, llama.cpp ignores it, both keep the others.
        own: tuple[Bound, ...] = ("maxItems", "maxLength", "minItems")
        is_llama_cpp = getattr(getattr(self, "serve", None), "engine", None) == "llama.cpp"
        own_server = {"bounds": own, "structured": get_args(Structure), "prompt_logprobs": not is_llama_cpp}
        return self.known if self.api_key_env is not None else self.known.model_copy(update=own_server)

    @property
    def accepted(self) -> Capabilities:
        """Parameters that the model accepts: as the entry declares, otherwise as the provider's models do."""
        return self.capabilities or self.usual

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The bounds that answers are held to; none if no schema is sent."""
        return self.accepted.bounds if self.structured in ("json_schema", "json_object_schema") else ()


def complete(entry: ApiChatEntry, table: ProviderTable) -> ApiChatEntry:
    """Return the entry with all settled that its model accepts; raises ``ProviderTableError`` if it asks for more."""
    known = entry.usual if entry.runs_here else table.accepted(entry.url, entry.model, entry.usual)
    declared: JsonDict = entry.capabilities.model_dump(exclude_unset=True) if entry.capabilities else {}
    accepted = known.model_copy(update=declared)
    where = f"which {entry.model} does not take; "
    for name in ("temperature", "top_p"):
        is_given = name in entry.sampling.model_fields_set and getattr(entry.sampling, name) is not None
        if is_given and not getattr(accepted, name):
            raise ProviderTableError(f"sampling.{name} is given, {where}leave it out, and the provider's own holds")
    if entry.reasoning_effort is not None and entry.reasoning_effort not in accepted.reasoning_effort:
        raise ProviderTableError(
            f"reasoning_effort is {entry.reasoning_effort}, {where}it takes {_listed(accepted.reasoning_effort)}"
        )
    if entry.structured not in accepted.structured:
        raise ProviderTableError(
            f"structured is {entry.structured}, {where}it takes {_listed(accepted.structured)}: "
            "say which under structured"
        )
    if entry.logprobs and not accepted.logprobs:
        raise ProviderTableError(f"logprobs is given, {where}leave it out")
    if entry.answer == "likelihood" and not accepted.prompt_logprobs:
        raise ProviderTableError(
            f"answer is likelihood, {where}it takes log-probabilities of prompts, as vLLM gives them: serve the model "
            "with vllm, load it here (backend: transformers), or leave it out"
        )
    if entry.variables and not accepted.template:
        raise ProviderTableError(
            f"thinking or template is given, {where}leave both out; OpenAI's models take reasoning_effort"
        )
    # Every value is given explicitly, so whoever reads the entry next does not recompute it.
    return entry.model_copy(update={"capabilities": Capabilities.model_validate(accepted.model_dump())})


def _listed(values: tuple[str, ...]) -> str:
    return " or ".join(values) or "none"
