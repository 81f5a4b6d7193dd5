"""Programs by another solver, item by item; right sentences against right problems; the gold that models side with."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.stored import stored

from nlfol.problems.programs import FORMULAS
from nlfol.results.statistics.aligned import Aligned
from nlfol.store import files, schemas
from nlfol.store.problem_schemas import PROGRAMS
from nlfol_extras.analyses.chains import chains, chains_figure
from nlfol_extras.analyses.gold_votes import gold_votes, gold_votes_figure
from nlfol_extras.analyses.levels import levels, levels_figure
from nlfol_extras.analyses.released import released, released_figure
from nlfol_extras.analyses.suspect_gold import suspects

OURS = {"a": ("true", 1), "b": ("false", 0), "c": ("true", 0), "d": (None, 0), "e": ("true", 1), "f": ("true", 0)}
THEIRS = {"a": ("true", 1), "b": ("true", 1), "c": ("false", 0), "d": ("true", 1), "e": (None, 0), "g": ("true", 1)}


def scores(folder: Path, task: str, kind: str, model: str, answers: dict[str, tuple[str | None, int]]) -> Path:
    path = folder / f"{task}.{model}.arrow"
    rows = [
        stored(schemas.SCORES, item=item, metric="right", seed=0, answer=answer, score=float(right))
        for item, (answer, right) in answers.items()
    ]
    about = {"dataset": "d", "task": task, "task_kind": kind, "model": model, "kind": "chat", "protocol": ""}
    files.write(path, schemas.SCORES, rows, about)
    return path


def test_chains_count_verdicts_item_by_item(tmp_path: Path) -> None:
    paths = [
        scores(tmp_path, "p", "program", "m", OURS),
        scores(tmp_path, "p", "program", "other", OURS),
        scores(tmp_path, "v", "question_answering", "m.pyke", THEIRS),
    ]
    (row,) = chains(paths, {"m.pyke": "m"})
    assert row == {
        "dataset": "d",
        "task": "p",
        "model": "m",
        "chain": "m.pyke",
        "programs": 5,
        "theirs": 4,
        "theirs_right": 3,
        "ours": 4,
        "ours_right": 2,
        "only_ours": 1,
        "only_ours_right": 1,
        "both": 3,
        "agree": 1,
        "for_ours": 0,
        "for_theirs": 1,
        "for_neither": 1,
    }
    figure = chains_figure(pl.DataFrame([row]))
    assert figure is not None
    assert {(mark["by"], mark["part"], mark["share"]) for mark in figure.rows} == {
        *(("m, pyke", "executed", 0.8), ("m, pyke", "right", 0.6)),
        *(("m, nlfol", "executed", 0.8), ("m, nlfol", "right", 0.4)),
    }
    assert chains(paths[:2], {"m.pyke": "m"}) == []


def test_published_accuracy_stands_beside_ours() -> None:
    about = {"provider": "P", "date": "2023", "prompt": "p", "examples": 2, "decoding": "greedy"}
    published = {"d": {"accuracy": 0.5, "executable": None, "where": "table 2", "fallback": None}}
    ours = {"right": 0.75, "right_low": 0.6, "right_high": 0.9}
    ours |= {"executable": 0.8, "executable_low": 0.7, "executable_high": 0.9}
    solvers = [
        {"dataset": dataset, "task": "t", "model": model, "items": 4, **ours}
        for dataset, model in (("d", "m"), ("other", "m"), ("d", "unreleased"))
    ]
    with_figure, without = released(solvers, {"m": {**about, "published": published}})
    expected = {**about, **ours, "published": 0.5, "difference": 0.25, "where": "table 2", "items": 4}
    assert expected.items() <= with_figure.items()
    assert (without["dataset"], without["published"], without["difference"]) == ("other", None, None)
    figure = released_figure(pl.DataFrame([with_figure, without]))
    assert figure is not None
    assert [(mark["panel"], mark["of"], mark["mean"], mark["low"]) for mark in figure.rows] == [
        ("d", "published", 0.5, 0.5),
        ("d", "sound solver", 0.75, 0.6),
    ]


def aligned(model: str, *programs: tuple[int, bool]) -> Aligned:
    """Programs of two lines each, of which so many are equivalent."""
    rows: list[Any] = [
        {"item": f"{number}", "story": f"{number}", "seed": 0, "right": right, "lines": {"sum": float(lines), "of": 2}}
        for number, (lines, right) in enumerate(programs)
    ]
    rows.append({"item": "x", "story": "x", "seed": 0, "right": True, "lines": None})
    about: Any = {"dataset": "d", "task": "p", "model": model, "kind": "chat"}
    return Aligned(about, tuple(rows), "plain")


def test_levels_separate_models_from_their_programs() -> None:
    # The better a model, the more of both; inside each, right answers do not go with right lines.
    models = (
        aligned("good", (2, True), (2, False), (1, True), (1, True)),
        aligned("middle", (1, True), (1, False), (0, True), (0, False)),
        aligned("bad", (0, False), (0, False), (1, False), (0, False)),
    )
    rows = levels(models)
    found = {(row["model"], row["level"]): row for row in rows}
    assert {row["across"] for row in rows if row["level"] == "all"} == {1.0}
    assert found["good", "all"]["within"] == pytest.approx(-((1 / 3) ** 0.5))
    assert found["middle", "all"]["within"] == pytest.approx(0)
    assert found["bad", "all"]["within"] is None
    assert (found["good", "every"]["programs"], found["good", "every"]["right"]) == (2, 0.5)
    assert [level for model, level in found if model == "middle"] == ["all", "none", "half or more"]
    assert levels(models[:2])[0]["across"] is None
    assert levels_figure(pl.DataFrame(rows)) is not None


def test_gold_votes_count_lines_where_golds_differ(tmp_path: Path) -> None:
    golds = {"published": ("P(a)", "Q(a)", "R(a)"), "corrected": ("P(a)", "¬Q(a)", "S(a)")}
    # Statement 1 has one gold line; the models side with the second gold at 2, and with either at 3.
    by = {"published": ("structure", "none", "structure"), "corrected": ("structure", "structure", "name")}
    items, programs = [], []
    for name, lines in golds.items():
        statements = [{"text": f"S{number}.", "line": line} for number, line in enumerate(lines)]
        rows = [
            stored(schemas.ITEMS, item=item, problem=json.dumps({"statements": statements})) for item in ("a", "b", "c")
        ]
        about = {"dataset": name, "task": "p", "task_kind": "program"}
        files.write(tmp_path / f"{name}.items.arrow", schemas.ITEMS, rows, about)
        sentences = [
            {"place": str(n), "aligned_by": how, "error": None, "line": None, "shape": None}
            for n, how in enumerate(by[name], 1)
        ]
        aligned_rows = [
            stored(PROGRAMS, item=item, story=item, seed=0, status="aligned", sentences=sentences) for item in "ab"
        ]
        aligned_rows.append(stored(PROGRAMS, item="c", story="c", seed=0, status="left_out", sentences=[]))
        files.write(tmp_path / f"{name}.arrow", PROGRAMS, aligned_rows, about | {"model": "m"})
        items.append(tmp_path / f"{name}.items.arrow")
        programs.append(tmp_path / f"{name}.arrow")
    (row,) = gold_votes(items, programs)
    counts = {name: row[name] for name in ("lines", "for_first", "for_second", "for_both", "for_neither", "share")}
    assert counts == {"lines": 4, "for_first": 2, "for_second": 2, "for_both": 0, "for_neither": 0, "share": 0.5}
    assert gold_votes_figure(pl.DataFrame([row])) is not None


def test_suspect_gold_lists_statements_where_models_agree_against_all_gold(tmp_path: Path) -> None:
    statements = [{"text": f"S{number}.", "line": line} for number, line in enumerate(("P(a)", "Q(a)", "R(a)"), 1)]
    about = {"dataset": "d", "task": "p", "task_kind": "program", "kind": "chat"}
    rows = [stored(schemas.ITEMS, item="a", problem=json.dumps({"statements": statements}))]
    files.write(tmp_path / "items.arrow", schemas.ITEMS, rows, about)
    programs = []
    # Three agree on the first and second; one of the second is equivalent to gold. Two agree on the third.
    of_models = {
        "one": (("∀x A(x)", "all", "name"), ("B(a)", "atom", "name"), ("C(a)", "atom", "none")),
        "two": (("∀y D(y)", "all", "none"), ("E(a)", "atom", "structure"), ("F(a)", "atom", "none")),
        "three": (("∀x G(x)", "all", "name"), ("H(a)", "atom", "name"), ("∃x I(x)", "some", "none")),
        "drifting": (("P(a)", "atom", "none"), ("P(a)", "atom", "none"), ("∃x P(x)", "some", "none")),
    }
    for model, said in of_models.items():
        sentences = [
            {"place": str(place), "aligned_by": how, "error": None, "line": line, "shape": shape}
            for place, (line, shape, how) in enumerate(said, 1)
        ]
        row = stored(PROGRAMS, item="a", story="s", seed=0, status="aligned", sentences=sentences)
        kind = "drifting" if model == "drifting" else "chat"
        files.write(tmp_path / f"{model}.arrow", PROGRAMS, [row], {**about, "kind": kind, "model": model})
        programs.append(tmp_path / f"{model}.arrow")
    (suspect,) = suspects([tmp_path / "items.arrow"], programs)
    assert (suspect["text"], suspect["gold"], suspect["line"]) == ("S1.", ["P(a)"], "∀x A(x)")
    assert (suspect["models"], suspect["agree"], suspect["of"]) == (["one", "two", "three"], 3, 3)
    assert not [*suspects([tmp_path / "items.arrow"], programs[1:])]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("∀x (P(x) → Q(x))", "∀y (¬R(y) ∨ S(y))", True),
        ("¬∃x (P(x) ∧ Q(x))", "∀x (A(x) → ¬B(x))", True),
        ("P(a) ∧ Q(b)", "P(a) ∧ Q(a)", False),
        ("P(a) ⊕ Q(a)", "R(b) ⊕ S(b)", True),
    ],
)
def test_shapes_of_formulas_are_equal_up_to_names(one: str, other: str, same: bool) -> None:
    assert (FORMULAS.shape((one,)) == FORMULAS.shape((other,))) is same
