"""The written answers of the default experiment: each is judged as its author meant it to be.

Where this fails after a sentence has changed, write another answer to it, or answer another item.
"""

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT, default

import answer_from_file
import attach_ontology
import build_items
import diversify_problems
import explain_answers
import ingest_dataset
import ingest_problems
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.config import Configuration, as_json, read_configuration
from nlfol.logic.boards import board
from nlfol.logic.structures import Structure
from nlfol.models.entries.baselines import AnswersEntry
from nlfol.store import files, schemas
from nlfol.store.evidence import with_evidence
from nlfol.tasks.registry import task_of

CONFIGURATION = read_configuration(default())
BY_HAND = CONFIGURATION.models["by_hand"]
assert isinstance(BY_HAND, AnswersEntry)
PATH = ROOT / BY_HAND.path
ROWS: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]


def job(row: dict[str, Any]) -> tuple[str, str]:
    return row["dataset"], row["task"]


JOBS = {place: list(rows) for place, rows in groupby(sorted(ROWS, key=job), job)}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The triples or problems of the default datasets: of sentences that are read, those that are answered."""
    folder = tmp_path_factory.mktemp("sources")
    made: dict[str, Path] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for name, entry in CONFIGURATION.datasets.items():
            made[name] = folder / f"{name}.arrow"
            about = as_json(entry), name
            seed = CONFIGURATION.drawing_seed(name) or 0
            if name in CONFIGURATION.having("problems"):
                if entry.original:
                    diversify_problems.main(*about, made[entry.original], made[name], seed=seed)
                else:
                    ingest_problems.main(*about, made[name], seed=seed)
                continue
            whole = folder / f"{name}.whole.arrow", folder / f"{name}.triples.arrow"
            ingest_dataset.main(*about, whole[0], seed=seed)
            attach_ontology.main(about[0], *whole, seed=seed)
            answered = {row["item"] for row in ROWS if row["dataset"] == name}
            table = files.read(whole[1], schemas.TRIPLES)
            rows = [row for row in table.to_pylist() if row["item"] in answered]
            files.write(made[name], schemas.TRIPLES, rows, files.metadata_of(table))
    return made


def scores(folder: Path, dataset: str, task: str, source: Path, sources: dict[str, Path]) -> list[dict[str, Any]]:
    """The scores of the written answers to one task."""
    configuration: Configuration = CONFIGURATION
    entry = configuration.tasks[task]
    items, responses, judged = (folder / f"{name}.arrow" for name in ("items", "responses", "scores"))
    original = configuration.datasets[dataset].original
    build_items.main(
        source,
        dataset=dataset,
        task=task,
        task_json=as_json(entry),
        seed=configuration.seed,
        output=items,
        originals=sources[original] if original else None,
    )
    model = as_json(configuration.models["by_hand"])
    asking = Asking(Offered.read(items), dataset, task, task_of(entry), "by_hand", model, configuration.seed, responses)
    answer_from_file.main(asking, PATH, [job[:2] for job in configuration.jobs("answers")])
    assert files.metadata_of(files.read(responses, schemas.RESPONSES))["unused"] == "[]"
    judge_answers.main(items, responses, as_json(entry), judged)
    evidence = None
    if hasattr(entry, "explain"):
        evidence = folder / "evidence.arrow"
        explain_answers.main(items, [judged], as_json(entry), evidence, dataset=dataset, task=task)
    return with_evidence(files.read_frame(judged, schemas.SCORES), evidence).to_dicts()


def said(task: str, judgements: Iterable[dict[str, Any]]) -> str:
    """Return the fate of an answer in the words of the file."""
    right = {row["metric"]: row["score"] == 1 for row in judgements}
    first = next(iter(judgements))
    kind = task_of(CONFIGURATION.tasks[task])
    match kind.form:
        case "formula":
            return str(first["relation"] or first["verdict"] or first["outcome"])
        case "order":
            return "both" if right["both"] else next((metric for metric in right if right[metric]), "wrong")
    return "right" if right[kind.metrics[0]] else "wrong"


@pytest.mark.parametrize("place", JOBS, ids="/".join)
def test_written_answers_are_judged_as_intended(
    tmp_path: Path, sources: dict[str, Path], place: tuple[str, str]
) -> None:
    dataset, task = place
    found = scores(tmp_path, dataset, task, sources[dataset], sources)
    meant = {(row["item"], row.get("presentation")): row["intended"] for row in JOBS[place] if "intended" in row}
    became = {
        (item, shown): said(
            task, [row for row in found if row["item"] == item and shown in (None, row["presentation"])]
        )
        for item, shown in meant
    }
    assert became == meant


def test_wrong_written_translations_have_counterexample_board(tmp_path: Path, sources: dict[str, Path]) -> None:
    rows = scores(tmp_path, "tarski", "logical_translation", sources["tarski"], sources)
    wrong = [row for row in rows if row["metric"] == "on_boards" and row["verdict"] == "not_equivalent"]
    boards = {row["item"]: board(Structure.from_json(row["counter_model"])) for row in wrong}
    assert len(boards) == 15
    assert [item for item, blocks in boards.items() if blocks is None] == ["w16:4"]
    assert [row["item"] for row in wrong if row["on_boards"] == "equivalent"] == ["w16:4"]
    assert {row["item"]: row["fault"] for row in wrong if row["score"]} == {"w16:4": "right_on_every_board"}


def test_written_answers_cover_every_outcome() -> None:
    """So that verdicts, relations, counter-models and boards are there to be seen."""
    of_translations = {row["intended"] for row in ROWS if row["task"] == "logical_translation"}
    wanted = {"equivalent", "stronger", "weaker", "independent", "contradictory", "invalid", "unparsable"}
    assert of_translations == wanted
    tasks = {row["task"] for row in ROWS}
    assert tasks == {task for _, task, _ in CONFIGURATION.jobs("answers")}
    for task in tasks - {"logical_translation"}:
        assert len({row["intended"] for row in ROWS if row["task"] == task and "intended" in row}) > 1, task
