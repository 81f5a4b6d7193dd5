"""Keys on comparisons, which are set before there are results."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from nlfol.models.providers.registry import ModelEntry

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
"""Names of datasets, tasks and models become names of folders and files."""


class Comparisons(BaseModel):
    """Comparisons of models, or of tasks, that are wanted before there are results."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pairs: tuple[tuple[Name, Name], ...] = ()
    """Pairs of models, such as a base and its adapter."""
    against: Name | None = None
    """A model that every other one is compared with."""
    tasks: tuple[tuple[Name, Name], ...] = ()
    """Pairs of tasks of one kind, such as one asked in two ways; each model's answers to both are compared."""


class Board(BaseModel):
    """A board that models are added to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    models: Annotated[int, Field(ge=2)]
    """Models that it has places for, from its first month on."""

    def check(self, entries: Mapping[str, ModelEntry]) -> None:
        """Raise ``ValueError`` for more models than there are places."""
        kinds = {name: getattr(entry, "shown_kind", entry.kind) for name, entry in entries.items()}
        models = [name for name, kind in kinds.items() if kind in ("chat", "embedding")]
        if len(models) > self.models:
            raise ValueError(
                f"board.models has {self.models} places, but {len(models)} models are compared, {models[self.models]} "
                "being the first too many; remove entries of models, or start a new board with more places, whose "
                "larger family may withdraw orderings that were shown"
            )


_OF_MODEL: Any = {
    **dict.fromkeys(("kind", "backend", "source", "adapter", "base_url", "model"), True),
    "serve": {"source", "adapter"},
}
"""Keys of an entry that say which model it is; all others say how it is asked."""


def variants(entries: Mapping[str, ModelEntry]) -> list[list[str]]:
    """Return the names of entries of one model that differ in how it is asked, for each model that has several."""
    by_model: dict[str, list[str]] = {}
    for name, entry in entries.items():
        if entry.kind in ("chat", "embedding"):
            by_model.setdefault(entry.model_dump_json(include=_OF_MODEL), []).append(name)
    return [names for names in by_model.values() if len(names) > 1]


def planned(board: Board | None, looks: Sequence[int], entries: Mapping[str, ModelEntry]) -> dict[str, object]:
    """Return what is fixed before results are seen, without what is not."""
    keys = {"models": board and board.models, "looks": list(looks), "variants": variants(entries)}
    return {key: value for key, value in keys.items() if value}
