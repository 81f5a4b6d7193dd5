"""METEOR and BERTScore of the English of round trips, which need files and weights of the user's."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from tests.examples import ROOT
from tests.late import needs
from tests.unit.rewording.lexica import write_wordnet
from tests.unit.tasks.generated_set import items_file, triples

import compare_glosses
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.responses import response_row, write_responses
from nlfol.config import ConfigurationError, read_configuration
from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.local.materialisation import materialise, weights
from nlfol.models.request import JobFiles
from nlfol.models.vectors.local import EmbeddingError
from nlfol.models.vectors.tokens import token_scores
from nlfol.store import files, schemas
from nlfol.tasks.metrics import open_meteor
from nlfol.tasks.registry import build_task

CONFIGURATION = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
MINILM = CONFIGURATION["models"]["minilm"]
GOLD, ENGLISH = "Every student sleeps.", "Every pupil sleeps."


@pytest.fixture
def wordnet(tmp_path: Path) -> str:
    folder = write_wordnet(tmp_path / "wordnet", {"noun": [["pupil", "student"], ["tome", "book"]]})
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"{part}.exc").write_text("", encoding="utf-8")
    return str(folder)


@needs("nltk")
@pytest.mark.parametrize(
    ("text", "reference", "expected"),
    [
        # Of the documentation of nltk; Banerjee and Lavie's penalty is 0.5 · (chunks / matches)³.
        (
            "It is a guide to action which ensures that the military always obeys the commands of the party",
            "It is a guide to action that ensures that the military will forever heed Party commands",
            0.6944,
        ),
        ("non matching hypothesis", "this is a cat", 0),
        (GOLD, GOLD, 1 - 0.5 * (1 / 4) ** 3),
        # Synonyms match, and so do plurals of them: all four in one chunk.
        (ENGLISH, GOLD, 1 - 0.5 * (1 / 4) ** 3),
        ("Every pupils sleep.", GOLD, 1 - 0.5 * (1 / 4) ** 3),
        # Three of four in two chunks: precision and recall are 3/4.
        ("Every tome sleeps.", GOLD, 0.75 * (1 - 0.5 * (2 / 3) ** 3)),
    ],
)
def test_meteor_matches_hand_computation(wordnet: str, text: str, reference: str, expected: float) -> None:
    assert open_meteor(wordnet)(text, reference) == pytest.approx(expected, abs=5e-5)


@needs("nltk")
def test_meteor_without_wordnet_names_folder_and_remedy(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"meteor: .*nowhere.*Debian: wordnet-base"):
        open_meteor(str(tmp_path / "nowhere"))


def test_meteor_without_nltk_names_install_command(wordnet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.corpus.reader.wordnet", None)
    with pytest.raises(ValueError, match=r"meteor: .*nltk.*pip install 'nltk>=3\.10'"):
        open_meteor(wordnet)


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> tuple[EmbeddingEntry, JobFiles]:
    entry, folder = EmbeddingEntry.model_validate(MINILM), tmp_path_factory.mktemp("minilm")
    materialise(entry, folder / "weights")
    return entry, JobFiles(folder / "vectors", weights=folder / "weights")


@needs("sentence_transformers")
@pytest.mark.parametrize("layer", [None, 2])
def test_bertscore_matches_hand_computation(minilm: tuple[EmbeddingEntry, JobFiles], layer: int | None) -> None:
    """With every cosine of two tokens, of vectors read from the weights by transformers."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    entry, job_files = minilm
    assert job_files.weights is not None
    path = str(weights(job_files.weights))
    tokenizer, model = AutoTokenizer.from_pretrained(path), AutoModel.from_pretrained(path)
    vectors = []
    for text in (ENGLISH, GOLD):
        with torch.inference_mode():
            hidden = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        vectors.append(hidden[6 if layer is None else layer][0].numpy().astype(float))
    cosines = [
        [float(one @ other / np.sqrt((one @ one) * (other @ other))) for other in vectors[1]] for one in vectors[0]
    ]
    # The first and the last token are the tokenizer's own.
    precision = np.mean([max(row) for row in cosines[1:-1]])
    recall = np.mean([max(column) for column in list(zip(*cosines, strict=True))[1:-1]])
    found, same, turned = token_scores([(ENGLISH, GOLD), (GOLD, GOLD), (GOLD, ENGLISH)], entry, layer, job_files)
    assert found == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-6)
    assert same == pytest.approx(1, abs=1e-6)
    assert turned == pytest.approx(found)
    assert token_scores([("", GOLD)], entry, layer, job_files) == [0]


