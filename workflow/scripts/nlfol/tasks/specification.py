"""The ``tasks`` block of config.yaml."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

_T = TypeVar("_T", bound="MostSimilarSpecification | RankingSpecification")

Presentation = Literal["formula", "english"]

MAX_RANKED = 9
"""Members of the largest ranking set: beyond it neither a model nor a schema of permutations copes."""


class _Task(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LogicalTranslationSpecification(_Task):
    """Sentence and ontology to formula."""

    reading: Literal["tolerant", "strict"] = "tolerant"
    """Whether formulas in other notations than the one asked for, and with forced repairs, are read or unparsable."""
    unbound: Literal["invalid", "close"] = "invalid"
    """What a variable that no quantifier binds makes of a formula: invalid, or closed universally."""


class _Choice(_Task):
    presentations: tuple[Presentation, ...] = ("formula", "english")
    """What candidates are shown as; each is asked apart."""

    @model_validator(mode="after")
    def _check_presentations(self) -> _Choice:
        if not self.presentations or len(set(self.presentations)) != len(self.presentations):
            raise ValueError("presentations must be one or both of 'formula' and 'english', each once")
        return self


class MostSimilarSpecification(_Choice):
    """The gold formula among its perturbations."""

    perturbations: Annotated[int, Field(ge=1, le=64)] = 8
    """k of the paper: at most so many."""
    minimum: Annotated[int, Field(ge=1)] = 1
    """Perturbations below which an item is refused; without any, the only candidate would be right."""

    @model_validator(mode="after")
    def _check_minimum(self) -> MostSimilarSpecification:
        return _minimum_within(self, self.perturbations)


class RankingSpecification(_Choice):
    """The gold formula, an equivalent, perturbations, the negation and its normal form, to be ordered."""

    perturbations: Annotated[int, Field(ge=1, le=MAX_RANKED - 4)] = 3
    """k of the paper: at most so many."""
    minimum: Annotated[int, Field(ge=0)] = 0
    """Perturbations below which an item is refused; without any, the equivalents are still to be told from the
    negations, as for an atomic sentence, whose only edit is its negation."""

    @model_validator(mode="after")
    def _check_minimum(self) -> RankingSpecification:
        return _minimum_within(self, self.perturbations)


def _minimum_within(task: _T, perturbations: int) -> _T:
    if task.minimum > perturbations:
        raise ValueError(f"minimum ({task.minimum}) is above perturbations ({perturbations})")
    return task


class TaskSpecifications(_Task):
    """The tasks of an experiment; one that is left out is not asked."""

    logical_translation: LogicalTranslationSpecification | None = None
    most_similar: MostSimilarSpecification | None = None
    ranking: RankingSpecification | None = None

    @model_validator(mode="after")
    def _check_any(self) -> TaskSpecifications:
        if not self.chosen():
            raise ValueError("no task chosen: name at least one of logical_translation, most_similar, ranking")
        return self

    def chosen(self) -> dict[str, TaskSpecification]:
        """The tasks to ask, by name, in declared order."""
        found = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: task for name, task in found.items() if task is not None}


TaskSpecification = LogicalTranslationSpecification | MostSimilarSpecification | RankingSpecification
