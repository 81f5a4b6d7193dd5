import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from nlfol.tables.rendering import RENDERERS, to_csv, to_latex, to_markdown
from nlfol.tables.table import Column, Kind, Sample, Score, Table

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


def text_table(*cells: str, kind: Kind = Kind.TEXT, long: bool = False) -> Table:
    return Table("t", "T", "C.", (Column("c", "C", kind),), tuple((cell,) for cell in cells), long=long)


def test_csv() -> None:
    assert to_csv(TABLE) == (
        "model,items,items_available,both_mean,both_deviation,both_low,both_high,lost_unparsable,lost_failed\n"
        "small_model,8,171,0.6666666666666666,0.125,,,3,0\n"
        "chance,171,171,0.1111111111111111,,,,,\n"
    )


def test_csv_quotes_what_would_split() -> None:
    cells = ['a,b "c"', "two\nlines", "∀x (P(x) → Q(x))"]
    assert list(csv.reader(io.StringIO(to_csv(text_table(*cells))))) == [["c"], *([cell] for cell in cells)]


def test_markdown() -> None:
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
def test_markdown_cells_keep_to_their_column(cell: str, text: str) -> None:
    assert to_markdown(text_table(cell)).splitlines()[-1].strip("| ") == text


def test_latex() -> None:
    assert to_latex(TABLE) == "\n".join(
        [
            r"\begin{table}",
            r"\centering\small",
            r"\caption{A toy. Shares, 100 \% real.}\label{tab:toy}",
            r"\resizebox{\ifdim\width>\linewidth \linewidth\else\width\fi}{!}{%",
            r"\begin{tabular}{lrrr}",
            r"\toprule",
            r" Model       &    Items &   Both \& more &   u / f \\",
            r"\midrule",
            r" small\_model & 8 of 171 & 0.667 \ensuremath{\pm} 0.125 &   3 / 0 \\",
            r" chance      &      171 &         0.111 &       -- \\",
            r"\bottomrule",
            r"\end{tabular}}",
            r"\par\smallskip\raggedright\footnotesize One note. Mean \ensuremath{\pm} deviation.",
            r"\end{table}",
            "",
        ]
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b & 5 %", r"a\_b \& 5 \%"),
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
def test_latex_escapes_cells_captions_and_notes_alike(text: str, escaped: str) -> None:
    table = Table("t", text, text, (Column("c", text, Kind.TEXT),), ((text,),), (text,))
    drawn = to_latex(table)
    assert rf"\caption{{{escaped}. {escaped}}}" in drawn
    assert rf"\footnotesize {escaped}" in drawn
    in_table = [line.removesuffix(r"\\").strip() for line in drawn.splitlines() if line.startswith(" ")]
    assert in_table == [escaped, escaped]


def test_a_long_latex_table_breaks_over_pages() -> None:
    lines = to_latex(text_table("one", "two", kind=Kind.PROSE, long=True)).splitlines()
    assert lines[1] == r"\begin{longtable}{l}"
    assert lines[2] == r"\caption{T. C.}\label{tab:t} \\"
    assert [line.strip() for line in lines[3:]] == [
        r"\toprule",
        r"C   \\",
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endlastfoot",
        r"one \\",
        r"two \\",
        r"\end{longtable}",
        r"\par}",
    ]


def test_the_columns_of_a_long_latex_table_share_the_line_where_it_is_too_short() -> None:
    columns = (Column("a", "A", Kind.PROSE), Column("n", "N", Kind.COUNT))
    drawn = to_latex(Table("t", "T", "C.", columns, (("some_name " * 5, 7), ("", 8)), long=True))
    assert (r"\allowbreak" in drawn, r"\dimexpr" in drawn) == (False, False)
    three = (*columns, Column("b", "B", Kind.PROSE))
    rows = (("some_name " * 12, 7, "word " * 12), ("", 8, ""))
    drawn = to_latex(Table("t", "T", "C.", three, rows, long=True))
    assert r"some\_\allowbreak{}name" in drawn
    found = re.findall(r"ragged(\w+)\\arraybackslash}p{\\dimexpr ([0-9.]+)", drawn)
    assert found == [("right", "0.479"), ("left", "0.040"), ("right", "0.479")]


def test_numbers_stand_below_one_another_by_their_decimal_point() -> None:
    columns = (Column("n", "N & more", Kind.COUNT), Column("s", "S", Kind.SHARE))
    drawn = to_latex(Table("t", "T", "C.", columns, ((12345, -0.5), (None, 0.0001))))
    form = r"S[table-format={}.{},group-separator={{,}},group-minimum-digits=4]"
    assert rf"\begin{{tabular}}{{{form.format(5, 0)}{form.format(-1, 3)}}}" in drawn
    assert [line.split() for line in drawn.splitlines() if line.startswith(" ")] == [
        ["{N", r"\&", "more}", "&", "{S}", r"\\"],
        ["12345", "&", "-0.500", r"\\"],
        ["{--}", "&", r"{\ensuremath{<}0.001}", r"\\"],
    ]


@pytest.mark.parametrize("suffix", RENDERERS)
@pytest.mark.parametrize("long", [False, True])
def test_a_table_without_rows_says_why_to_readers_and_has_its_header_in_csv(suffix: str, long: bool) -> None:
    drawn = RENDERERS[suffix](replace(text_table(long=long), nothing="One model: nothing to *compare*."))
    assert {
        "csv": "c\n",
        "md": "# T\n\nC.\n\n**One model: nothing to \\*compare\\*.**\n",
        "tex": "\\begin{table}\n\\centering\\small\n\\caption{T. C.}\\label{tab:t}\n"
        "\\par One model: nothing to *compare*.\n\\end{table}\n",
        "rst": "C.\n",
    }[suffix] == drawn


def test_the_best_is_bold() -> None:
    table = Table(
        "t", "T", "C", (Column("s", "S", Kind.SCORE),), ((Score(0.5, 0.01, 0.4, 0.6, best=True),), (Score(0.25),))
    )
    assert "| **0.500 ± 0.010 \\[0.400, 0.600\\]** |" in to_markdown(table)
    assert r"\textbf{0.500 \ensuremath{\pm} 0.010 [0.400, 0.600]}" in to_latex(table)
    assert to_csv(table).splitlines()[1] == "0.5,0.01,0.4,0.6"


def test_a_text_cannot_make_itself_bold() -> None:
    assert "**" not in to_markdown(text_table("\ue000loud\ue001"))


def test_latex_tables_have_no_character_that_pdflatex_cannot_set(recorded_tables: Path) -> None:
    """Quotation marks and dashes are letters of its fonts; signs of mathematics are not."""
    found = {path.stem: set(re.findall(r"[^\x00-\xff“”’]", path.read_text())) for path in recorded_tables.glob("*.tex")}
    assert {name: characters for name, characters in found.items() if characters} == {}
    assert found


@pytest.mark.parametrize("suffix", ["md", "tex"])
def test_a_wide_table_leaves_counts_to_its_csv(suffix: str) -> None:
    """The first one stays: of how many the scores are."""
    names = [f"score {number}" for number in range(10)]
    counts = ["items", "refused", "blank"]
    columns = [Column(name, name, Kind.SHARE) for name in names] + [Column(name, name, Kind.COUNT) for name in counts]
    rows = tuple((*[0.5] * 10, number, number, number) for number in (7, 8))
    wide = Table("wide", "Wide", "Scores.", tuple(columns), rows)
    text = RENDERERS[suffix](wide)
    assert "items" in text
    assert "refused" not in text
    assert "Further counts are in wide.csv." in text
    assert "refused" in RENDERERS["csv"](wide)
    assert "refused" in RENDERERS[suffix](replace(wide, columns=wide.columns[1:], rows=tuple(row[1:] for row in rows)))
