"""The published grid of round trips, ``config/autoeval.yaml``: planned, and estimated, without keys, GPU or network."""

import csv
from typing import Any

import pytest
import yaml
from tests.workflow.checkout import ROOT, Checkout

from nlfol.config import read_configuration
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.providers.registry import price_of
from nlfol.results.analyses.verification import ALL, VERIFICATIONS
from nlfol.spending import settle_models
from nlfol.store import files, schemas
from nlfol_extras.analyses.crossed import CROSSED

GRID: dict[str, Any] = yaml.safe_load((ROOT / "config/autoeval.yaml").read_text(encoding="utf-8"))
MODELS: dict[str, dict[str, Any]] = GRID["models"]
BEHIND_APIS = {name for name, entry in MODELS.items() if entry.get("backend") == "openai"}
LOCAL = {name for name, entry in MODELS.items() if entry.get("backend") == "transformers"}


pytestmark = pytest.mark.usefixtures("nothing_at_hand")


def test_autoeval_grid_is_planned_without_keys_or_gpu(checkout: Checkout) -> None:
    run = checkout.run("--dry-run", config="config/autoeval.yaml")
    # Six sets, of which the one of expressions is nothing to translate; one is edited.
    built, taken = 6 + 6 + 5 + 1, 6
    pairs = built + taken
    expected = {
        "ingest_dataset": 6,
        "build_items": built,
        "take_answers": taken,
        "ask_api": pairs * len(BEHIND_APIS),
        "ask_chat": pairs * len(LOCAL),
        # Reader, echo, transliterate and commonest; reader, yes and no, twice.
        "answer_by_reference": 6 * 4 + 2 * 6 * 3,
        "analyse_attribution": 1,
        "analyse_verification": 1,
        "analyse_benchmarks": 1,
    }
    assert {rule: run.jobs.get(rule) for rule in expected} == expected


def test_autoeval_grid_covers_published_models_and_sets() -> None:
    with (ROOT / "resources/published/autoeval.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["model"] for row in rows} - {""} == BEHIND_APIS | LOCAL
    assert {row["dataset"] for row in rows if row["task"] == "round_trip"} < GRID["datasets"].keys()
    paid = {name for name in BEHIND_APIS if MODELS[name].get("base_url") is None}
    assert {MODELS[name]["sampling"]["temperature"] for name in paid} == {0.1}
    assert {MODELS[name]["sampling"]["temperature"] for name in (LOCAL | BEHIND_APIS) - paid} == {1.0}


def test_reasoning_models_have_three_seeds_small_sets_and_prices() -> None:
    values = yaml.safe_load((ROOT / "config/autoeval_reasoning.yaml").read_text(encoding="utf-8"))
    read = settle_models(read_configuration(values), ROOT / "resources/providers.yaml")
    assert {entry["count"] for entry in values["datasets"].values()} == {5}
    chats = [entry for entry in read.models.values() if isinstance(entry, ApiChatEntry)]
    assert {(type(entry).__name__, len(entry.seeds)) for entry in chats} == {
        ("OpenaiChatEntry", 3),
        ("AnthropicChatEntry", 3),
    }
    assert all(price_of(entry) for entry in chats)


def usable(checkout: Checkout, task: str) -> list[dict[str, Any]]:
    rows = files.rows(checkout.folder / f"results/items/first_order_audited/{task}.arrow", schemas.ITEMS)
    return [row for row in rows if row["status"] == "usable"]


def test_new_model_is_estimated_and_asked_alone(checkout: Checkout) -> None:
    """On one set of two items, drawn as the grid's own first-order set."""
    small = GRID["datasets"]["first_order_audited"] | {"values": [1], "count": 2, "shards": 1}
    taken = {"of": "reader", "in": "round_trip"}
    kept = {name: task for name, task in GRID["tasks"].items() if task.get("datasets") != ["regular"]}
    tasks = kept | {
        "verification_gpt_4o": {"task": "verification", "pairs": taken},
        "crossed": {"task": "logical_translation", "english": taken},
    }
    values = {"seed": 7, "datasets": {"first_order_audited": small}, "tasks": tasks}
    before = {name: MODELS[name] for name in ("reader", "always_yes", "chance")}
    checkout.configure({**values, "models": before})
    targets = [f"results/tables/{name}.arrow" for name in ("verifications", "crossed")]
    checkout.run(*targets, cores=2)
    verified = files.rows(checkout.folder / targets[0], VERIFICATIONS)
    rows = {row["task"]: row for row in verified if (row["model"], row["group"]) == ("always_yes", ALL)}
    assert rows["verification"]["f1"] == pytest.approx(2 / 3, abs=1e-12)
    # All formulas of the reader are equivalent.
    assert (rows["verification_gpt_4o"]["pairs"], rows["verification_gpt_4o"]["f1"]) == (2, 1)

    (crossed,) = (row for row in files.rows(checkout.folder / targets[1], CROSSED) if row["metric"] == "equivalence")
    named = ("informalizer", "formalizer", "items", "mean")
    assert [crossed[name] for name in named] == ["reader", "chance", 2, 0]
    texts = {task: {row["item"]: row["text"] for row in usable(checkout, task)} for task in ("round_trip", "crossed")}
    # The reader's English is the certified one.
    assert texts["crossed"] == texts["round_trip"]

    checkout.configure({**values, "models": before | {name: MODELS[name] for name in ("gpt-4o", "gemma-2-9b-it")}})
    checkout.run("results/estimate.csv")
    estimated = csv.DictReader(checkout.read("results/estimate.csv").splitlines())
    left = {(row["model"], row["task"]): (int(row["left"]), int(row["following_most"])) for row in estimated}
    # Two items: with examples and without, two pairs or that of the reader, and one translation of its English.
    each = {"round_trip": (4, 4), **dict.fromkeys(("verification", "formalization", "edited"), (4, 0))}
    each |= dict.fromkeys(("verification_gpt_4o", "crossed"), (2, 0))
    assert left == {(model, task): count for model in ("gpt-4o", "gemma-2-9b-it") for task, count in each.items()}

    checkout.configure({**values, "models": before | {"gpt-4o": MODELS["gpt-4o"]}})
    run = checkout.run("--dry-run", *targets)
    # Round trips are not verified again; what is crossed is the reader's English.
    assert run.jobs == {"ask_api": 3, "judge_answers": 3, "analyse_crossed": 1, "analyse_verification": 1}
