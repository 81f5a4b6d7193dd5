"""Figures as files, drawn for real by vl-convert."""

import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import polars as pl
import pytest
import vl_convert
from tests.unit.report.test_analysis_figures import score

from nlfol.report.printing import HIGHEST, WIDTH, panels, write_figure
from nlfol.results.analyses.charts import COLOURS, GREY, INK, encodings, painted
from nlfol.results.analyses.curves import curves_figure
from nlfol.results.analyses.figure import Figure
from nlfol_extras.analyses.transitions import transitions_figure
from write_figures import main

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
PANELS = [
    "curves/category-zero_shot-k_sat-round_trip-truth",
    "curves/depth-zero_shot-k_sat-round_trip-truth",
    "transitions/rules-program-concept_table",
]


def curves(*models: str) -> Figure:
    rows = [
        score(model=model, measure=measure, bin=f"{value:.0f}", start=value, end=value, **kind)
        for measure in ("category", "depth")
        for model in models
        for value in (3.0, 4.0)
        for kind in ({"kind": "chance" if model == "chance" else "chat"},)
    ]
    figure = curves_figure(pl.DataFrame(rows))
    assert figure is not None
    return figure


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("figures")
    changes = transitions_figure(pl.DataFrame([CHANGES]))
    assert changes is not None
    (made / "figures.json").write_text(json.dumps(list(map(asdict, (curves("m", "n"), changes)))))
    main(made / "figures.json", made / "files")
    return made / "files"


def test_figure_panels_are_written_as_svg_and_pdf_beside_data(folder: Path) -> None:
    drawn = {str(path.relative_to(folder)) for path in folder.rglob("*.*")}
    expected = {f"{name}.{suffix}" for name in PANELS for suffix in ("svg", "pdf")}
    assert drawn == expected | {"transitions.csv", "curves.csv"}
    (row,) = pl.read_csv(folder / "transitions.csv").to_dicts()
    assert (row["model"], row["case"], row["answers"]) == (CHANGES["model"], "fixed by consistency", 3)


def test_figure_file_has_column_width_and_8_point_text(folder: Path) -> None:
    for name in PANELS:
        svg = (folder / f"{name}.svg").read_text()
        width, height = size(svg)
        assert abs(width - WIDTH) <= 1
        assert height < 260
        assert set(re.findall(r'font-size="(.*?)"', svg)) == {"8px"}
        pdf = (folder / f"{name}.pdf").read_bytes()
        box = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
        assert box
        assert abs(float(box[1]) - WIDTH) <= 1
        assert b"/ToUnicode" in pdf
        assert b"/Subtype /Image" not in pdf
    assert str(CHANGES["model"]).replace("&", "&amp;") in svg


def size(svg: str) -> tuple[float, float]:
    found = re.search(r'width="([0-9.]+)pt" height="([0-9.]+)pt"', svg)
    assert found
    return float(found[1]), float(found[2])


def test_figure_axis_names_measure_and_title_names_selection(folder: Path) -> None:
    drawn = (folder / f"{PANELS[1]}.svg").read_text()
    assert ">depth<" in drawn
    assert ">depth · zero_shot · k_sat · round_trip: truth<" in drawn
    assert ">Score<" in drawn


def test_tall_figure_panel_continues_in_next_file(tmp_path: Path) -> None:
    figure = transitions_figure(pl.DataFrame([{**CHANGES, "model": f"m{number}"} for number in range(60)]))
    assert figure is not None
    write_figure(figure, tmp_path)
    files = sorted(path.name for path in (tmp_path / "transitions").glob("*.svg"))
    assert files == [f"rules-program-concept_table-{number}.svg" for number in (1, 2)]
    drawn = [(tmp_path / "transitions" / name).read_text() for name in files]
    assert all(size(svg)[1] <= HIGHEST for svg in drawn)
    shown = [set(re.findall(r">(m\d+)<", svg)) for svg in drawn]
    assert (len(shown[0] | shown[1]), shown[0] & shown[1]) == (60, set())


def test_long_row_label_wraps_and_raises_row_height(tmp_path: Path) -> None:
    label = "folio · question_answering · accuracy · english (autoeval 8)"
    for name, model in (("long", label), ("short", "m")):
        figure = transitions_figure(pl.DataFrame([{**CHANGES, "model": model}, {**CHANGES, "model": "other"}]))
        assert figure is not None
        write_figure(figure, tmp_path / name)
    long, short = (next((tmp_path / name).rglob("*.svg")).read_text() for name in ("long", "short"))
    lines = re.findall(r"<tspan.*?>(.*?)</tspan>", long)
    assert lines[-4:] == ["folio ·", "question_answering ·", "accuracy · english", "(autoeval 8)"]
    assert abs(size(long)[0] - WIDTH) <= 1
    assert size(long)[1] > size(short)[1] + 2 * 2 * 8


def ranges(figure: Figure, channel: str = "color") -> dict[str, str]:
    encoded = next(each for name, each in encodings(figure.specification, "color", "shape") if name == channel)
    return dict(zip(encoded["scale"]["domain"], encoded["scale"]["range"], strict=True))


def test_model_colour_is_constant_and_references_are_grey() -> None:
    models = ["a", "b", "c"]
    for shown in (("a", "c", "chance", "surface"), ("c", "b", "surface", "chance")):
        figure = painted(curves(*shown), models)
        assert ranges(figure) == {name: dict(zip(models, COLOURS, strict=False)).get(name, GREY) for name in shown}
        assert len({ranges(figure, "shape")[name] for name in ("a", "chance", "surface") if name in shown}) > 1
        legends = [each["legend"]["values"] for _, each in encodings(figure.specification, "color", "shape")]
        assert legends == [list(shown[:2])] * len(legends)
        assert figure.caption.endswith(f" Grey: {', '.join(shown[2:])}.")
    (_, panel), *_ = panels(replace(figure, caption="").specification)
    assert all(
        each["scale"]["domain"] == ["c", "b", "surface", "chance"] for _, each in encodings(panel, "color", "shape")
    )


def test_models_beyond_colour_count_get_own_panels() -> None:
    models = [f"m{number}" for number in range(len(COLOURS) + 1)]
    figure = painted(curves(*models, "chance"), models)
    assert set(ranges(figure).values()) == {INK, GREY}
    shown: dict[str, set[str]] = {}
    for row in figure.rows:
        shown.setdefault(row["panel"], set()).add(row["model"])
    assert shown == {model: {model, "chance"} for model in models}
    assert {row["question"] for row in figure.rows} == {"k_sat · round_trip: truth"}
    titles = [title for title, _ in panels(figure.specification)]
    assert titles[:2] == [
        f"{measure} · zero_shot · k_sat · round_trip: truth · m0" for measure in ("category", "depth")
    ]
    assert len(titles) == 2 * len(models)
    # One question and measure is drawn at a time, in a panel a model.
    assert vl_convert.vegalite_to_svg(figure.specification).count("role-frame") <= len(models) + 1
    assert all(each["legend"] is None for _, each in encodings(figure.specification, "color", "shape"))
