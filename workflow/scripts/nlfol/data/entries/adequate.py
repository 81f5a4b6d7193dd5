"""Questions about the stories of another dataset, chosen so that each wrong premise changes some answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, PositiveInt
from typing_extensions import override

from nlfol.data.entries.block import Block, PathText, shipped
from nlfol.data.entries.problems import ProblemsEntry


class AdequateEntry(ProblemsEntry):
    """Stories of the dataset ``of``, or ``stories`` of them drawn by seed, each with at most ``most`` questions.

    ``ontology`` is a folder or file of glosses by story; without one, words are the lexicon's, or those of the symbols.
    """

    reader: Literal["adequate"]
    of: str
    stories: PositiveInt | None = None
    most: Annotated[int, Field(ge=3, le=99)] = 60
    ontology: PathText | None = None
    sample: None = None

    def check_source(self, location: str, datasets: Mapping[str, Block]) -> None:
        """Check that ``of`` is a dataset of problems of its own; raises ``ValueError`` naming the key at fault."""
        of_stories = [
            name
            for name, block in datasets.items()
            if isinstance(block, ProblemsEntry) and not isinstance(block, AdequateEntry)
        ]
        if self.of not in of_stories:
            known = ", ".join(of_stories) or "none yet"
            raise ValueError(f"{location}.of: {self.of} has no stories; use one of: {known}")

    @property
    @override
    def made_of(self) -> str | None:
        return self.of

    @property
    @override
    def source_files(self) -> list[str]:
        return [shipped("resources/lexicon/problems.yaml"), *([self.ontology] if self.ontology else [])]

    @property
    @override
    def is_drawn(self) -> bool:
        return True