@needs("sentence_transformers")
def test_bertscore_rejects_missing_layer(minilm: tuple[EmbeddingEntry, JobFiles]) -> None:
    entry, job_files = minilm
    with pytest.raises(EmbeddingError, match=r"bertscore\.layer: 7, but .*minilm.* has 6"):
        token_scores([(ENGLISH, GOLD)], entry, 7, job_files)


@needs("nltk")
@needs("sentence_transformers")
def test_round_trip_english_has_meteor_and_bertscore(
    tmp_path: Path, wordnet: str, minilm: tuple[EmbeddingEntry, JobFiles]
) -> None:
    trip = {"task": "round_trip", "meteor": wordnet, "bertscore": {"model": "minilm"}}
    source = triples(tmp_path / "triples.arrow", [("s", GOLD, "∀x (Student(x) → Sleeps(x))")])
    items, responses = items_file(tmp_path, source, **trip), tmp_path / "responses.arrow"
    asking = Asking(Offered.read(items), "toy", "t", build_task(json.dumps(trip)), "m", "{}", 7, responses)
    (item,) = asking.offered.items
    said = ({"reasoning": "", "answer": each} for each in (ENGLISH, "∀x (Student(x) → Sleeps(x))"))
    answers = [(3, number, json.dumps(each), "answered") for number, each in enumerate(said, 1)]
    rows = [
        response_row(item, "zero_shot", seed=seed, step=step, answer=text, outcome=outcome)
        for seed, step, text, outcome in [*answers, (12, 1, None, "truncated")]
    ]
    write_responses(asking, "chat", "m", rows)
    glosses, output = tmp_path / "minilm.arrow", tmp_path / "scores.arrow"
    compare_glosses.main(
        items, responses, json.dumps(trip), glosses, model_json=json.dumps(MINILM), job_files=minilm[1]
    )
    judge_answers.main(items, responses, json.dumps(trip), output, glosses=glosses)
    found = {(row["seed"], row["metric"]): row["score"] for row in files.rows(output, schemas.SCORES)}
    assert found[3, "meteor"] == pytest.approx(open_meteor(wordnet)(ENGLISH, GOLD))
    assert found[3, "bertscore"] == token_scores([(ENGLISH, GOLD)], minilm[0], None, minilm[1])[0]
    assert found[12, "meteor"] == found[12, "bertscore"] == 0


def test_missing_wordnet_fails_job(tmp_path: Path) -> None:
    trip = {"task": "round_trip", "meteor": str(tmp_path / "nowhere")}
    source = triples(tmp_path / "triples.arrow", [("s", GOLD, "∀x (Student(x) → Sleeps(x))")])
    items, responses = items_file(tmp_path, source, **trip), tmp_path / "responses.arrow"
    asking = Asking(Offered.read(items), "toy", "t", build_task(json.dumps(trip)), "m", "{}", 7, responses)
    write_responses(asking, "chat", "m", [])
    with pytest.raises(ValueError, match="meteor: "):
        judge_answers.main(items, responses, json.dumps(trip), tmp_path / "scores.arrow")


@pytest.mark.parametrize("by", ["minlm", "reader"])
def test_bertscore_requires_embedding_model(by: str) -> None:
    tasks: dict[str, Any] = {"trip": {"task": "round_trip", "bertscore": {"model": by}, "datasets": ["tarski"]}}
    with pytest.raises(ConfigurationError, match=rf"tasks\.trip\.bertscore\.model: {by} is no model of kind embedding"):
        read_configuration(CONFIGURATION | {"tasks": tasks})
