"""Results depend on neither cores nor hash seed nor other models; nor on other items (``tests/unit/tasks``)."""

from pathlib import Path
from typing import Any

from tests.workflow.checkout import CHANCE, MINILM, Checkout


def test_results_are_independent_from_cores_and_other_models(
    finished: Checkout, experiment: dict[str, Any], tmp_path: Path
) -> None:
    """The fixture ran on two cores with another hash seed, and with a dialogue model beside these two."""
    other = Checkout.make(tmp_path / "checkout")
    other.configure({**experiment, "models": {"chance": CHANCE, "minilm": MINILM}})
    scores = [name for name in finished.bytes("results/scores/*/*/*.arrow") if "chance" in name or "minilm" in name]
    targets = ["results/datasets/mine/measures.arrow", "results/tables/refusals.arrow", *scores]
    other.run(*targets, cores=1, environment={"PYTHONHASHSEED": "2"})
    for pattern, count in {
        "results/datasets/*/*.arrow": 3,
        "results/items/*/*.arrow": 3,
        "results/scores/*/*/chance.arrow": 3,
        "results/scores/*/*/minilm.arrow": 2,
        "results/tables/refusals.arrow": 1,
    }.items():
        found = other.bytes(pattern)
        assert len(found) == count
        assert found == finished.bytes(pattern), pattern
