"""What the tasks share that no configuration names: stages of datasets, scored by nothing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from nlfol.datasets.entries.block import Holding
from nlfol.tasks.item import Item
from nlfol.tasks.plan import OneStep, Plan, Setting, Step
from nlfol.tasks.task import E, Judgement, Task


class StageTask(Task[E]):
    """A task on problems, asked once by one pair of prompts, whose answers make a dataset."""

    metrics = ()
    takes: ClassVar[frozenset[Holding]] = frozenset({"problems"})
    asks_all: ClassVar[bool] = True

    def plan(self, setting: Setting) -> Plan:
        """Ask once."""

        def step(item: Item, _presentation: str, _seed: int) -> Step:
            system, user = (
                setting.prompts.render(f"{self.kind}/{part}", item, **self.said(item)) for part in ("system", "user")
            )
            return Step("", system, user, self.schema(item))

        return OneStep(step)

    @abstractmethod
    def said(self, item: Item) -> Mapping[str, Any]:
        """What the prompts say beside the item."""

    @abstractmethod
    def schema(self, item: Item) -> Mapping[str, Any]:
        """The JSON schema of an answer."""

    def chance(self, item: Item) -> Judgement:
        """There is none.

        Raises:
            TypeError: always.
        """
        raise TypeError(f"{self.kind} is judged by nothing")
