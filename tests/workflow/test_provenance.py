"""The manifest of a finished experiment, and the way from its tables back to the sources."""

import json
import shutil
import socket
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.workflow.checkout import CHANCE, TABLES, Checkout, configuration
from typer.testing import CliRunner, Result

from nlfol.cli.main import app
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol_extras.explaining.selection import SelectionError, cell_of, select


def explain(checkout: Checkout, table: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit status and what ``nlfol explain --json`` says."""
    done = explained(checkout, table, *arguments, "--json")
    assert not done.stderr, done.stderr
    return done.exit_code, json.loads(done.stdout)


def explained(checkout: Checkout, table: str, *arguments: str) -> Result:
    with chdir(checkout.folder):
        return CliRunner().invoke(app, ["explain", f"results/tables/{table}.csv", *arguments], env={"COLUMNS": "1000"})


def problems(found: dict[str, Any]) -> list[str]:
    return [link["problem"] for link in found["links"] if link["problem"]]


def manifest(checkout: Checkout, results: str = "results") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(checkout.read(f"{results}/manifest.json"))
    return found


def texts(value: object) -> Iterator[str]:
    """Every text in a JSON value, keys included."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
    elif isinstance(value, str):
        yield value


# The manifest


def test_rendered_tables_name_run_digest(finished: Checkout) -> None:
    found = manifest(finished)
    assert found["digest"] == sha256(canonical(found["experiment"]))
    for table in TABLES:
        for suffix in ("md", "tex"):
            assert f"Run {found['digest'][:12]}: see manifest.json." in finished.read(
                f"results/tables/{table}.{suffix}"
            )
        assert found["digest"][:12] not in finished.read(f"results/tables/{table}.csv")


def test_manifest_records_requests_and_models(finished: Checkout) -> None:
    found = manifest(finished)
    experiment, environment = found["experiment"], found["environment"]
    assert experiment["configuration"]["models"]["tiny"]["seeds"] == [3, 12]
    assert experiment["configuration"]["tasks"]["ranking"]["prompt"] == "own", "a default is filled in"
    assert "prompt" not in environment["configuration"]["tasks"]["ranking"], "as given it is not"
    assert experiment["models"]["tiny"].startswith("path:tiny#sha256:")
    for name, path in {
        "source/mine": "mine/sentences.csv",
        "triples/mine": "results/datasets/mine/triples.arrow",
        "items/mine/ranking": "results/items/mine/ranking.arrow",
    }.items():
        assert experiment["data"][name] == files.digest(finished.folder / path)
    assert environment["files"]["scores/mine/ranking/tiny"] == files.digest(
        finished.folder / "results/scores/mine/ranking/tiny.arrow"
    )
    asked = [
        row
        for path in finished.folder.glob("results/responses/mine/*/tiny.arrow")
        for row in files.rows(path, schemas.RESPONSES)
    ]
    answers = environment["answers"]["tiny"]
    assert answers["requests"] == len({row["request"] for row in asked})
    assert answers["completion_tokens"] == sum({row["request"]: row["completion_tokens"] for row in asked}.values())


def test_manifest_omits_machine_and_folder_names(finished: Checkout) -> None:
    said = list(texts(manifest(finished)))
    assert said
    private = [socket.gethostname(), str(Path.home()), str(finished.folder)]
    assert [text for text in said if text.startswith(("/", "~")) or any(name in text for name in private)] == []


def test_runs_in_different_folders_have_same_experiment_digest(checkout: Checkout, tmp_path: Path) -> None:
    """In the other, the source lies at another place, results have another name, and keys another order."""
    other = Checkout.make(tmp_path / "other")
    values = configuration(chance=CHANCE)
    del values["tasks"]["most_similar"]
    for place, results, seed in ((checkout, "results", "1"), (other, "out", "2")):
        (tmp_path / f"{results}.d").mkdir()
        source = str(shutil.copy(place.folder / "mine/sentences.csv", tmp_path / f"{results}.d/sentences.csv"))
        dataset = {**values["datasets"]["mine"], "path": source}
        values = dict(reversed({**values, "datasets": {"mine": dataset}, "results": results}.items()))
        place.configure(values)
        place.run(f"{results}/manifest.json", environment={"PYTHONHASHSEED": seed})
    first, second = manifest(checkout), manifest(other, "out")
    assert first["environment"]["configuration"] != second["environment"]["configuration"]
    assert first["experiment"] == second["experiment"]
    assert first["digest"] == second["digest"]


# Explaining


@pytest.mark.parametrize("table", ["logical_translation", "dialogue", "embedding"])
def test_score_table_values_match_cells(finished: Checkout, table: str) -> None:
    path = finished.folder / f"results/tables/{table}.csv"
    cells = files.rows(finished.folder / "results/tables/cells.arrow", schemas.CELLS)
    compared = 0
    for number, row in enumerate(pl.read_csv(path, infer_schema=False).to_dicts(), start=1):
        labels = ("dataset", "model", "task", "protocol", "presentation")
        for column in (name for name in row if name not in labels and not name.endswith("_task")):
            selection = select(path, [str(number)], column)
            if column.startswith("on_boards_"):
                with pytest.raises(SelectionError, match=f"has no {column}"):
                    cell_of(selection, cells)
                continue
            cell, field = cell_of(selection, cells)
            if row["model"] != "chance" or selection.value:
                assert selection.value == ("" if cell[field] is None else str(cell[field])), (number, column)
                compared += 1
    assert compared > 20


def test_cell_explanation_traces_back_to_source_row(finished: Checkout) -> None:
    arguments = ["--row", "model=tiny", "--row", "presentation=english", "--column", "ranking_both"]
    responses = files.rows(finished.folder / "results/responses/mine/ranking/tiny.arrow", schemas.RESPONSES)
    name = min(row["item"] for row in responses if row["item"].startswith("pets:"))
    status, found = explain(finished, "dialogue", *arguments, "--item", name)
    assert (status, found["broken"], problems(found)) == (0, 0, [])
    assert found["run"] == manifest(finished)["digest"]
    ways = {(link["file"], link["origin"]) for link in found["links"]}
    tail = "mine/ranking/tiny.arrow"
    assert {
        ("results/tables/dialogue.csv", "results/tables/cells.arrow"),
        ("results/tables/cells.arrow", f"results/scores/{tail}"),
        (f"results/scores/{tail}", f"results/responses/{tail}"),
        (f"results/scores/{tail}", "results/items/mine/ranking.arrow"),
        (f"results/responses/{tail}", "journal/tiny/mine.ranking.jsonl"),
        ("results/items/mine/ranking.arrow", "results/datasets/mine/triples.arrow"),
        ("results/datasets/mine/triples.arrow", "results/datasets/mine/sentences.arrow"),
        ("results/datasets/mine/triples.arrow", "ontology/mine"),
        ("results/datasets/mine/sentences.arrow", "source/mine"),
    } <= ways
    item = found["item"]
    source = finished.read("mine/sentences.csv").splitlines()[item["sentence"]["source_row"]]
    assert source == f"pets,{item['sentence']['text']},{item['gold']}"
    assert item["candidates"][0]["role"] == "gold"
    lines = finished.read("journal/tiny/mine.ranking.jsonl").splitlines()
    assert [answer["seed"] for answer in item["answers"]] == [3, 12]
    for answer in item["answers"]:
        kept = json.loads(lines[answer["journal_line"] - 1])
        assert (kept["key"], kept["reply"]["text"]) == (answer["request"], answer["answer"])


def test_cell_explanation_is_readable_text(finished: Checkout) -> None:
    done = explained(
        finished, "embedding", "--row", "2", "--column", "most_similar_accuracy", "--item", "chase:0", "--journal", "x"
    )
    assert (done.exit_code, done.stderr) == (0, ""), "an embedding model has no journal"
    assert "minilm (embedding) in most_similar (most_similar) on mine" in done.stdout
    assert "ok     results/datasets/mine/sentences.arrow <- source/mine (SHA-256 " in done.stdout
    assert "Some dog chases Tom." in done.stdout
    assert "BROKEN" not in done.stdout


def test_cell_explanation_covers_excluded_items(finished: Checkout) -> None:
    arguments = ("embedding", "--row", "2", "--column", "most_similar_accuracy", "--item")
    done = explained(finished, *arguments, "pets:3")
    assert done.exit_code == 2
    assert "item 'pets:3' is not one of the 7 of this cell: it was refused (too_few_perturbations)" in done.stderr
    assert "no item 'pets:9'" in explained(finished, *arguments, "pets:9").stderr


def test_cell_explanation_lists_files_behind_other_tables(finished: Checkout) -> None:
    for table, drawn in {
        "task_agreement": ["results/tables/task_agreements.arrow"],
        "other_metrics": ["results/tables/cells.arrow", "results/tables/correlations.arrow"],
        "set_sizes": ["results/tables/edit_mix.arrow"],
        "audit": ["results/audits/mine/most_similar.arrow"],
    }.items():
        status, found = explain(finished, table, "--row", "1", "--column", "dataset")
        assert (status, problems(found)) == (0, [])
        assert [link["origin"] for link in found["links"] if link["note"] == "drawn from it"] == drawn


def test_table_source_files_exist(finished: Checkout) -> None:
    from nlfol.results.analyses.drawing import drawn_from

    for table in set(TABLES) - {"audit"}:
        first = drawn_from(table)[0]
        assert (finished.folder / f"results/tables/{first}.arrow").is_file(), table


RANKING = ("dialogue", "--row", "model=tiny", "--row", "presentation=formula", "--column", "ranking_both")


def test_replaced_responses_file_is_reported(again: Checkout) -> None:
    responses = again.folder / "results/responses/mine/ranking/tiny.arrow"
    table = files.read(responses, schemas.RESPONSES)
    changed = [{**row, "answer": "{}"} for row in table.to_pylist()]
    files.write(responses, schemas.RESPONSES, changed, files.metadata_of(table))
    status, found = explain(again, *RANKING, "--item", "pets:1")
    assert status == 1
    assert problems(found) == ["results/scores/mine/ranking/tiny.arrow was made from another responses file; run again"]
    assert found["item"] is None, "the scores are not of these responses"
    status, found = explain(again, "embedding", "--row", "1", "--column", "ranking_both")
    assert (status, problems(found)) == (0, []), "the others have nothing to do with it"


def test_lost_file_and_edited_table_are_reported(again: Checkout) -> None:
    (again.folder / "results/items/mine/ranking.arrow").unlink()
    status, found = explain(again, *RANKING)
    assert status == 1
    assert problems(found)[0] == (
        "results/scores/mine/ranking/tiny.arrow was made from a file that is no longer there; "
        "make results/items/mine/ranking.arrow again by asking Snakemake for it by name"
    )
    table = again.read("results/tables/logical_translation.csv")
    again.write(
        "results/tables/logical_translation.csv",
        table.replace("mine,tiny,logical_translation,,4", "mine,tiny,logical_translation,,5"),
    )
    _, found = explain(again, "logical_translation", "--row", "model=tiny", "--column", "items")
    assert "results/tables/logical_translation.csv shows '5' where the cell holds '4'; run again" in problems(found)


def test_missing_journal_answer_is_reported(again: Checkout) -> None:
    journal = "journal/tiny/mine.ranking.jsonl"
    _, *others = again.read(journal).splitlines(keepends=True)
    again.write(journal, "".join(others))
    status, found = explain(again, *RANKING)
    (problem,) = problems(found)
    assert status == 1
    assert problem.startswith("1 of ")
    assert problem.endswith(f"{journal}; restore it, or name the folder of journals with --journal")
