"""``nlfol export``: tables, figures and methods of a run for a paper."""

import json
import re
import shutil
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path

import pytest
import typer
import yaml
from benchmarks.paper_exports import NEEDED, set_tables
from tests.examples import ROOT
from tests.once import once
from tests.unit.cli.rows import process
from tests.unit.extras.finished_runs import finished

from nlfol.facts import FACTS
from nlfol.report.figures import figures
from nlfol.results.tables.headlines import BALANCED
from nlfol.results.tables.table import TableError
from nlfol_extras.paper.command import export
from nlfol_extras.paper.figures import export_figure
from nlfol_extras.paper.methods import CITED, MEANS, key, methods
from nlfol_extras.paper.references import entry
from nlfol_extras.paper.tables import Run, printed, rendered
from nlfol_extras.works import Work

GOLD = [
    json.loads(line)
    for line in (ROOT / "resources/answers/second_reading/tarski.jsonl").read_text(encoding="utf-8").splitlines()[:40]
]


def wrong_in(*places: int) -> dict[str, str]:
    """Answers to 40 sentences of five stories, of which those at some places are wrong."""
    return {row["item"]: "∀x Cube(x)" if place in places else row["answer"] for place, row in enumerate(GOLD)}


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run whose first model is the worst, whose next two are apart by one answer, with reference and examples."""
    models = {
        "worst": ("chat", wrong_in(*range(0, 40, 2), 1, 9, 17, 25, 33)),
        "near_best": ("chat", wrong_in(3, 13)),
        "best": ("chat", wrong_in(3)),
        "second_reader": ("reader", wrong_in()),
        "by_hand": ("written", {GOLD[0]["item"]: GOLD[0]["answer"]}),
    }
    return Run(once(tmp_path_factory, "paper_run", lambda folder: finished(folder / "results", models)))


def test_export_sorts_models_and_bolds_ties_by_rank(run: Run) -> None:
    text, left_out = rendered(run, "logical_translation", (), ("equivalence", "rank"), form="latex")
    assert text.startswith("\\begin{table}\n")
    rows = [line for line in text.splitlines() if " & " in line][1:]
    # 39 and 38 right are tied, whatever the eye says; the reference stands last, its score below the scores.
    assert [row.split(" & ")[:2] for row in rows] == [
        ["best", r"\textbf{.975}"],
        [r"near\_\allowbreak{}best", r"\textbf{.950}"],
        ["worst", ".375"],
        ["second reader", "1.000"],
    ]
    ranks = [r"1--2 of 3 \\", r"1--2 of 3 \\", r"3 of 3 \\", r"-- \\"]
    assert [row.split("& ")[-1] for row in rows] == ranks
    assert left_out == []


def test_export_says_constant_columns_once_in_words(run: Run) -> None:
    table = printed(run, "logical_translation")
    assert [column.header for column in table.columns] == [*("Model", "Equivalence", "Rank", "BLEU", "LE", "On boards")]
    assert table.caption.endswith("All rows: dataset tarski; task logical translation; items 40 of 208; seeds 1.")
    assert table.notes[-1] == f"nlfol 0.1.0; run {run.manifest['digest'][:12]}; root {'12' * 16}."


def test_export_shows_written_answers_only_if_named(run: Run) -> None:
    models = [str(row[0]) for row in printed(run, "logical_translation").rows]
    assert "by hand" not in models
    assert "\nby hand (written) & " in rendered(run, "logical_translation", ["by_hand"], (), form="latex")[0]


def test_export_of_differences_has_both_p(run: Run) -> None:
    columns, *rows = rendered(run, "differences", (), (), form="csv")[0].splitlines()
    names = columns.split(",")
    assert {"p", "adjusted", "first", "second"} <= set(names)
    assert len(rows) == 3  # pairs of models
    table = printed(run, "differences", ("best", "worst"), ("p", "adjusted"))
    assert [column.header for column in table.columns] == ["First", "Second", "p", "Adjusted p"]
    assert [row[:2] for row in table.rows] == [("worst", "best")]
    assert table.notes[1].startswith("p: two-sided")


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        (("nothing", (), ()), r"no table 'nothing' in .*; there are differences, scores, logical_translation"),
        (("scores", ("gpt",), ()), r"no model 'gpt' in .*; there are worst, near_best, best, second_reader, by_hand"),
        (("scores", (), ("both",)), r"'scores' has no column 'both'; there are dataset, task,"),
        (("differences", ("second_reader",), ()), r"'differences' has no row of second_reader"),
    ],
)
def test_export_errors_name_what_there_is(run: Run, asked: tuple[str, list[str], list[str]], fault: str) -> None:
    with pytest.raises(TableError, match=fault):
        printed(run, *asked)


def test_export_drops_no_column_that_was_asked_for(run: Run) -> None:
    with pytest.raises(TableError, match=r"take \d+ points, and a line has 219; choose .* or give --width page"):
        rendered(run, "logical_translation", (), ("equivalence", "on_boards", "rank"), form="latex", width="column")
    text, left_out = rendered(run, "logical_translation", (), (), form="latex", width="column")
    assert "Equivalence" in text
    assert left_out == ["bleu", "le", "on_boards"]


def test_export_command_writes_table(run: Run, tmp_path: Path) -> None:
    made = tmp_path / "made/scores.tex"
    chosen = ("--models", "best,worst", "--columns", "on_boards, equivalence")
    done = process("export", str(run.folder), "--table", "logical_translation", *chosen, "-o", str(made))
    assert (done.returncode, done.stdout) == (0, f"{made} written\n"), done.stderr
    heads = r"Model & \multicolumn{2}{c}{On boards} & \multicolumn{2}{c}{Equivalence} \\"
    assert heads in made.read_text(encoding="utf-8")
    with pytest.raises(typer.BadParameter, match="give one of --table, --figure, --methods and --bib"):
        export(run.folder, methods=True, figure="forest")


@pytest.mark.skipif(any(shutil.which(each) is None for each in NEEDED), reason="needs pdflatex and pdffonts")
def test_exports_are_set_by_latex(run: Run, tmp_path: Path) -> None:
    texts = {name: rendered(run, name, (), (), form="latex")[0] for name in ("logical_translation", "differences")}
    texts["methods"] = methods(run, in_latex=True)
    for name, text in texts.items():
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
    assert set_tables(sorted(tmp_path.glob("*.tex")), tmp_path)[0] == []


def test_export_figure_has_no_title_and_no_written_answers(run: Run, tmp_path: Path) -> None:
    rows = (run.given.frame(name) for name in ("cells", "differences", "ranks"))
    drawn = [asdict(figure) for figure in figures(*rows, costs={}, tokens={})]
    (run.folder / "report").mkdir(exist_ok=True)
    (run.folder / "report/figures.json").write_text(json.dumps(drawn), encoding="utf-8")
    paths = export_figure(run, "accuracy-logical_translation", (), tmp_path)
    assert [path.suffix for path in paths] == [".csv", ".pdf", ".svg"]
    svg = paths[-1].read_text(encoding="utf-8")
    names = ["best", "near_best", "worst", "second reader"]
    assert sorted(names, key=lambda name: svg.index(f">{name}<")) == names
    assert "tarski" not in svg
    assert "by_hand" not in svg
    with pytest.raises(TableError, match=r"no figure 'nothing'.*; there are accuracy-logical_translation, forest"):
        export_figure(run, "nothing", (), tmp_path)
    with pytest.raises(TableError, match="shows nothing of by_hand"):
        export_figure(run, "forest", ["by_hand"], tmp_path)


def test_methods_have_the_values_of_the_manifest(run: Run) -> None:
    text = methods(run)
    assert "We evaluate 3 models." in text
    assert f"best: answers from a file, model best@{'cd' * 8}; served as best-2026." in text
    assert "items: 208 of logical translation; SHA-256 of its sentences abababababababab" in text
    assert "scored by equivalence, the share of answers logically equivalent to the gold formula" in text
    assert "nlfol 0.1.0 (commit 0123456789ab) [@nlfol], with Z3 5.4.0.0 and a budget of 500000" in text
    assert "Seed of the experiment: 7." in text
    assert f"of the run: {run.manifest['digest'][:12]}." in text
    assert "by_hand" not in text


def test_methods_cite_only_what_the_run_used(run: Run) -> None:
    text = methods(run)
    assert "[@nl-fol-lt]" in text
    assert "@lora" not in text
    latex = methods(run, in_latex=True)
    assert r"\cite{nl-fol-lt}" in latex
    assert "[@" not in latex
    known = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    assert {reference["abbreviation"] for reference in known} >= CITED
    assert key("∀uto∃∨∧L") == "autoeval"


def entries(text: str) -> dict[str, dict[str, str]]:
    """Return the fields of each BibTeX entry by key; BibTeX counts braces, whatever is before them."""
    found: dict[str, dict[str, str]] = {}
    for made in text.strip().split("\n\n"):
        head = re.match(r"@(?:inproceedings|article|misc)\{([a-z0-9-]+),\n((?:  \w+ = \{.*\},\n)+)\}\Z", made)
        assert head is not None, made
        assert head[1] not in found
        found[head[1]] = dict(re.findall(r"  (\w+) = \{(.*)\},\n", head[2]))
        for value in found[head[1]].values():
            depths = list(accumulate((sign == "{") - (sign == "}") for sign in value))
            assert min(depths) == depths[-1] == 0, value
            assert not re.search(r"(?<!\\)[%&#$_]|[^ -~À-ſ]", value), value
    return found


def test_bib_has_one_entry_for_each_cited_work(run: Run, tmp_path: Path) -> None:
    made = tmp_path / "references.bib"
    done = process("export", str(run.folder), "--bib", "-o", str(made))
    assert (done.returncode, done.stdout) == (0, f"{made} written\n"), done.stderr
    found = entries(made.read_text(encoding="utf-8"))
    cited = re.findall(r"\\cite\{(.*?)\}", methods(run, in_latex=True))
    assert found.keys() == {name for names in cited for name in names.split(",")} >= {"nlfol", "nl-fol-lt"}
    assert found["nlfol"]["author"] == "{The nlfol developers}"
    assert found["nlfol"]["note"] == "Version 0.1.0"
    work = found["nl-fol-lt"]
    assert work["author"].startswith("Brunello, Andrea and Geatti, Luca and ")
    assert (work["volume"], work["number"], work["pages"], work["year"]) == ("40", "36", "30094--30103", "2026")
    assert (work["doi"], work["eprint"]) == ("10.1609/aaai.v40i36.40258", "2511.11816")
    with pytest.raises(typer.BadParameter, match="leave out --form"):
        export(run.folder, bib=True, form="latex")


def test_bib_can_have_every_work_of_the_citation_file() -> None:
    works = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    cited = [work for work in works if work["abbreviation"] in CITED or work.get("keywords")]
    found = entries("\n".join(entry(key(work["abbreviation"]), work) for work in cited))
    assert len(found) == len(cited)
    assert found["autoeval"]["title"].startswith(r"{\ensuremath{\forall}uto\ensuremath{\exists}")
    assert found["folio"]["author"].endswith(" and Riddell, Martin and others")
    assert found["ar-lsat"]["url"] == "https://arxiv.org/abs/2104.06598"


def test_bib_escapes_what_ends_an_entry() -> None:
    work: Work = {"authors": [{"name": "A & B"}], "title": "100 % {of} C_1 } \\ ~", "year": 2026}
    fields = entries(entry("odd", work))["odd"]
    assert fields["author"] == r"{A \& B}"
    assert fields["title"].startswith(r"{100 \% \textbraceleft{}of\textbraceright{} C\_")


def test_methods_define_every_leading_metric() -> None:
    ours = [facts for facts in FACTS.values() if not facts.kind.startswith("toy")]
    assert {facts.shown_first for facts in ours} | {BALANCED} <= MEANS.keys()
