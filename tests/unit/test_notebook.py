"""``import nlfol`` in a notebook: what it gives, how that shows itself, and what importing it costs."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import polars as pl
import pytest

import nlfol
from nlfol.logic import FormulaSyntaxError, Structure
from nlfol.results.analyses.generated import COUNTS
from nlfol.store import files

HEAVY = ("nlfol.logic", "typing", "pyparsing", "z3", "polars", "pydantic")


def test_nlfol_import_is_lazy() -> None:
    folder = str(Path(nlfol.__file__).parents[1])
    code = (
        f"import sys; sys.path.insert(0, {folder!r}); import nlfol; "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    assert found.stdout == "[]\n", found.stderr


def test_nlfol_namespace_exposes_exactly_listed_names() -> None:
    assert nlfol.equivalence(nlfol.parse("P(a)"), nlfol.parse("P(a)")).outcome == "equivalent"
    assert nlfol.entails([nlfol.parse("P(a)")], nlfol.parse("P(a)")).label == "true"
    assert str(nlfol.distance("∀x P(x)", "exists x P(x)")) == "off by one: quantifier (∀ to ∃)"
    assert set(nlfol.__all__) <= set(dir(nlfol))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = nlfol.nonsense


def test_parse_is_tolerant_unless_strict() -> None:
    assert nlfol.parse("forall x P(x)") == nlfol.parse("∀x P(x)", strict=True)
    assert nlfol.parse("p -> q", propositions=True) == nlfol.parse("p → q", strict=True, propositions=True)
    with pytest.raises(FormulaSyntaxError):
        nlfol.parse("forall x P(x)", strict=True)


def test_formulas_and_countermodels_have_rich_display() -> None:
    assert nlfol.parse("∀x ¬Old_One(x)")._repr_latex_() == r"$\forall x\, \lnot \mathrm{Old\_One}(x)$"
    model = Structure(2, {"a": 1}, {}, {"Old_One": frozenset({(0,)})})
    assert '<td style="text-align: left">Old_One = {0}</td>' in model._repr_html_()
    assert r"\text{Old\_One = \{0\}}" in model._repr_latex_()
    verdict = nlfol.equivalence(nlfol.parse("∀x P(x)"), nlfol.parse("∃x P(x)"))
    assert "<b>not equivalent</b> (by finite structure); counter-model:" in verdict._repr_html_()
    assert "universe {0, 1}" in verdict._repr_html_()
    assert "<table>" not in nlfol.equivalence(nlfol.parse("P(x)"), nlfol.parse("P(x)"))._repr_html_()


def test_comparison_displays_formulas_relation_and_board() -> None:
    found = nlfol.compare("∀x (Cube(x) → Small(x))", nlfol.parse("∃x (Cube(x) ∧ Small(x))"))
    assert found.relation == "independent"
    page = found._repr_html_()
    assert page.count("<svg") == 1
    assert r"$\forall x\, (\mathrm{Cube}(x) \rightarrow \mathrm{Small}(x))$" in page
    assert "<svg" not in nlfol.compare("∀x P(x)", "∃x P(x)")._repr_html_()
    assert nlfol.compare("P(a)", "P(a)").relation is None
    # The story's example, whose first counter-model that is found is no board.
    scope = nlfol.compare(
        "∃x (Tet(x) ∧ Larger(x, e) ∧ Smaller(x, f))", "∃x (Tet(x) ∧ Larger(x, e)) ∧ ∃x (Tet(x) ∧ Smaller(x, f))"
    )
    assert scope._repr_html_().count("<svg") == 1
    assert "Smaller = {(0, 1)}" in scope._repr_html_()
    # As the command does.
    assert nlfol.compare("∀x (P(x) → Q(x))", "forall x. (P(x) -> Q(x))").verdict.outcome == "equivalent"


def test_board_drawing_places_blocks_on_squares() -> None:
    world = Structure(
        2, {"a": 0, "b": 1}, {}, {"Cube": frozenset({(0,)}), "Tet": frozenset({(1,)}), "LeftOf": frozenset({(0, 1)})}
    )
    drawing = ET.fromstring(nlfol.board(world)._repr_svg_())
    space = "{http://www.w3.org/2000/svg}"
    left, right = drawing.findall(f"{space}polygon")
    assert [len(shape.get("points", "").split()) for shape in (left, right)] == [4, 3]
    x_of = {text.text: float(text.get("x", "")) for text in drawing.findall(f"{space}text")}
    assert x_of["a"] < x_of["b"]
    with pytest.raises(ValueError, match="not a blocks world"):
        nlfol.board(Structure(1, {}, {}, {"P": frozenset()}))
    with pytest.raises(ValueError, match="no board with up to 4 blocks"):
        nlfol.board(Structure(1, {}, {}, {"Cube": frozenset(), "LeftOf": frozenset({(0, 0)})}))


def test_read_results_finds_tables_by_name(tmp_path: Path) -> None:
    row = dict.fromkeys(COUNTS.names, 1) | {name: "x" for name in COUNTS.names if COUNTS.field(name).type == "string"}
    files.write(tmp_path / "tables/counts.arrow", COUNTS, [row], {})
    for dataset in ("one", "other"):
        files.write(tmp_path / f"scores/{dataset}/task/model.arrow", COUNTS, [row], {})
    (tmp_path / "tables/dialogue.csv").write_text("Model,Score\nm,0.5\n")
    assert nlfol.read_results(tmp_path, "counts").height == 1
    assert nlfol.read_results(tmp_path, "scores").height == 2
    assert nlfol.read_results(tmp_path, "dialogue").equals(pl.DataFrame({"Model": ["m"], "Score": [0.5]}))
    with pytest.raises(FileNotFoundError, match=r"no results called 'dialog'; there is dialogue$"):
        nlfol.read_results(tmp_path, "dialog")
    with pytest.raises(FileNotFoundError, match=r"no results called 'nonsense'; there is counts, dialogue, scores"):
        nlfol.read_results(tmp_path, "nonsense")
