"""The scripts, from stage files to rendered tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.analysing import analyse, analyse_all

import audit_candidates
import measure_items
import render_tables
from nlfol.analyses.analysis import analysis_of
from nlfol.analyses.drawing import SOURCES, Frames, build, drawn_from
from nlfol.analyses.refusals import REFUSALS, RefusalError
from nlfol.analyses.registry import FILES, TABLES, TOPICS, Subject
from nlfol.provenance.manifest import to_text
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.store.files import StoreError
from nlfol.tables.table import P, TableError

FIGURES = sorted((Path(__file__).parents[3] / "resources/published").glob("*.csv"))


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {
            **dict.fromkeys(
                (
                    "means",
                    "relation",
                    "fault",
                    "detail",
                    "answer",
                    "formula",
                    "dialect",
                    "policy",
                    "position",
                    "counter_model",
                    "stop",
                    "word",
                )
            ),
            "counter_model": None,
            "repairs": [],
            "ambiguities": [],
            "item": f"1:{item}",
            "story": "1",
            "presentation": "",
            "seed": seed,
            "metric": "equivalence",
            "round": 1,
            "score": score,
            "outcome": outcome,
            "verdict": verdict,
            "tied": False,
        }
        for seed in (3, 12)
        for item, (score, outcome, verdict) in enumerate(
            [
                (1.0, "answered", "equivalent"),
                (0.0, "unparsable", None),
                (1.0, "answered", "equivalent") if seed == 3 else (0.0, "answered", "not_equivalent"),
            ]
        )
    ]
    path = tmp_path / "scores.arrow"
    said = {"dataset": "toy", "task": "logical_translation", "task_kind": "logical_translation", "protocol": ""}
    said |= {"model": "m", "kind": "chat", "available": "7"}
    files.write(path, schemas.SCORES, rows, said)
    return path


@pytest.fixture
def stages(tmp_path: Path) -> tuple[Path, Path]:
    row: dict[str, Any] = {"item": "1:0", "story": "1", "index": 0, "text": "Rex barks.", "repairs": []}
    row |= {"correction": None, "regained": None, "language": "first_order", "category": None, "tree": None}
    row |= {"formula": None, "status": "refused", "reason": "syntax", "detail": "a | b: unexpected '|'"}
    said = {"dataset": "toy"}
    files.write(tmp_path / "sentences.arrow", schemas.SENTENCES, [row | {"source_formula": "a | b"}], said)
    files.write(tmp_path / "triples.arrow", schemas.TRIPLES, [row | {"ontology": None}], said)
    return tmp_path / "sentences.arrow", tmp_path / "triples.arrow"


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """A manifest of no experiment in particular."""
    path = tmp_path / "manifest.json"
    experiment = {"judge": {"z3": "5.4"}}
    path.write_text(to_text({"digest": sha256(canonical(experiment)), "experiment": experiment}), encoding="utf-8")
    return path


@pytest.fixture
def tables(tmp_path: Path, scores: Path, stages: tuple[Path, Path]) -> dict[str, list[Path]]:
    candidates, measures = tmp_path / "ranking.arrow", tmp_path / "measures.arrow"
    about = {"dataset": "toy", "task": "ranking", "task_kind": "ranking", "protocol": "audited"}
    files.write(candidates, schemas.ITEMS, [], about)
    measure_items.main(stages[1], dataset="toy", edits=0, seed=7, output=measures)
    analyse_all(
        tmp_path / "tables",
        {"datasets": ["toy"]},
        scores=[scores],
        choice_scores=[scores],
        round_trip_scores=[scores],
        translation_scores=[scores],
        candidates=[candidates],
        item_files=[candidates],
        sentences=[stages[0]],
        triples=[stages[1]],
        measures=[measures],
        figures=FIGURES,
    )
    found = {name: [tmp_path / f"tables/{name}.arrow"] for name in SOURCES}
    audit_candidates.main(candidates, dataset="toy", task="ranking", output=found["audits"][0])
    return found


def test_cells_and_refusals_say_what_they_were_made_from(
    tables: dict[str, list[Path]], scores: Path, stages: tuple[Path, Path]
) -> None:
    cells = files.read(tables["cells"][0], schemas.CELLS)
    assert cells.schema.metadata[b"made_from.scores/toy/logical_translation/m"].decode() == files.digest(scores)
    refusals = files.read(tables["refusals"][0], REFUSALS)
    assert refusals.schema.metadata[b"made_from.triples/toy"].decode() == files.digest(stages[1])
    assert b"made_from.items/toy/ranking" in refusals.schema.metadata


def test_a_table_in_every_form(tables: dict[str, list[Path]], manifest: Path, tmp_path: Path) -> None:
    outputs = {suffix: tmp_path / f"out/logical_translation.{suffix}" for suffix in ("csv", "md", "tex")}
    render_tables.main(tables, FIGURES, manifest, list(outputs.values()))
    # Seed 3: 2/3, seed 12: 1/3; the unparsable answer stays in the denominator.
    header, row = outputs["csv"].read_text().splitlines()
    found = dict(zip(header.split(","), row.split(","), strict=True))
    assert float(found["equivalence_mean"]) == 0.5
    assert float(found["equivalence_deviation"]) == pytest.approx(1 / 18**0.5)
    assert (found["items"], found["items_available"], found["seeds"]) == ("3", "7", "2")
    assert (found["equivalent"], found["unparsable"]) == ("3", "2")
    assert " 3 of 7 |" in outputs["md"].read_text()
    assert r"0.500 \ensuremath{\pm} 0.236" in outputs["tex"].read_text()
    run = sha256(canonical({"judge": {"z3": "5.4"}}))[:12]
    assert f"- Run {run}: see manifest.json.\n" in outputs["md"].read_text()
    assert f"Run {run}: see manifest.json." in outputs["tex"].read_text()
    assert run not in outputs["csv"].read_text()


def test_every_table_is_drawn_and_named_as_it_is_called(
    tables: dict[str, list[Path]], manifest: Path, tmp_path: Path
) -> None:
    outputs = [tmp_path / f"out/{name}.tex" for name in TABLES]
    render_tables.main(tables, FIGURES, manifest, outputs)
    for path in outputs:
        assert rf"\label{{tab:{path.stem}}}" in path.read_text()


def test_refused_rows_keep_their_detail(tables: dict[str, list[Path]], manifest: Path, tmp_path: Path) -> None:
    render_tables.main(tables, FIGURES, manifest, [tmp_path / "refused_rows.md"])
    assert r"| toy       | ingestion | –      | 1:0    | syntax   | a \| b: unexpected '\|' |" in (
        (tmp_path / "refused_rows.md").read_text()
    )


def test_the_same_files_make_the_same_bytes(tables: dict[str, list[Path]], scores: Path, tmp_path: Path) -> None:
    analyse("scores", tmp_path, scores=[scores])
    assert (tmp_path / "cells.arrow").read_bytes() == tables["cells"][0].read_bytes()


def test_nothing_at_all(manifest: Path, tmp_path: Path) -> None:
    analyse_all(tmp_path, figures=FIGURES)
    sources = {name: [tmp_path / f"{name}.arrow"] for name in SOURCES}
    sources["audits"] = []
    render_tables.main(sources, FIGURES, manifest, [tmp_path / f"{name}.md" for name in TABLES])
    for name in TABLES:
        assert "| Dataset" in (tmp_path / f"{name}.md").read_text()


def test_errors(tables: dict[str, list[Path]], stages: tuple[Path, Path], manifest: Path, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no table 'dialog'; choose from logical_translation, dialogue"):
        render_tables.main(tables, FIGURES, manifest, [tmp_path / "dialogue.csv", tmp_path / "dialog.csv"])
    with pytest.raises(TableError, match="no renderer for html; there are csv, md, tex"):
        render_tables.main(tables, FIGURES, manifest, [tmp_path / "dialogue.csv", tmp_path / "dialogue.html"])
    assert not (tmp_path / "dialogue.csv").exists()
    inputs = {"sentences": [stages[0]], "triples": [stages[1]], "item_files": [tmp_path / "ranking.arrow"]}
    with pytest.raises(RefusalError, match="candidates of dataset 'toy', which is not one of other"):
        analyse("refusals", tmp_path, {"datasets": ["other"]}, **inputs)
    with pytest.raises(StoreError, match="items/toy/ranking was already read"):
        analyse(
            "refusals", tmp_path, {"datasets": ["toy"]}, **inputs | {"item_files": [tmp_path / "ranking.arrow"] * 2}
        )


def test_tables_of_what_the_experiment_is_not_about_are_removed(
    tables: dict[str, list[Path]], manifest: Path, tmp_path: Path
) -> None:
    """An earlier run in the same folder had verification, too."""
    folder = tmp_path / "tables"
    kept = [folder / f"{name}.md" for name in ("logical_translation", "refused_rows")]
    render_tables.main(tables, FIGURES, manifest, [*kept, folder / "verification.md"])
    (folder / "notes.md").write_text("mine")
    del tables["verifications"]
    render_tables.main(tables, FIGURES, manifest, kept)
    assert sorted(folder.glob("*.md")) == sorted([*kept, folder / "notes.md"])
    assert {path.stem for path in folder.glob("*.arrow")} == tables.keys()


@pytest.mark.parametrize("topic", TOPICS)
def test_a_line_of_the_registry_says_what_its_module_declares(topic: str) -> None:
    line, analysis = TOPICS[topic], analysis_of(topic)
    assert {*line.files} == {*(rows.name for rows in analysis.rows), *analysis.texts}
    assert line.tables == tuple(form.name for form in analysis.tables)


@pytest.mark.parametrize("table", TABLES)
def test_what_a_table_is_drawn_from_is_there_wherever_the_table_is(table: str) -> None:
    first, *_ = drawn_from(table)
    assert first == "audits" or FILES[first].rows_about in (Subject.EXPERIMENT, TABLES[table].about)


@pytest.mark.parametrize("table", TABLES)
def test_every_p_value_is_shown_as_one(table: str, tables: dict[str, list[Path]]) -> None:
    drawn = build(table, Frames(tables, FIGURES))
    for place, column in enumerate(drawn.columns):
        if column.name in ("p", "adjusted"):
            assert column.cell is None or column.of({"p": 0.0496, "adjusted": 0.0496}).__class__ is P
            assert all(row[place] is None or isinstance(row[place], P) for row in drawn.rows)
