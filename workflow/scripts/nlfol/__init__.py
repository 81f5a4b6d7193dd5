"""nlfol: how well language models translate English into first-order logic.

    >>> import nlfol
    >>> nlfol.compare("∀x P(x)", "∃x P(x)").relation
    <RelationKind.WEAKER: 'weaker'>

The packages form one chain, each importing only those before it; see ``docs/architecture.md``. Names are imported when
they are first used: every job of a run imports this module.
"""

TYPE_CHECKING = False  # as type checkers know it: importing typing would take longer than all the rest
if TYPE_CHECKING:
    from nlfol.harnesses.questions import questions
    from nlfol.logic import entails, equivalence, judge
    from nlfol.notebook import board, compare, distance, parse, read_results
    from nlfol.tasks.rewards import rewards
    from nlfol.tasks.scoring import dialogue, score

__version__ = "1.0.0"
__all__ = [
    "board", "compare", "dialogue", "distance", "entails", "equivalence", "judge", "parse", "questions", "read_results",
    "rewards", "score",
]  # fmt: skip

_ELSEWHERE = {
    **dict.fromkeys(("entails", "equivalence", "judge"), "nlfol.logic"),
    "questions": "nlfol.harnesses.questions",
    "rewards": "nlfol.tasks.rewards",
    **dict.fromkeys(("dialogue", "score"), "nlfol.tasks.scoring"),
}
"""Modules of the names that ``nlfol.notebook`` does not have."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'nlfol' has no attribute {name!r}")
    # By name, so that what follows imports, such as the digests of code, does not take this for one of every module.
    from importlib import import_module

    with import_module("nlfol.installed").needed_by(f"nlfol.{name}"):
        value: object = getattr(import_module(_ELSEWHERE.get(name, "nlfol.notebook")), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
