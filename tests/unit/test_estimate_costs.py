"""What is left to ask of models of every kind, as one table."""

import csv
import json
from pathlib import Path
from typing import Any

from tests.unit.models.chat_server import ChatServer
from tests.unit.models.embedding_server import serving
from tests.unit.tables import recorded

import ask_embedding
import estimate_costs
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.estimates import Estimator
from nlfol.models.request import JobFiles
from nlfol.tasks.registry import build_task

PROMPTS = Path(__file__).parents[2] / "resources/prompts"
PRICE = {"prompt": 1_000_000, "completion": 0}
"""One a token."""


def test_texts_for_an_embedding_model_behind_an_interface_are_estimated_until_they_have_vectors(tmp_path: Path) -> None:
    recorded.write(tmp_path)

    def asking(url: str) -> Asking:
        entry = {"kind": "embedding", "backend": "openai", "model": "tiny", "base_url": url, "api_key_env": None}
        said = json.dumps({**entry, "price": PRICE, "document_prompt": "text: "})
        task = build_task('{"task": "ranking", "presentations": ["formula"]}')
        offered = Offered.read(tmp_path / "ranking.arrow")
        return Asking(offered, "toy", "ranking", task, "m", said, 7, tmp_path / "r.arrow")

    def estimated(url: str) -> dict[str, Any]:
        row = Estimator(PROMPTS, tmp_path / "journal", {}).of_task(asking(url))
        estimate_costs.main([row], {"csv": tmp_path / "estimate.csv"})
        with (tmp_path / "estimate.csv").open(encoding="utf-8", newline="") as file:
            (cells,) = csv.DictReader(file)
        return cells

    with ChatServer(every=serving()) as server:
        before = estimated(server.url)
        assert not server.asked
        # Two sentences, and each item's candidates are one formula.
        assert (before["requests"], before["answered"], before["left"]) == ("4", "0", "4")
        asked = [recorded.ITEMS[item] for item in ("a:0", "c:0")]
        characters = sum(len(text) + len(f"text: {formula}") for text, formula in asked)
        assert float(before["prompt_tokens"]) == float(before["cost"]) == round(characters / 3)
        assert float(before["cost_most"]) > float(before["cost"])
        files = JobFiles(tmp_path / "journal/vectors/.interfaces", tmp_path / "sharers")
        ask_embedding.main(asking(server.url), files)
        after = estimated(server.url)
    assert (after["answered"], after["left"], float(after["cost"])) == ("4", "0", 0)
