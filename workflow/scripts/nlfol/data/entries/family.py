"""Problems that are drawn by seed."""

import json
from typing import ClassVar, Literal

from pydantic import PositiveInt
from typing_extensions import override

from nlfol.data.entries.problems import Depths, Problems, ProblemsEntry, shipped_lexicon
from nlfol.problems.families import generate


class FamilyEntry(ProblemsEntry):
    """Problems of a family, every answer right equally often; without ``depth``, of the family's default depths."""

    reader: Literal["family"]
    family: Literal["rules", "taxonomy", "order", "proofs", "premises"]
    count: PositiveInt = 200
    depth: Depths | None = None
    labels: Literal["balanced"] = "balanced"
    sample: None = None

    SPOKEN: ClassVar[bool] = True

    @override
    def read(self, seed: int) -> Problems:
        return Problems(
            generate(self.family, seed=seed, count=self.count, lexicon=shipped_lexicon(), depths=self.depth)
        )

    @property
    @override
    def recipe(self) -> str:
        return json.dumps([self.family, self.count, self.depth])

    @property
    @override
    def is_drawn(self) -> bool:
        return True
