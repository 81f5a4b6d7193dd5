"""Remaining requests to models of every kind, as one table."""

import csv
import json
from pathlib import Path
from typing import Any

from tests.unit.models.chat_server import ChatServer
from tests.unit.models.embedding_server import serving
from tests.unit.results import recorded
from tests.unit.tasks import test_compared_glosses as glossed

import ask_embedding
import compare_glosses
import estimate_costs
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.estimated_texts import glosses_of
from nlfol.asking.estimates import Estimator
from nlfol.models.request import JobFiles
from nlfol.store import files, schemas
from nlfol.tasks.registry import build_task

PROMPTS = Path(__file__).parents[2] / "resources/prompts"
PRICE = {"prompt": 1_000_000, "completion": 0}
"""One a token."""


def test_estimate_counts_texts_without_vectors_for_api_embeddings(tmp_path: Path) -> None:
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


def test_document_prompts_differ_by_text_kind(tmp_path: Path) -> None:
    recorded.write(tmp_path)
    with ChatServer(every=serving()) as server:
        about = {"kind": "embedding", "backend": "openai", "model": "tiny", "base_url": server.url, "api_key_env": None}

        def responses(name: str, **prompts: Any) -> list[dict[str, Any]]:
            task = build_task('{"task": "ranking", "presentations": ["formula", "english"]}')
            output = tmp_path / f"{name}.arrow"
            offered = Offered.read(tmp_path / "ranking.arrow")
            asking = Asking(offered, "toy", "ranking", task, "m", json.dumps(about | prompts), 7, output)
            ask_embedding.main(asking, JobFiles(tmp_path / "vectors", tmp_path / "sharers"))
            return [row["similarities"] for row in files.rows(output, schemas.RESPONSES)]

        said = responses("apart", document_prompt={"formula": "logic: ", "english": "text: "})
        texts = {text for body in server.bodies for text in body["input"]}
        alike = [responses(kind, document_prompt=f"{kind}: ") for kind in ("logic", "text")]
    formulas = len(said) // 2
    assert said == alike[0][:formulas] + alike[1][formulas:]
    assert {text.split(": ")[0] for text in texts if ": " in text} == {"logic", "text"}


def test_estimate_counts_glosses_before_and_after_answers(
    tmp_path: Path,
) -> None:
    items, responses = glossed.asked(tmp_path, [glossed.answer(glossed.RIGHT)])
    task = build_task(json.dumps(glossed.OWN))
    with ChatServer(every=serving()) as server:
        about = {"kind": "embedding", "backend": "openai", "model": "tiny", "base_url": server.url}
        entry = json.dumps({**about, "api_key_env": None, "price": PRICE})

        def estimated(*answers: Path | None, **asked: int) -> Any:
            given = [{"responses": path, "items": None, "seeds": 1, **asked} for path in answers]
            texts = glosses_of(task, items, 7, given)
            return Estimator(PROMPTS, tmp_path / "journal", {}).of_compared("toy", "own", "m", entry, texts)

        # Two gold glosses, and as many of each answer; models share no more than the gold ones.
        before = [estimated(None), estimated(None, seeds=3), estimated(None, responses)]
        assert [(row["requests"], row["left"]) for row in before] == [(4, 4), (8, 8), (6, 6)]
        assert [row["task"] for row in before] == ["own"] * 3
        known = estimated(responses)
        texts = ["is a domestic cat", "is asleep", "Cat", "Sleeps"]
        assert (known["requests"], known["left"]) == (4, 4)
        assert known["cost"] == known["prompt_tokens"] > sum(map(len, texts)) / 4
        assert not server.asked
        compare_glosses.main(
            items,
            responses,
            json.dumps(glossed.OWN),
            tmp_path / "m.arrow",
            model_json=entry,
            job_files=JobFiles(tmp_path / "journal/vectors/.interfaces", tmp_path / "sharers"),
        )
        assert (estimated(responses)["left"], estimated(None)["left"]) == (0, 2)
