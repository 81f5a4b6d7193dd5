import csv
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nlfol.results.tables.latex import to_latex
from nlfol.results.tables.rendering import RENDERERS, to_csv, to_markdown
from nlfol.results.tables.table import Cell, Column, Kind, Sample, Score, Table

COLUMNS = (
    Column("model", "Model", Kind.TEXT),
    Column("items", "Items", Kind.SAMPLE),
    Column("both", "Both & more", Kind.SCORE),
    Column("lost", "u / f", Kind.TALLY, ("unparsable", "failed")),
)
TABLE = Table(
    "toy",
    "A toy",
    "Shares, 100 % real.",
    COLUMNS,
    (
        ("small_model", Sample(8, 171), Score(2 / 3, 0.125), (3, 0)),
        ("chance", Sample(171, 171), Score(1 / 9), None),
    ),
    ("One note.", "Mean ± deviation."),
)


def text_table(*cells: str, kind: Kind = Kind.TEXT) -> Table:
    return Table("t", "T", "C.", (Column("c", "C", kind),), tuple((cell,) for cell in cells))


def test_csv_renders_full_precision_fields() -> None:
    assert to_csv(TABLE) == (
        "model,items,items_available,both_mean,both_deviation,both_low,both_high,lost_unparsable,lost_failed\n"
        "small_model,8,171,0.6666666666666666,0.125,,,3,0\n"
        "chance,171,171,0.1111111111111111,,,,,\n"
    )


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1+1", "@SUM(A1)", "-1+cmd|x", "-(2)", "\t=1", "\r=1", "\n=1", "＝1+1", "－A1"]
)
def test_csv_neutralizes_spreadsheet_formulas(text: str) -> None:
    assert to_csv(text_table(text)).strip('c\n"') == f"'{text}"


@pytest.mark.parametrize("text", ["-", "-1", "-0.25", "∀x P(x)", "a=b", "¬P(a)", "'quoted'", "1-2"])
def test_csv_keeps_harmless_text(text: str) -> None:
    assert to_csv(text_table(text)) == f"c\n{text}\n"


def test_csv_quotes_separators_and_newlines() -> None:
    cells = ['a,b "c"', "two\nlines", "∀x (P(x) → Q(x))"]
    assert list(csv.reader(io.StringIO(to_csv(text_table(*cells))))) == [["c"], *([cell] for cell in cells)]


def test_markdown_renders_aligned_table_with_notes() -> None:
    assert to_markdown(TABLE) == (
        "# A toy\n"
        "\n"
        "Shares, 100 % real.\n"
        "\n"
        "| Model       |    Items |   Both & more |   u / f |\n"
        "|:------------|---------:|--------------:|--------:|\n"
        "| small_model | 8 of 171 | 0.667 ± 0.125 |   3 / 0 |\n"
        "| chance      |      171 |         0.111 |       – |\n"
        "\n"
        "- One note.\n"
        "- Mean ± deviation.\n"
    )


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("P | Q", r"P \| Q"),
        (r"a\|b", r"a\\\|b"),
        ("two\nlines", "two lines"),
        ("*bold* `code` <b> [link]", r"\*bold\* \`code\` \<b\> \[link\]"),
        ("snake_case", "snake_case"),
        ("_emphasis_", r"\_emphasis\_"),
        ("1671", "1671"),
    ],
)
def test_markdown_escapes_cell_separators(cell: str, text: str) -> None:
    assert to_markdown(text_table(cell)).splitlines()[-1].strip("| ") == text


LENGTHS = (
    r"\centering\footnotesize\setlength{\tabcolsep}{3pt}"
    r"\setlength{\abovecaptionskip}{0pt}\setlength{\belowcaptionskip}{4pt}"
)


