"""The FOLIO experiment; skipped where its data are not at hand, except for what happens without them."""

import json
import socket
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from tests.workflow.checkout import CHANCE, ROOT, Checkout

from nlfol.store import files, schemas
from nlfol_extras.analyses.refusals import REFUSALS


@pytest.fixture(scope="module")
def closed_proxy() -> Iterator[dict[str, str]]:
    """An environment in which every download fails at once: its proxy is a port where nobody listens."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{reserved.getsockname()[1]}"
        yield {"HTTPS_PROXY": address, "https_proxy": address, "NO_PROXY": "", "no_proxy": ""}


@pytest.fixture(scope="module")
def made(closed_proxy: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """``config/folio.yaml`` for chance alone, with all gold formulas, and without the largest candidate sets."""
    data = ROOT / "../shared/data"
    for needed in ("folio/folio-train.jsonl", "nl_fol_lt"):
        if not (data / needed).exists():
            pytest.skip(f"FOLIO v0.0 or its published ontologies are not at hand: ../shared/data/{needed}")
    checkout = Checkout.make(tmp_path_factory.mktemp("folio") / "checkout")
    values = yaml.safe_load(checkout.read("config/folio.yaml"))
    folio = values["datasets"]["folio"]
    values["datasets"] |= {f"folio_{gold}": folio | {"gold": gold} for gold in ("corrected", "published")}
    values["models"] = {"chance": CHANCE}
    del values["tasks"]["most_similar"]
    values["tasks"]["ranking"]["datasets"] = ["folio"]
    checkout.configure(values)
    environment = {"NLFOL_DATA": str(data.resolve()), **closed_proxy}
    checkout.run("results/tables/refusals.arrow", environment=environment)
    return checkout


def funnel(checkout: Checkout) -> list[dict[str, Any]]:
    refusals = files.rows(checkout.folder / "results/tables/refusals.arrow", REFUSALS)
    return [row for row in refusals if row["item"] is None]


def test_folio_funnel_matches_known_counts(made: Checkout) -> None:
    rows = [row for row in funnel(made) if row["dataset"] == "folio"]
    left = {
        (row["stage"], row["reason"] or row["step"]): (row["stories"], row["sentences"])
        for row in rows
        if row["task"] is None
    }
    assert left["ingestion", "read"] == (340, 1671)
    assert left["ingestion", "arity_conflict"] == (339, 1667)
    assert left["ingestion", "exclusive_or"] == (339, 1565)
    usable = left["ontology", "usable"][1]
    assert 1550 <= usable <= 1565
    sets = {row["task"]: row["sentences"] for row in rows if row["task"] and row["step"] == "usable"}
    assert sets["logical_translation"] == usable
    candidates = files.rows(made.folder / "results/items/folio/ranking.arrow", schemas.ITEMS)
    assert len(candidates) == usable
    listed = Counter(row["reason"] for row in candidates if row["status"] == "refused")
    assert set(listed) <= {"no_forms", "valid", "unsatisfiable"}
    assert sets["ranking"] == usable - listed.total()
    for row in candidates:
        roles = Counter(member["role"] for member in row["candidates"])
        assert roles["corner"] == roles["rephrased"] == 2 or row["reason"] is not None


def test_folio_gold_variants_match_known_correction_counts(made: Checkout) -> None:
    """One source under three names; the files behind the tables have rows of all."""
    usable = {row["dataset"]: row for row in funnel(made) if (row["stage"], row["step"]) == ("ontology", "usable")}
    counts = {
        dataset: [row[name] for name in ("sentences", "corrected", "regained", "accepted")]
        for dataset, row in usable.items()
    }
    assert counts == {
        "folio": [1556, 109, 0, 160],
        "folio_corrected": [1577, 130, 21, 0],
        "folio_published": [1556, 0, 0, 0],
    }
    corrected = {
        name: sum(row["correction"] is not None for row in files.rows(place, schemas.SENTENCES))
        for name in ("folio", "folio_corrected")
        for place in [made.folder / f"results/datasets/{name}/sentences.arrow"]
    }
    assert corrected == {"folio": 0, "folio_corrected": 140}


@pytest.mark.parametrize(
    ("target", "log", "pin"),
    [
        ("sentences", "ingest_dataset", "pin.json"),
        ("triples", "attach_ontology", "predicates_pin.json"),
    ],
)
def test_missing_folio_data_error_names_download(
    checkout: Checkout, closed_proxy: dict[str, str], target: str, log: str, pin: str
) -> None:
    if target == "triples":
        empty = {"story_id": 1, "premises": ["Tom sleeps."], "premises-FOL": ["Sleeps(tom)"]}
        checkout.write("mine/folio.jsonl", json.dumps(empty))
        values = yaml.safe_load(checkout.read("config/folio.yaml"))
        values["datasets"]["folio"] |= {"path": "mine/folio.jsonl", "gold": "published"}
        checkout.configure(values)
    else:
        checkout.write("experiment.yaml", checkout.read("config/folio.yaml"))
    error = checkout.fail(f"results/datasets/folio/{target}.arrow", environment=closed_proxy).error
    wanted = json.loads(checkout.read(f"resources/datasets/folio/{pin}"))
    assert wanted["url"] in error
    assert wanted["sha256"] in error
    assert "put it into a folder that NLFOL_DATA names" in error
    assert error in checkout.read(f"results/logs/{log}/folio.log")
