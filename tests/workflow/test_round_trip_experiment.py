"""Round trips and verification in a run of their own, by who is no language model: ceiling, floor, and the measure."""

from pathlib import Path
from statistics import fmean

from tests.workflow.checkout import CHANCE, Checkout

from nlfol.store import files, schemas


def test_tarski_round_trip_references_reach_known_scores(checkout: Checkout) -> None:
    tarski = {"path": "resources/datasets/tarski/sentences.csv", "ontology": "resources/datasets/tarski/ontology.yaml"}
    checkout.configure(
        {
            "seed": 7,
            "datasets": {"tarski": {"reader": "table", **tarski}},
            "tasks": {
                "round_trip": {"presentations": ["few_shot"], "rounds": 3},
                "verification": {"models": ["reader"]},
            },
            "models": {"reader": {"kind": "reader"}, "echo": {"kind": "echo"}, "chance": CHANCE},
        }
    )
    models = {"round_trip": ("reader", "echo", "chance"), "verification": ("reader",)}
    scores = [f"results/scores/tarski/{task}/{model}.arrow" for task, names in models.items() for model in names]
    run = checkout.run(*scores)
    assert (run.jobs["answer_by_reference"], run.jobs["answer_by_chance"]) == (3, 1)
    found: dict[tuple[str, str], list[float]] = {}
    for path in scores:
        for row in files.rows(checkout.folder / path, schemas.SCORES):
            if row["presentation"] in ("few_shot", "perturbation"):
                found.setdefault((Path(path).stem, row["metric"]), []).append(row["score"])
    means = {key: fmean(scored) for key, scored in found.items()}
    assert [means["reader", name] for name in ("truth", "truth_uncopied", "compliance", "copied")] == [1, 1, 1, 0]
    assert [means["echo", name] for name in ("truth", "truth_uncopied", "compliance", "copied")] == [1, 0, 1, 1]
    assert [means[model, "truth@3"] for model in ("reader", "echo")] == [1, 1]
    assert [means["chance", name] for name in ("truth", "truth_uncopied", "compliance")] == [0, 0, 0]
    assert 0 < means["reader", "bleu"] < 1
    assert means["reader", "right"] == 1
    rows = files.rows(checkout.folder / "results/scores/tarski/round_trip/reader.arrow", schemas.SCORES)
    assert {row["stop"] for row in rows} == {"completed"}
    items = files.rows(checkout.folder / "results/items/tarski/round_trip.arrow", schemas.ITEMS)
    assert all(len(row["exemplars"]) == 1 for row in items if row["status"] == "usable")
