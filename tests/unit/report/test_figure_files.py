"""Figures as files, drawn for real by vl-convert."""

import json
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest

from nlfol.analyses.figure import Figure
from nlfol.analyses.generated import counts_figure
from nlfol.analyses.transitions import transitions_figure
from write_figures import WIDTHS, figure_parts, main

SVG = "{http://www.w3.org/2000/svg}"

CHANGES = {
    "between": "tasks",
    "first_dataset": "rules",
    "second_dataset": "rules",
    "first_task": "program",
    "second_task": "concept_table",
    "model": "a model of a long name & more",
    "base": None,
    "change": "fixed_by_consistency",
    "answers": 3,
}


@pytest.fixture(scope="module")
def drawn() -> list[Figure]:
    sizes = [
        {"dataset": "made", "measure": measure, "value": value, "items": 2}
        for measure in ("depth", "operators")
        for value in (1.0, 3.0)
    ]
    found = [transitions_figure(pl.DataFrame([CHANGES])), counts_figure(pl.DataFrame(sizes))]
    return [figure for figure in found if figure is not None]


@pytest.fixture(scope="module")
def folder(drawn: list[Figure], tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("figures")
    (made / "figures.json").write_text(json.dumps(list(map(asdict, drawn))))
    main(made / "figures.json", made / "files")
    return made / "files"


def test_each_figure_has_each_form_and_its_data(folder: Path) -> None:
    drawn = [f"{name}-{width}" for name in ("transitions", "counts") for width in WIDTHS]
    expected = {f"{name}.{suffix}" for name in drawn for suffix in ("svg", "pdf", "png")}
    assert {path.name for path in folder.iterdir()} == expected | {"transitions.csv", "counts.csv", "checksums"}
    (row,) = pl.read_csv(folder / "transitions.csv").to_dicts()
    assert (row["model"], row["case"], row["answers"]) == (CHANGES["model"], "fixed by consistency", 3)
    assert pl.read_csv(folder / "counts.csv")["items"].sum() == 8


@pytest.mark.parametrize("width", WIDTHS)
def test_a_figure_is_as_wide_as_its_column_and_its_text_is_text(folder: Path, width: str) -> None:
    for path in sorted(folder.glob(f"*-{width}.svg")):
        root = ElementTree.parse(path).getroot()
        assert abs(float(root.attrib["width"]) - WIDTHS[width] * 96) <= 1
    words = {text.text for text in ElementTree.parse(folder / f"transitions-{width}.svg").iter(f"{SVG}text")}
    assert {"fixed by consistency", CHANGES["model"], "rules: program → concept_table"} <= words
    pdf = (folder / f"transitions-{width}.pdf").read_bytes()
    assert b"/ToUnicode" in pdf
    assert b"/Subtype /Image" not in pdf


def test_choices_are_panels_with_axes_of_their_own_name(folder: Path) -> None:
    drawn = (folder / "counts-one-column.svg").read_text()
    for measure in ("depth", "operators"):
        # Title of the panel, above that of the dataset, and of its axis; nothing else is called by the measure.
        assert drawn.count(f">{measure}<") == 2
    assert drawn.count(">made<") == 2


def test_files_have_a_bounded_number_of_panels_and_their_rows_all_of_them() -> None:
    sizes = [
        {"dataset": dataset, "measure": measure, "value": 1.0, "items": 2}
        for measure in ("category", "depth", "operators")
        for dataset in map(str, range(20 if measure == "depth" else 15))
    ]
    figure = counts_figure(pl.DataFrame(sizes))
    assert figure is not None
    parts = dict(figure_parts(figure.specification))
    shown = {name: {row["panel"] for row in next(iter(part["datasets"].values()))} for name, part in parts.items()}
    # No choice is torn apart that has room in a file of its own.
    assert {name: len(panels) for name, panels in shown.items()} == {"1": 15, "2": 20, "3": 15}
    assert {panel for panels in shown.values() for panel in panels} == {
        f"{row['measure']} – {row['dataset']}" for row in sizes
    }
    assert all(not part["spec"]["transform"] for part in parts.values())
