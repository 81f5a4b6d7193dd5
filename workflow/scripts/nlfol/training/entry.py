"""A training's entry in config.yaml."""

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field, NonNegativeInt, PositiveFloat, PositiveInt

from nlfol.models.entries.base import Part, Resources

Names = Annotated[tuple[str, ...], Field(min_length=1)]


class TrainingError(RuntimeError):
    """A training that cannot run; the message names it, what is missing, and the remedy."""


class AnswersOf(Part):
    """Answers to learn from: those of some models to one task on one dataset."""

    dataset: str
    task: str
    models: Names


class Settings(Part):
    """Settings of the training of an adapter: all that it depends on, beside the examples.

    MenTaL fine-tunes Llama-3-8B on 600 examples with batches of 1, a learning rate of 5e-5 and 3 epochs ("Are LLMs
    Stable Formal Logic Translators in Logical Reasoning Across Linguistically Diversified Texts?"). The paper does not
    give rank, alpha and dropout; their defaults are ours.
    """

    seed: Annotated[NonNegativeInt, Field(lt=2**32)] = 0
    """Draws the examples, their order in training, first weights and dropout."""
    rank: PositiveInt = 8
    """Rank of the adapter's two matrices for each linear layer but the last."""
    alpha: PositiveFloat = 16
    """The product of the matrices is scaled by alpha / rank."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of the adapter's inputs that is dropped in training."""
    epochs: PositiveInt = 3
    learning_rate: PositiveFloat = 5e-5
    """At its highest; it falls linearly to 0."""
    warmup: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of the steps in which the rate rises linearly first."""
    batch: PositiveInt = 1
    """Most examples of a step: those whose prompts begin alike, which is computed once."""


class TrainingEntry(Settings):
    """A set of examples, and the training of an adapter on it."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=False)

    sources: Annotated[tuple[AnswersOf, ...], Field(min_length=1, alias="from")]
    """The answers that are learnt."""
    right: bool = True
    """True if right answers alone are learnt; otherwise every answer of the agreed form."""
    common: str | None = None
    """Another training: only items that the same model also got right for it are learnt."""
    count: PositiveInt = 600
    """Number of examples drawn."""
    tested: tuple[str, ...] | None = None
    """Datasets of which no problem may be learnt; None is all that models with the adapter are asked about."""
    tested_words: bool = False
    """True if other words for concepts may be learnt that tested datasets have."""
    base: str | None = None
    """The model that is trained; None is the one without an adapter and of the same source as those with it."""
    resources: Resources = Resources()
    """Resources of the job that trains; its result does not depend on them."""

    @property
    def learnt(self) -> list[tuple[str, str, str]]:
        """The dataset, task and model of each file of answers that is learnt."""
        return [(source.dataset, source.task, model) for source in self.sources for model in source.models]

    DECIDES_EXAMPLES: ClassVar[frozenset[str]] = frozenset({"sources", "right", "common", "count", "seed"})
    """Fields that the examples depend on."""
    DECIDES_ADAPTER: ClassVar[frozenset[str]] = frozenset(Settings.model_fields)
    """Fields that the adapter depends on, beside the examples."""