def test_latex_renders_booktabs_table() -> None:
    assert to_latex(TABLE) == "\n".join(
        [
            r"\begin{table}",
            LENGTHS,
            r"\caption{A toy. Shares, 100 \% real.}\label{tab:toy}",
            r"\begin{tabular}{@{}lrr@{}}",
            r"\toprule",
            r"Model & Items & \shortstack[r]{Both \&\\more} \\",
            r"\midrule",
            r"small\_\allowbreak{}model & 8 of 171 & .667 \\",
            r"chance & 171 & .111 \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\smallskip\raggedright\scriptsize One note. Mean \ensuremath{\pm} deviation.",
            r"\end{table}",
            "",
        ]
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b & 5 %", r"a\_\allowbreak{}b \& 5 \%"),
        ("#1 {x} $2", r"\#1 \{x\} \$2"),
        (r"a\b", r"a\textbackslash{}b"),
        ("~ <", r"\textasciitilde{} \ensuremath{<}"),
        (
            "∀x ¬P(x) ↔ Q",
            r"\ensuremath{\forall}x \ensuremath{\neg}P(x) \ensuremath{\leftrightarrow} Q",
        ),
        ("≥ 3, a ≠ b, ¬φ", r"\ensuremath{\geq} 3, a \ensuremath{\neq} b, \ensuremath{\neg}\ensuremath{\varphi}"),
    ],
)
def test_latex_escapes_cells_captions_and_notes(text: str, escaped: str) -> None:
    table = Table("t", text, text, (Column("c", text, Kind.TEXT),), ((text,),), (text,))
    drawn = to_latex(table)
    assert rf"\caption{{{escaped}. {escaped}}}" in drawn
    assert rf"\scriptsize {escaped}" in drawn
    assert drawn.splitlines()[5:8] == [rf"{escaped} \\", r"\midrule", rf"{escaped} \\"]


MANY = (
    *(Column(name, name, Kind.TEXT) for name in ("dataset", "task", "model")),
    Column("items", "Items", Kind.SAMPLE),
    *(Column(f"score{place}", f"Score {place}", Kind.SCORE) for place in range(6)),
    *(Column(name, name, Kind.COUNT) for name in ("zero", "lost")),
)


def many(rows: int, **more: Any) -> Table:
    scores = [[Score(0.1 + row / 1000, 0.2, -0.05, 0.5) for _ in range(6)] for row in range(rows)]
    cells: list[tuple[Cell, ...]] = [
        ("d", f"t{row % 2}", f"m{row // 2}", Sample(3, 4 + row), *scores[row], 0, row) for row in range(rows)
    ]
    return Table("many", "Many", "Scores.", MANY, tuple(cells), ("w " * 41, "Run 1."), **more)


def test_latex_limits_wide_table_to_seven_informative_columns() -> None:
    """Names of several rows stand above them; rows of one name come together."""
    lines = to_latex(many(8)).splitlines()
    assert lines[0] == r"\begin{table*}"
    assert lines[2] == r"\caption{Many. Scores. In each row dataset: d.}\label{tab:many}"
    scores = " & ".join(rf"\multicolumn{{2}}{{c}}{{Score {place}}}" for place in range(5))
    assert lines[5] == rf"model & Items & {scores} \\"
    assert [line for line in lines if "textit" in line] == [
        rf"\multicolumn{{12}}{{@{{}}p{{431pt}}@{{}}}}{{\raggedright\textit{{{task}}}}} \\" for task in ("t0", "t1")
    ]
    assert lines[8].startswith(r"m0 & 3 of 4 & .100 & [\ensuremath{-}.050, .500] & ")
    assert lines[9].startswith(r"m1 & 3 of 6 & ")
    assert lines[-2] == r"\par\smallskip\raggedright\scriptsize More: many.md. Run 1."


def test_latex_uses_declared_paper_columns() -> None:
    lines = to_latex(many(8, paper=("model", "score5", "lost", "zero"))).splitlines()
    assert (lines[0], lines[5]) == (r"\begin{table}", r"model & \multicolumn{2}{c}{Score 5} & lost \\")


def test_latex_truncates_long_table_and_notes_omission() -> None:
    drawn = to_latex(many(100))
    assert drawn.count("3 of") == 46
    assert "46 of 100 rows; all are in many.csv." in drawn


