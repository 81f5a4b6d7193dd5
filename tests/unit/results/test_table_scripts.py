"""The scripts, from stage files to rendered tables."""

from pathlib import Path

import pytest
from tests.analysing import analyse, analyse_all
from tests.unit.results import recorded

import render_tables
from nlfol.results.analyses.analysis import Given, analysis_of
from nlfol.results.analyses.drawing import SOURCES, build, drawn_from, form_of
from nlfol.results.analyses.registry import FILES, TABLES, TOPICS, Subject
from nlfol.results.tables.table import P, TableError
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.store.files import StoreError
from nlfol_extras.analyses.refusals import REFUSALS, RefusalError

FIGURES = sorted((Path(__file__).parents[3] / "resources/published").glob("*.csv"))


@pytest.fixture
def folder(recorded_tables: Path) -> Path:
    """The files of the recorded experiment."""
    return recorded_tables.parent


@pytest.fixture
def sources(folder: Path) -> dict[str, list[Path]]:
    return {name: [folder / f"{name}.arrow"] for name in SOURCES} | {"audits": sorted(folder.glob("audit.*.arrow"))}


def test_cells_and_refusals_record_source_digests(folder: Path) -> None:
    cells = files.read(folder / "cells.arrow", schemas.CELLS)
    scores = files.digest(folder / "scores.logical_translation.alpha.arrow")
    assert cells.schema.metadata[b"made_from.scores/toy/logical_translation/alpha"].decode() == scores
    refusals = files.read(folder / "refusals.arrow", REFUSALS)
    assert refusals.schema.metadata[b"made_from.triples/toy"].decode() == files.digest(folder / "triples.arrow")
    assert b"made_from.items/toy/ranking" in refusals.schema.metadata


def test_rendered_tables_name_their_run(folder: Path, sources: dict[str, list[Path]], tmp_path: Path) -> None:
    outputs = {suffix: tmp_path / f"logical_translation.{suffix}" for suffix in ("csv", "md", "tex")}
    render_tables.main(Given({**sources, "figures": FIGURES}), folder / "manifest.json", list(outputs.values()))
    run = sha256(canonical({}))[:12]
    assert f"- Run {run}: see manifest.json.\n" in outputs["md"].read_text()
    assert f"Run {run}: see manifest.json." in outputs["tex"].read_text()
    assert run not in outputs["csv"].read_text()


def test_latex_label_matches_table_name(recorded_tables: Path) -> None:
    for name in TABLES:
        assert rf"\label{{tab:{name}}}" in (recorded_tables / f"{name}.tex").read_text()


def test_analysis_output_is_byte_identical(folder: Path, tmp_path: Path) -> None:
    asked = [(task, model) for task, models in recorded.MODELS.items() for model in models]
    scores = [folder / f"scores.{task}.{model}.arrow" for task, model in asked]
    analyse("scores", tmp_path, scores=scores, evidence=[folder / "logical_translation.evidence.arrow"])
    assert (tmp_path / "cells.arrow").read_bytes() == (folder / "cells.arrow").read_bytes()


def test_render_tables_explains_empty_tables(folder: Path, tmp_path: Path) -> None:
    analyse_all(tmp_path, figures=FIGURES)
    sources = {name: [tmp_path / f"{name}.arrow"] for name in SOURCES}
    sources["audits"] = []
    render_tables.main(
        Given({**sources, "figures": FIGURES}), folder / "manifest.json", [tmp_path / f"{name}.md" for name in TABLES]
    )
    for name in TABLES:
        drawn = (tmp_path / f"{name}.md").read_text()
        assert f"\n\n**{form_of(name).nothing}**\n\n- Run " in drawn.replace("\\", "")
        assert "|" not in drawn


def test_table_scripts_report_input_errors(folder: Path, sources: dict[str, list[Path]], tmp_path: Path) -> None:
    for name, message in (
        ("dialog.csv", "no table 'dialog'; choose from logical_translation, ceiling, both_wrong, dialogue"),
        ("dialogue.html", "no renderer for html; there are csv, md, tex"),
    ):
        with pytest.raises(TableError, match=message):
            render_tables.main(
                Given({**sources, "figures": FIGURES}),
                folder / "manifest.json",
                [tmp_path / "dialogue.csv", tmp_path / name],
            )
    assert not (tmp_path / "dialogue.csv").exists()
    items = folder / "ranking.arrow"
    inputs = {"sentences": [folder / "sentences.arrow"], "triples": [folder / "triples.arrow"], "item_files": [items]}
    with pytest.raises(RefusalError, match="candidates of dataset 'toy', which is not one of other"):
        analyse("refusals", tmp_path, {"datasets": ["other"]}, **inputs)
    with pytest.raises(StoreError, match="items/toy/ranking was already read"):
        analyse("refusals", tmp_path, {"datasets": ["toy"]}, **inputs | {"item_files": [items] * 2})


def test_render_tables_removes_stale_tables(folder: Path, sources: dict[str, list[Path]], tmp_path: Path) -> None:
    """An earlier run in the same folder had verification, too."""
    kept = [tmp_path / f"{name}.md" for name in ("logical_translation", "refused_rows")]
    render_tables.main(
        Given({**sources, "figures": FIGURES}), folder / "manifest.json", [*kept, tmp_path / "verification.md"]
    )
    others = [tmp_path / "cells.arrow", tmp_path / "notes.md"]
    for path in others:
        path.write_text("mine")
    del sources["verifications"]
    render_tables.main(Given({**sources, "figures": FIGURES}), folder / "manifest.json", kept)
    assert sorted(tmp_path.iterdir()) == sorted([*kept, *others, tmp_path / "checksums"])


@pytest.mark.parametrize("topic", TOPICS)
def test_registry_line_matches_module_declarations(topic: str) -> None:
    line, analysis = TOPICS[topic], analysis_of(topic)
    assert {*line.files} == {*(rows.name for rows in analysis.rows), *analysis.texts}
    assert line.tables == tuple(form.name for form in analysis.tables)


@pytest.mark.parametrize("table", TABLES)
def test_table_sources_exist_wherever_table_does(table: str) -> None:
    first, *_ = drawn_from(table)
    assert first == "audits" or FILES[first].rows_about in (Subject.EXPERIMENT, TABLES[table].about)


@pytest.mark.parametrize("table", TABLES)
def test_p_value_columns_use_p_cells(table: str, sources: dict[str, list[Path]]) -> None:
    drawn = build(table, Given({**sources, "figures": FIGURES}))
    for place, column in enumerate(drawn.columns):
        if column.name in ("p", "adjusted"):
            assert column.cell is None or column.of({"p": 0.0496, "adjusted": 0.0496}).__class__ is P
            assert all(row[place] is None or isinstance(row[place], P) for row in drawn.rows)
