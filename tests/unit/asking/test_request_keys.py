"""Requests of the shipped experiments stay the same to the byte: a journal of an earlier version answers them.

After a change of what is asked, run ``python -m tests.unit.asking.test_request_keys``, which records the keys of now,
and say in CHANGELOG.md which requests are new.
"""

import json
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml

import attach_ontology
import build_items
import ingest_dataset
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.questions import compared_texts, dialogues
from nlfol.config import Configuration, as_json, read_configuration
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.spending import settle_models
from nlfol.store import files, schemas
from nlfol.tasks.registry import task_of

ROOT = Path(__file__).parents[3]
DATA = ROOT.parent / "shared/data"
RECORDS = Path(__file__).parent / "request_keys.json"
RECORDED: dict[str, list[object]] = json.loads(RECORDS.read_text(encoding="utf-8"))
"""By experiment, dataset, task and model: how many requests or texts, and the SHA-256 of their sorted keys."""

ROWS = 40
"""Usable rows of each dataset that are asked about: what is asked of an item depends on no other."""

EXPERIMENTS = ("config.yaml", "config/folio.yaml", "config/paper.yaml")
DATASETS = ("tarski", "folio")


@cache
def experiment(name: str) -> Configuration:
    """A shipped experiment, with what its models accept."""
    values = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
    return settle_models(read_configuration(values), ROOT / "resources/providers.yaml")


def keys(name: str, dataset: str, folder: Path) -> dict[str, list[object]]:
    """The recorded keys, as they are now."""
    configuration = experiment(name)
    block = configuration.datasets[dataset]
    sentences, triples = folder / "sentences.arrow", folder / "triples.arrow"
    ingest_dataset.main(as_json(block), dataset, sentences)
    attach_ontology.main(as_json(block), sentences, triples)
    table = files.read(triples, schemas.TRIPLES)
    usable = [row for row in table.to_pylist() if row["status"] == "usable"][:ROWS]
    files.write(triples, schemas.TRIPLES, usable, files.metadata_of(table))
    found: dict[str, list[object]] = {}
    for task, entry in configuration.tasks.items():
        if (dataset, task) not in configuration.pairs():
            continue
        path = folder / f"{task}.arrow"
        build_items.main(
            triples, dataset=dataset, task=task, task_json=as_json(entry), seed=configuration.seed, output=path
        )
        offered = Offered.read(path)
        for of_dataset, of_task, model in configuration.jobs("chat", "embedding"):
            if (of_dataset, of_task) != (dataset, task):
                continue
            asked = configuration.models[model]
            asking = Asking(offered, dataset, task, task_of(entry), model, "", configuration.seed, folder)
            listed: list[str] = []
            if isinstance(asked, LocalChatEntry | ApiChatEntry):
                for dialogue in dialogues(asking, asked, ROOT / "resources/prompts", asked.identity):
                    request = dialogue.advance()
                    assert request is not None
                    listed.append(request.key)
            elif isinstance(asked, EmbeddingEntry | ApiEmbeddingEntry):
                texts = compared_texts(asking, asking.items(asked.items), asked)
                listed += [f"{role} {asked.prompt(role)}{text}" for role in texts for text in texts[role]]
            digest = sha256("\n".join(sorted(listed)).encode()).hexdigest()
            found[f"{name}/{dataset}/{task}/{model}"] = [len(listed), digest]
    return found


def asked_about(name: str, dataset: str, folder: Path, environment: pytest.MonkeyPatch) -> dict[str, list[object]]:
    """The same, from the repository's files and copies of FOLIO's."""
    copies = folder / "copies"
    copies.mkdir()
    for path in [*DATA.glob("folio/folio-train.jsonl"), *DATA.glob("nl_fol_lt/*.pkl")]:
        (copies / path.name).symlink_to(path)
    environment.chdir(ROOT)
    environment.setenv("NLFOL_DATA", str(copies))
    return keys(name, dataset, folder)


@pytest.mark.parametrize("name", EXPERIMENTS)
@pytest.mark.parametrize("dataset", DATASETS)
def test_shipped_experiments_keep_request_keys(
    name: str, dataset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if dataset not in experiment(name).datasets:
        pytest.skip(f"{name} does not ask about {dataset}")
    if dataset == "folio" and not DATA.exists():
        pytest.skip("FOLIO is not here: ../shared/data")
    recorded = {key: value for key, value in RECORDED.items() if key.startswith(f"{name}/{dataset}/")}
    assert recorded
    assert asked_about(name, dataset, tmp_path, monkeypatch) == recorded


def record() -> None:
    """Write the keys of now; FOLIO's data is needed."""
    found: dict[str, list[object]] = {}
    for name, dataset in product(EXPERIMENTS, DATASETS):
        if dataset in experiment(name).datasets:
            with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as environment:
                found |= asked_about(name, dataset, Path(folder), environment)
    RECORDS.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
