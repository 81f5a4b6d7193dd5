"""The FOLIO experiment; skipped where its data are not at hand, except for what happens without them."""

import json
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.workflow.checkout import CHANCE, ROOT, Checkout

from nlfol.analyses.refusals import REFUSALS
from nlfol.store import files, schemas


@pytest.fixture
def data() -> Path:
    folder = ROOT / "../shared/data"
    for needed in ("folio/folio-train.jsonl", "nl_fol_lt"):
        if not (folder / needed).exists():
            pytest.skip(f"FOLIO v0.0 or its published ontologies are not at hand: ../shared/data/{needed}")
    return folder.resolve()


@pytest.fixture
def closed_proxy() -> Iterator[dict[str, str]]:
    """An environment in which every download fails at once: its proxy is a port where nobody listens."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{reserved.getsockname()[1]}"
        yield {"HTTPS_PROXY": address, "https_proxy": address, "NO_PROXY": "", "no_proxy": ""}


def test_the_funnel_of_folio(checkout: Checkout, data: Path, closed_proxy: dict[str, str]) -> None:
    """The experiment of ``config/folio.yaml``, for chance alone and without the largest candidate sets."""
    values = yaml.safe_load(checkout.read("config/folio.yaml"))
    values["models"] = {"chance": CHANCE}
    del values["tasks"]["most_similar"]
    checkout.configure(values)
    checkout.run("results/tables/refusals.arrow", environment={"NLFOL_DATA": str(data), **closed_proxy})

    refusals = files.rows(checkout.folder / "results/tables/refusals.arrow", REFUSALS)
    rows = [row for row in refusals if row["item"] is None]
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
    candidates = files.rows(checkout.folder / "results/items/folio/ranking.arrow", schemas.ITEMS)
    assert len(candidates) == usable
    listed = Counter(row["reason"] for row in candidates if row["status"] == "refused")
    assert set(listed) <= {"no_forms", "valid", "unsatisfiable"}
    assert sets["ranking"] == usable - listed.total()
    for row in candidates:
        roles = Counter(member["role"] for member in row["candidates"])
        assert roles["corner"] == roles["rephrased"] == 2 or row["reason"] is not None


def test_published_and_corrected_gold_side_by_side(checkout: Checkout, data: Path) -> None:
    """One source under two names; the files behind the tables have rows of both."""
    values = yaml.safe_load(checkout.read("config/folio.yaml"))
    folio = values["datasets"]["folio"]
    values["datasets"]["folio_corrected"] = folio | {"gold": "corrected"}
    values["datasets"]["folio_published"] = folio | {"gold": "published"}
    values["models"] = {"chance": CHANCE}
    values["tasks"] = {"logical_translation": {}}
    checkout.configure(values)
    checkout.run("results/tables/refusals.arrow", environment={"NLFOL_DATA": str(data)})
    rows = files.rows(checkout.folder / "results/tables/refusals.arrow", REFUSALS)
    usable = {row["dataset"]: row for row in rows if (row["stage"], row["step"]) == ("ontology", "usable")}
    counts = {
        dataset: [row[name] for name in ("sentences", "corrected", "regained", "accepted")]
        for dataset, row in usable.items()
    }
    assert counts == {
        "folio": [1556, 108, 0, 142],
        "folio_corrected": [1577, 129, 21, 0],
        "folio_published": [1556, 0, 0, 0],
    }
    corrected = {
        name: sum(row["correction"] is not None for row in files.rows(place, schemas.SENTENCES))
        for name in ("folio", "folio_corrected")
        for place in [checkout.folder / f"results/datasets/{name}/sentences.arrow"]
    }
    assert corrected == {"folio": 0, "folio_corrected": 139}


@pytest.mark.parametrize(
    ("target", "log", "pin"),
    [
        ("sentences", "ingest_dataset", "pin.json"),
        ("triples", "attach_ontology", "predicates_pin.json"),
    ],
)
def test_without_data_and_network_the_error_says_what_to_fetch(
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