def test_latex_wraps_prose_before_dropping_scores() -> None:
    columns = (Column("a", "A", Kind.PROSE), Column("n", "N", Kind.COUNT), Column("s", "S", Kind.SHARE))
    lines = to_latex(Table("t", "T", "C.", columns, (("word " * 60, 7, 0.5), ("", 8, -0.25)))).splitlines()
    assert lines[3] == r"\begin{tabular}{@{}>{\raggedright\arraybackslash}p{408pt}rr@{}}"
    assert lines[8] == r" & 8 & \ensuremath{-}.250 \\"


@pytest.mark.parametrize("suffix", RENDERERS)
def test_empty_table_renders_reason_and_keeps_csv_header(suffix: str) -> None:
    drawn = RENDERERS[suffix](replace(text_table(), nothing="One model: nothing to *compare*."))
    assert {
        "csv": "c\n",
        "md": "# T\n\nC.\n\n**One model: nothing to \\*compare\\*.**\n",
        "tex": f"\\begin{{table}}\n{LENGTHS}\n\\caption{{T. C.}}\\label{{tab:t}}\n"
        "\\par One model: nothing to *compare*.\n\\end{table}\n",
        "rst": "C.\n",
    }[suffix] == drawn


def test_renderers_bold_best_score() -> None:
    table = Table(
        "t", "T", "C", (Column("s", "S", Kind.SCORE),), ((Score(0.5, 0.01, 0.4, 0.6, best=True),), (Score(0.25),))
    )
    assert "| **0.500 ± 0.010 \\[0.400, 0.600\\]** |" in to_markdown(table)
    # A score without interval stands below the scores, not below the brackets.
    assert to_latex(table).splitlines()[7:9] == [r"\textbf{.500} & [.400, .600] \\", r".250 & \\"]
    assert to_csv(table).splitlines()[1] == "0.5,0.01,0.4,0.6"


def test_cell_text_cannot_inject_bold() -> None:
    loud = text_table("\ue000loud\ue001")
    assert "**" not in to_markdown(loud)
    assert "textbf" not in to_latex(loud)


@pytest.mark.parametrize("place", ["title", "caption", "notes", "nothing", "columns"])
def test_notes_and_captions_cannot_inject_bold(place: str) -> None:
    def said(text: str) -> Table:
        given: dict[str, Any] = {"notes": (text,), "columns": (Column("c", text, Kind.TEXT),)}
        return replace(text_table(*([] if place == "nothing" else ["a", "b"])), **{place: given.get(place, text)})

    for render in (to_latex, to_markdown):
        assert "loud" in render(said("loud"))
        assert render(said("\ue000loud\ue001")) == render(said("loud"))


def test_latex_tables_contain_only_pdflatex_characters(recorded_tables: Path) -> None:
    """Quotation marks and dashes are letters of its fonts; signs of mathematics are not."""
    found = {path.stem: set(re.findall(r"[^\x00-\xff“”’]", path.read_text())) for path in recorded_tables.glob("*.tex")}
    assert {name: characters for name, characters in found.items() if characters} == {}
    assert found


def test_wide_markdown_table_moves_counts_to_csv() -> None:
    """The first one stays: of how many the scores are."""
    names = [f"score {number}" for number in range(10)]
    counts = ["items", "refused", "blank"]
    columns = [Column(name, name, Kind.SHARE) for name in names] + [Column(name, name, Kind.COUNT) for name in counts]
    rows = tuple((*[0.5] * 10, number, number, number) for number in (7, 8))
    wide = Table("wide", "Wide", "Scores.", tuple(columns), rows)
    text = to_markdown(wide)
    assert "items" in text
    assert "refused" not in text
    assert "Further counts are in wide.csv." in text
    assert "refused" in to_csv(wide)
    assert "refused" in to_markdown(replace(wide, columns=wide.columns[1:], rows=tuple(row[1:] for row in rows)))
