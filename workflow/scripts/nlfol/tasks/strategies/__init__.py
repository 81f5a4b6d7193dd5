"""The strategies by the names that entries give them."""

from collections.abc import Mapping
from typing import Final, Literal

from nlfol.tasks.strategies.dividing import Dividing
from nlfol.tasks.strategies.drafting import Majority
from nlfol.tasks.strategies.refining import Pairwise, Refining
from nlfol.tasks.strategies.stepwise import Stepwise
from nlfol.tasks.strategies.strategy import ByTable, Once, Strategy, Tuned

StrategyName = Literal[
    "direct", "tuned", "concept_table", "concept_table_stepwise", "refine", "refine_pairwise", "divide", "majority"
]

STRATEGIES: Final[Mapping[StrategyName, Strategy]] = {
    "direct": Once(),
    "tuned": Tuned(),
    "concept_table": ByTable(),
    "concept_table_stepwise": Stepwise(),
    "refine": Refining(),
    "refine_pairwise": Pairwise(),
    "divide": Dividing(),
    "majority": Majority(),
}
