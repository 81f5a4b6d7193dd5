"""What results depend on, and what they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.workflow.checkout import CHANCE, MINILM, SENTENCES, Checkout

from nlfol.store import files, schemas


def test_results_depend_on_neither_cores_nor_hash_seed_nor_other_models(
    finished: Checkout, experiment: dict[str, Any], tmp_path: Path
) -> None:
    """The fixture ran on two cores with another hash seed, and with a dialogue model beside these two."""
    other = Checkout.make(tmp_path / "checkout")
    other.configure({**experiment, "models": {"chance": CHANCE, "minilm": MINILM}})
    scores = [name for name in finished.bytes("results/scores/*/*/*.arrow") if "chance" in name or "minilm" in name]
    targets = ["results/datasets/mine/measures.arrow", "results/tables/refusals.arrow", *scores]
    run = other.snakemake(*targets, cores=1, environment={"PYTHONHASHSEED": "2"})
    assert run.status == 0, run.output
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


def test_stories_added_removed_and_moved_leave_the_candidates_of_others_as_they_are(
    finished: Checkout, again: Checkout
) -> None:
    header, *rows = SENTENCES.splitlines(keepends=True)
    pets, chase = rows[:4], rows[4:]
    added = 'farm,No dog chases Rex.,"¬∃x (Dog(x) ∧ Chases(x, rex))"\n'
    again.write("mine/sentences.csv", "".join([header, *chase[:3], added, *pets]))
    found, before = _candidates_by_sentence(again), _stored_candidates(finished)
    assert len(before) == 8 + 7 + 7
    kept = {key: members for key, members in before.items() if "If Rex sleeps" not in key[1]}
    assert len(kept) == len(before) - 3
    assert {key: found[key] for key in kept} == kept
    assert {text for _, text in found.keys() - kept.keys()} == {"No dog chases Rex."}


def test_sentences_added_within_a_story_leave_the_candidates_of_others_as_they_are(
    finished: Checkout, again: Checkout
) -> None:
    header, *rows = SENTENCES.splitlines(keepends=True)
    added = "pets,Rex sleeps.,Sleeps(rex)\n"
    again.write("mine/sentences.csv", "".join([header, added, *rows]))
    found, before = _candidates_by_sentence(again), _stored_candidates(finished)
    assert {key: found[key] for key in before} == before


def _candidates_by_sentence(checkout: Checkout) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The candidate sets made anew, by task and sentence."""
    tasks = ("logical_translation", "most_similar", "ranking")
    run = checkout.snakemake(*(f"results/items/mine/{task}.arrow" for task in tasks))
    assert run.status == 0, run.output
    assert run.jobs["build_items"] == 3
    return _stored_candidates(checkout)


def _stored_candidates(checkout: Checkout) -> dict[tuple[str, str], list[dict[str, Any]]]:
    return {
        (path.stem, row["text"]): row["candidates"]
        for path in sorted(checkout.folder.glob("results/items/mine/*.arrow"))
        for row in files.rows(path, schemas.ITEMS)
        if row["status"] == "usable"
    }
